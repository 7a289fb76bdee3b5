// A reaction to the network, or its withdrawal.
import type { ContentOf } from '../../network/message.ts'
import { keyOf } from './message-key.ts'
import { type NetworkMessage, requireTarget, type SendFacts } from './network-message.ts'

/** An empty text withdraws the reaction. */
export const reactionToNetwork = ({ emoji }: ContentOf<'reaction'>, facts: SendFacts): NetworkMessage => ({
  message: {
    reactionMessage: {
      key: keyOf(requireTarget(facts), facts.chat),
      text: emoji ?? '',
      senderTimestampMs: facts.nowMs,
    },
  },
  additionalNodes: [],
})
