// Forwards a message to another chat. The copy keeps the content and loses the quote and the mentions.
import { getContentType, proto } from 'baileys'
import { Refusal } from '../model/refusal.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import type { StoredPhoneMessage } from '../store/messages.ts'
import { expirationIn, messageOn } from './compose.ts'
import type { Phone } from './phone.ts'
import { findChat, send } from './send.ts'

export function forwardMessage(
  state: RoutingState,
  phone: Phone,
  messageId: string,
  to: string,
): Promise<string> {
  const target = messageOn(state.database, phone, messageId)
  const chat = findChat(state.world, phone, to)
  const message = forwardedCopy(target, expirationIn(state, phone, to))
  return send(state, phone, { chat, message })
}

/** Changes of earlier messages, deleted messages and view-once media cannot be forwarded. */
function forwardedCopy(
  target: StoredPhoneMessage,
  expiration: { expiration: number } | undefined,
): proto.IMessage {
  const message = proto.Message.decode(target.content)
  const type = getContentType(message)
  if (!type || target.target !== undefined || target.deleted || target.viewOnce)
    throw new Refusal('invalid_request', 'That message cannot be forwarded.', [
      { path: 'messageId', message: 'cannot be forwarded' },
    ])
  const contextInfo = { ...forwardFlag(target, message), ...expiration }
  if (type === 'conversation')
    return { extendedTextMessage: { text: message.conversation ?? '', contextInfo } }
  // The copy gets a secret of its own when it is sent.
  return { [type]: { ...(message[type] as object), contextInfo } }
}

/** Phones do not mark the copy of a message that they sent, unless that one was forwarded itself. */
function forwardFlag(target: StoredPhoneMessage, message: proto.IMessage): proto.IContextInfo | undefined {
  const part = Object.values(message).find(
    (value) => value && typeof value === 'object' && 'contextInfo' in value,
  )
  const earlier =
    (part as { contextInfo?: proto.IContextInfo } | undefined)?.contextInfo?.forwardingScore ?? 0
  const forwardingScore = earlier + (target.fromMe ? 0 : 1)
  return forwardingScore > 0 ? { isForwarded: true, forwardingScore } : undefined
}
