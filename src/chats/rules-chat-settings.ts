// What was set for a chat, on the phone or in the account, as answers and events show it.
import { isoOrNull } from '../kernel/time.ts'

/** Columns of a chat. */
export interface SettingColumns {
  archived: number
  muted_until: number | null
  pinned: number
  marked_unread: number
  unread_count: number
  disappearing_seconds: number
  assigned_user_id: number | null
}

/** A chat is unread if it has unread messages, or if its owner has marked it. */
export const chatSettings = (row: SettingColumns) => ({
  archived: row.archived === 1,
  mutedUntil: isoOrNull(row.muted_until),
  pinned: row.pinned === 1,
  unread: row.marked_unread === 1 || row.unread_count > 0,
  disappearingSeconds: row.disappearing_seconds,
  assignedTo: row.assigned_user_id,
})
