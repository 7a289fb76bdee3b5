// A reaction from the network, or its withdrawal. In announcement groups it is encrypted with the secret of the message.
import { proto } from 'baileys'
import { decodeBounded } from '../library/received-limits.ts'
import { openWithSecret } from './originals.ts'
import type { Reading, ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'
import { textOrNull } from './wire-values.ts'

export const readReaction: ReadKind = ({ reactionMessage }, { resolve }) =>
  reactionMessage
    ? reactionReading(reactionMessage, claimedTarget(reactionMessage.key, resolve, 'ours'))
    : null

/** Null, also for a reaction that cannot be decrypted: it is then reported as unsupported content. */
export const readSecretReaction: ReadKind = ({ encReactionMessage }, facts) => {
  const key = encReactionMessage?.targetMessageKey
  const plain = encReactionMessage && openWithSecret('Enc Reaction', encReactionMessage, key, facts)
  const reaction = plain && reactionIn(plain)
  return reaction
    ? reactionReading({ ...reaction, key: key ?? null }, claimedTarget(key, facts.resolve, 'senders'))
    : null
}

function reactionIn(plain: Uint8Array): proto.Message.IReactionMessage | null {
  try {
    return decodeBounded(proto.Message.ReactionMessage, plain, 'reactionMessage').content
  } catch {
    return null
  }
}

function reactionReading(
  { text, key }: proto.Message.IReactionMessage,
  target: NonNullable<Reading['target']> | null,
): Reading {
  const emoji = textOrNull(text)
  return {
    type: 'reaction',
    text: emoji,
    target,
    content: { targetMessageId: key?.id ?? '', emoji, removed: emoji === null },
  }
}
