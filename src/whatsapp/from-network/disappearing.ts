// A new timer for the messages of a chat. Both sides of a chat can set it.
import { proto } from 'baileys'
import type { ReadKind } from './reading.ts'
import { countOf } from './wire-values.ts'

const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type

export const readDisappearing: ReadKind = ({ protocolMessage }) => {
  if (protocolMessage?.type !== EPHEMERAL_SETTING) return null
  return {
    type: 'disappearing',
    text: null,
    content: { seconds: countOf(protocolMessage.ephemeralExpiration) ?? 0 },
  }
}
