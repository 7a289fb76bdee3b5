// What the owner can do with a chat, by its settings.
import type { z } from 'zod'
import type { Chat as ChatSchema } from '../../../../src/contract/contacts.ts'
import { MUTED_FOR_EVER, TIMER_SECONDS } from '../../../../src/contract/values.ts'
import type { chatSettings } from '../texts/chat-settings/en.ts'

type Chat = Pick<z.output<typeof ChatSchema>, 'archived' | 'mutedUntil' | 'pinned' | 'unread'>
export type ChatChoice = keyof (typeof chatSettings)['choices']
export type RequestedChatDialog = Extract<ChatChoice, 'mute' | 'timer' | 'clear'>

/** A mute ends without an event. */
export const isMuted = ({ mutedUntil }: Pick<Chat, 'mutedUntil'>, now = Date.now()): boolean =>
  mutedUntil !== null && Date.parse(mutedUntil) > now

/** What these choices change at once; the others open a dialog. */
export const CHANGES = {
  archive: { archived: true },
  unarchive: { archived: false },
  unmute: { mutedUntil: null },
  pin: { pinned: true },
  unpin: { pinned: false },
  markUnread: { unread: true },
  markRead: { unread: false },
} as const satisfies Record<Exclude<ChatChoice, RequestedChatDialog>, object>

export const choicesForChat = (chat: Chat, now = Date.now()): ChatChoice[] => [
  chat.archived ? 'unarchive' : 'archive',
  isMuted(chat, now) ? 'unmute' : 'mute',
  chat.pinned ? 'unpin' : 'pin',
  chat.unread ? 'markRead' : 'markUnread',
  'timer',
  'clear',
]

export type ChatTimer = keyof typeof TIMER_SECONDS
export const timerOf = (seconds: number): ChatTimer | undefined =>
  (Object.keys(TIMER_SECONDS) as ChatTimer[]).find((timer) => TIMER_SECONDS[timer] === seconds)

const HOUR_MS = 3_600_000
/** Null: without an end. */
export const MUTE_MS = { hours: 8 * HOUR_MS, week: 7 * 24 * HOUR_MS, always: null } as const
export type MuteFor = keyof typeof MUTE_MS
export function muteEnd(duration: MuteFor, now = Date.now()): string {
  const ms = MUTE_MS[duration]
  return ms === null ? MUTED_FOR_EVER : new Date(now + ms).toISOString()
}
