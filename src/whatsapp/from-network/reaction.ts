// A reaction from the network, or its withdrawal. In announcement groups it is encrypted with the secret of the message.
import { proto } from 'baileys'
import { openWithSecret } from './originals.ts'
import { markCut, type Reading, type ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'
import { textOrNull } from './wire-values.ts'

export const readReaction: ReadKind = ({ reactionMessage }, { resolve }) =>
  reactionMessage
    ? reactionReading(reactionMessage, claimedTarget(reactionMessage.key, resolve, 'ours'))
    : null

/** Null, also for a reaction that cannot be decrypted: it is then reported as unsupported content. */
export const readSecretReaction: ReadKind = ({ encReactionMessage }, facts) => {
  const key = encReactionMessage?.targetMessageKey
  const type = proto.Message.ReactionMessage
  const sealed = {
    use: 'Enc Reaction',
    type,
    encrypted: encReactionMessage,
    key,
    name: 'reactionMessage',
  } as const
  const opened = openWithSecret<proto.Message.IReactionMessage>(sealed, facts)
  if (!opened) return null
  const target = claimedTarget(key, facts.resolve, 'senders')
  return markCut(reactionReading({ ...opened.content, key: key ?? null }, target), opened)
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
