// References in a message: the quoted message, the mentioned people, whether it was forwarded, and the advertisement it came from.
import type { proto } from 'baileys'
import type { JsonObject, QuotedMessage } from '../../network/message.ts'
import { type Resolve, resolveJid } from './people.ts'
import { referralIn } from './referral.ts'
import { textOf } from './text-of.ts'
import { unwrap } from './unwrap.ts'
import { present } from './wire-values.ts'

type ContextInfo = proto.IContextInfo | null | undefined

export function quotedIn(contextInfo: ContextInfo, resolve: Resolve): QuotedMessage | null {
  const { stanzaId, participant, quotedMessage } = contextInfo ?? {}
  if (!stanzaId) return null
  return {
    messageId: stanzaId,
    text: quotedMessage ? textOf(unwrap(quotedMessage).content) : null,
    participant: participant ? resolveJid(participant, resolve) : null,
  }
}

export function remarksIn(contextInfo: ContextInfo, resolve: Resolve): JsonObject {
  const mentions = (contextInfo?.mentionedJid ?? []).map((jid) => resolveJid(jid, resolve))
  return present({
    mentions: mentions.length > 0 ? mentions : null,
    forwarded: contextInfo?.isForwarded || null,
    referral: referralIn(contextInfo),
  })
}
