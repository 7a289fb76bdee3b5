// A pinned message to the network, or the removal of the pin.
import { proto } from 'baileys'
import type { ContentOf } from '../../network/message.ts'
import { keyOf } from './message-key.ts'
import { type NetworkMessage, requireTarget, type SendFacts } from './network-message.ts'

const PIN_ATTRIBUTE = '2'

export function pinToNetwork({ seconds }: ContentOf<'pin'>, facts: SendFacts): NetworkMessage {
  const { PIN_FOR_ALL, UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type
  return {
    message: {
      pinInChatMessage: {
        key: keyOf(requireTarget(facts), facts.chat),
        type: seconds === null ? UNPIN_FOR_ALL : PIN_FOR_ALL,
        senderTimestampMs: facts.nowMs,
      },
      messageContextInfo: { messageAddOnDurationInSecs: seconds ?? 0 },
    },
    additionalNodes: [],
    attributes: { edit: PIN_ATTRIBUTE },
  }
}
