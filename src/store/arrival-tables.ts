// The tables of received messages until they are messages of a chat, and of those that never are.
import type { Generated } from 'kysely'

export interface InboxTable {
  instance_id: number
  name: string
  sealed: Uint8Array
  received_at: number
  processed_at: number | null
}

export interface SetAsideTable {
  id: Generated<number>
  instance_id: number
  name: string
  what: string
  reason: string
  sealed: Uint8Array
  created_at: number
}

export interface ArrivalDeathsTable {
  instance_id: number
  name: string
  weight: number
  last_run: string
  updated_at: number
}
