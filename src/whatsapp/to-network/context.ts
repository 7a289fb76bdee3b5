// Adds to a message what it refers to: the message it quotes, the people it mentions, that it is forwarded, how long it stays, that
// it can be opened only once.
import type { proto } from 'baileys'
import type { OutgoingContext } from '../../network/message.ts'
import type { NetworkMessage, SendFacts } from './network-message.ts'
import { quotedPreview } from './quoted-preview.ts'
import { asViewOnce, contentOf } from './view-once.ts'

type ContextInfo = proto.IContextInfo

/** The network counts how often a message was forwarded; clients show a mark from the first time on. */
const FORWARDED_ONCE = 1

export function withContext(
  sent: NetworkMessage,
  facts: Pick<SendFacts, 'context' | 'me'>,
  viewOnce = false,
): NetworkMessage {
  const info = contextInfo(facts)
  const message = info === undefined ? sent.message : withInfo(sent.message, info)
  return { ...sent, message: viewOnce ? asViewOnce(message) : message }
}

function contextInfo({ context, me }: Pick<SendFacts, 'context' | 'me'>): ContextInfo | undefined {
  const { quoted, mentions, forwarded, disappearingSeconds } = context
  if (!quoted && !mentions && !forwarded && !disappearingSeconds) return undefined
  return {
    ...(quoted && {
      stanzaId: quoted.messageId,
      participant: quoted.isOurs ? me : (quoted.addressedAs.participant ?? quoted.addressedAs.chat),
      quotedMessage: quotedPreview(quoted),
    }),
    ...mentionFields(mentions),
    ...(forwarded && { isForwarded: true, forwardingScore: FORWARDED_ONCE }),
    ...(disappearingSeconds && { expiration: disappearingSeconds }),
  }
}

function mentionFields(mentions: OutgoingContext['mentions']): ContextInfo {
  if (mentions === undefined) return {}
  return mentions === 'all' ? { nonJidMentions: 1 } : { mentionedJid: mentions }
}

/** `conversation` has no place for it: such a text becomes an extended one. */
function withInfo(message: proto.IMessage, info: ContextInfo): proto.IMessage {
  const { conversation, ...others } = message
  if (conversation !== undefined && conversation !== null)
    return { ...others, extendedTextMessage: { text: conversation, contextInfo: info } }
  const [name, part] = contentOf(message)
  return { ...message, [name]: { ...part, contextInfo: { ...part.contextInfo, ...info } } }
}
