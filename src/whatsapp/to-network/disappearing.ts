// A new timer for the messages of a chat to the network.
import { prepareDisappearingMessageSettingContent } from 'baileys'
import type { ContentOf } from '../../network/message.ts'
import type { NetworkMessage } from './network-message.ts'

export const disappearingToNetwork = ({ seconds }: ContentOf<'disappearing'>): NetworkMessage => ({
  message: prepareDisappearingMessageSettingContent(seconds),
  additionalNodes: [],
})
