// A reaction from the network, or its withdrawal.
import type { ReadKind } from './reading.ts'
import { textOrNull } from './wire-values.ts'

export const readReaction: ReadKind = ({ reactionMessage }) => {
  if (!reactionMessage) return null
  const emoji = textOrNull(reactionMessage.text)
  return {
    type: 'reaction',
    text: emoji,
    content: { targetMessageId: reactionMessage.key?.id ?? '', emoji, removed: emoji === null },
  }
}
