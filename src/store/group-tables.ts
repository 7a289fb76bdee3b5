// Rows of groups and calls.

/** A boolean. */
type Flag = 0 | 1

export interface GroupsTable {
  instance_id: number
  jid: string
  subject: string
  description: string | null
  owner_jid: string | null
  group_created_at: number | null
  size: number
  is_admin: Flag
  is_announcement: Flag
  is_locked: Flag
  /** Null until the group was read by a program that knows these settings. */
  join_approval: Flag | null
  member_add: string | null
  disappearing_seconds: number | null
  participants: string
  updated_at: number
}

export interface CallsTable {
  instance_id: number
  id: string
  /** A person as JSON. */
  caller: string
  /** The caller's identifier as the network used it. */
  creator: string
  is_video: Flag | null
  is_group: Flag | null
  group_jid: string | null
  status: string
  updated_at: number
}
