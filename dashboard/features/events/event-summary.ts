// A one-line summary of an event.
import type { LiveEvent } from '../../gateway/live.ts'

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const joined = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' · ')

export function eventSummary({ event, data }: LiveEvent): string {
  const payload = data as Record<string, unknown>
  const person = (payload.from ?? payload.person) as Record<string, unknown> | undefined
  const who = text(person?.pushName) ?? text(person?.phone) ?? text(person?.jid)
  switch (event) {
    case 'messages.upsert':
      return joined(
        payload.direction === 'incoming' ? `← ${who ?? ''}` : `→ ${text(payload.chat)?.split('@')[0] ?? ''}`,
        text(payload.text) ?? text(payload.type),
      )
    case 'messages.update':
      // A message that was cancelled has the status of one that failed.
      return joined(
        text(payload.status),
        text((payload.failure as { reason?: unknown } | null | undefined)?.reason),
        text(payload.messageId),
      )
    case 'messages.edited':
    case 'messages.deleted':
    case 'messages.reaction':
      return joined(who, text(payload.emoji) ?? text(payload.text))
    case 'messages.set_aside':
      return joined(text(payload.what), text(payload.reason), text(payload.messageId))
    case 'contacts.merged':
      return joined(text(payload.mergedChat), text(payload.chat))
    case 'contacts.update':
      return joined(text(payload.name) ?? who, text(person?.phone))
    case 'chats.update':
      return joined(text(payload.name) ?? text(payload.chat), text(payload.lastMessageText))
    case 'labels.update':
    case 'labels.association':
      return joined(text(payload.name), text(payload.chat), text(payload.labelId))
    case 'qrcode.updated':
      return joined(text(payload.pairingCode), text(payload.expiresAt))
    case 'passkey.updated':
      return joined(text(payload.step), text(payload.result), text(payload.code))
    case 'groups.upsert':
      return joined(text(payload.subject), text(payload.groupJid))
    case 'groups.update':
      return joined(
        text(payload.groupJid),
        Object.keys((payload.changes as object | undefined) ?? {}).join(', '),
      )
    case 'group-participants.update':
      return joined(text(payload.action), text(payload.groupJid))
    case 'call':
      return joined(who, text(payload.status))
    case 'presence.update':
      return joined(who, text(payload.presence))
    case 'connection.update':
      return joined(text(payload.state), text(payload.stateReason), text(payload.number))
  }
}
