// The rule for a person who was met by lid first and by number later: the two chats and contacts become one (decision 0133).

interface MergedChat {
  name: string | null
  push_name: string | null
  last_message_text: string | null
  last_message_at: number | null
  last_message_row_id: number | null
  last_message_deleted: 0 | 1
  unread_count: number
  archived: 0 | 1
  muted_until: number | null
  pinned: 0 | 1
  marked_unread: 0 | 1
  disappearing_seconds: number
  history_ended: 0 | 1
  assigned_user_id: number | null
  active_at: number
  created_at: number
}

/** The settings of the chat in which something happened last count where both cannot. */
export function mergeChats(byNumber: MergedChat, byLid: MergedChat): MergedChat {
  const [latest, other] = byLid.active_at > byNumber.active_at ? [byLid, byNumber] : [byNumber, byLid]
  const last = (byLid.last_message_at ?? 0) > (byNumber.last_message_at ?? 0) ? byLid : byNumber
  return {
    name: byNumber.name ?? byLid.name,
    push_name: latest.push_name ?? other.push_name,
    last_message_text: last.last_message_text,
    last_message_at: last.last_message_at,
    last_message_row_id: last.last_message_row_id,
    last_message_deleted: last.last_message_deleted,
    unread_count: byNumber.unread_count + byLid.unread_count,
    // An archived chat is hidden: a message in the other one must stay visible.
    archived: both(byNumber.archived, byLid.archived),
    muted_until: laterOf(byNumber.muted_until, byLid.muted_until),
    pinned: either(byNumber.pinned, byLid.pinned),
    marked_unread: either(byNumber.marked_unread, byLid.marked_unread),
    disappearing_seconds: latest.disappearing_seconds,
    history_ended: both(byNumber.history_ended, byLid.history_ended),
    assigned_user_id: latest.assigned_user_id ?? other.assigned_user_id,
    active_at: latest.active_at,
    created_at: Math.min(byNumber.created_at, byLid.created_at),
  }
}

const both = (one: 0 | 1, other: 0 | 1): 0 | 1 => (one === 1 && other === 1 ? 1 : 0)
const either = (one: 0 | 1, other: 0 | 1): 0 | 1 => (one === 1 || other === 1 ? 1 : 0)
const laterOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

interface MergedContact {
  assigned_user_id: number | null
  assigned_department_id: number | null
  funnel_stage_id: number | null
  notes: string | null
  /** A JSON object. */
  custom_data: string
  created_at: number
}

/** The contact of the number stays; it takes over what only the other one has. */
export const mergeContacts = (byNumber: MergedContact, byLid: MergedContact): MergedContact => ({
  assigned_user_id: byNumber.assigned_user_id ?? byLid.assigned_user_id,
  assigned_department_id: byNumber.assigned_department_id ?? byLid.assigned_department_id,
  funnel_stage_id: byNumber.funnel_stage_id ?? byLid.funnel_stage_id,
  notes: byNumber.notes ?? byLid.notes,
  custom_data: JSON.stringify({
    ...(JSON.parse(byLid.custom_data) as object),
    ...(JSON.parse(byNumber.custom_data) as object),
  }),
  created_at: Math.min(byNumber.created_at, byLid.created_at),
})

export interface WaitingSend {
  /** `sending`: claimed by a worker, and perhaps on the network already. */
  status: string
  /** When it entered its lane. */
  enteredAt: number
}

/**
 * The order of one lane for the messages of two. Each lane keeps its own order, and the others are interleaved by the time at which they
 * were accepted or due. Messages that a worker has begun with come first.
 */
export function mergeLanes<T extends WaitingSend>(byNumber: readonly T[], byLid: readonly T[]): T[] {
  const isBegun = ({ status }: T): boolean => status === 'sending'
  const begun = [...byNumber.filter(isBegun), ...byLid.filter(isBegun)]
  const [left, right] = [byNumber, byLid].map((lane) => lane.filter((send) => !isBegun(send))) as [T[], T[]]
  const merged: T[] = []
  while (left.length > 0 && right.length > 0) {
    const next = (left[0] as T).enteredAt <= (right[0] as T).enteredAt ? left : right
    merged.push(next.shift() as T)
  }
  return [...begun, ...merged, ...left, ...right]
}
