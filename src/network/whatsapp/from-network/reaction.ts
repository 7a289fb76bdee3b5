// A reaction from the network, or its withdrawal.
import type { ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'
import { textOrNull } from './wire-values.ts'

export const readReaction: ReadKind = ({ reactionMessage }, { resolve }) => {
  if (!reactionMessage) return null
  const emoji = textOrNull(reactionMessage.text)
  return {
    type: 'reaction',
    text: emoji,
    target: claimedTarget(reactionMessage.key, resolve, 'ours'),
    content: { targetMessageId: reactionMessage.key?.id ?? '', emoji, removed: emoji === null },
  }
}
