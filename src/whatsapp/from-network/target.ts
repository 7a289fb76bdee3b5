// The message that another one refers to, as its sender claims.
import type { proto } from 'baileys'
import type { ClaimedTarget } from '../../network/message.ts'
import { type Resolve, resolveJid } from './people.ts'
import { textOrNull } from './wire-values.ts'

type Key = proto.IMessageKey | null | undefined

/** The library converts the keys of reactions and votes, so that `fromMe` means this account. Other keys are the sender's. */
export function claimedTarget(key: Key, resolve: Resolve, side: 'ours' | 'senders'): ClaimedTarget | null {
  const messageId = textOrNull(key?.id)
  if (messageId === null) return null
  const author = textOrNull(key?.participant)
  return {
    messageId,
    author: author === null ? null : resolveJid(author, resolve),
    isOurs: side === 'ours' ? key?.fromMe === true : null,
  }
}
