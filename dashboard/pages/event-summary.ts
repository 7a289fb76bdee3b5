// What an event is about in a few words, for its row in the list.
import type { LiveEvent } from '../live.ts'

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const joined = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' · ')

export function eventSummary({ event, data }: LiveEvent): string {
  const told = data as Record<string, unknown>
  const person = (told.from ?? told.person) as Record<string, unknown> | undefined
  const who = text(person?.pushName) ?? text(person?.phone) ?? text(person?.jid)
  switch (event) {
    case 'messages.upsert':
      return joined(
        told.direction === 'incoming' ? `← ${who ?? ''}` : `→ ${text(told.chat)?.split('@')[0] ?? ''}`,
        text(told.text) ?? text(told.type),
      )
    case 'messages.update':
      return joined(text(told.status), text(told.messageId))
    case 'contacts.update':
      return joined(text(told.name) ?? who, text(person?.phone))
    case 'chats.update':
      return joined(text(told.name) ?? text(told.chat), text(told.lastMessageText))
    case 'qrcode.updated':
      return joined(text(told.pairingCode), text(told.expiresAt))
    case 'connection.update':
      return joined(text(told.state), text(told.stateReason), text(told.number))
  }
}
