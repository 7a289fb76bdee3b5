// Rows of instance settings, presence subscriptions and quick replies.
import type { Generated } from 'kysely'

export interface InstanceSettingsTable {
  instance_id: number
  /** JSON of the settings that differ from the defaults, without the proxy. */
  settings: string
  sealed_proxy: Uint8Array | null
  updated_at: number
}

export interface PresenceSubscriptionsTable {
  instance_id: number
  /** The person by number, or by lid where the number is not known. */
  jid: string
  lid: string | null
  /** As it was reported last; null: not yet. */
  presence: string | null
  last_seen: number | null
  updated_at: number
}

export interface QuickRepliesTable {
  id: Generated<number>
  account_id: number
  /** In lower case. */
  shortcut: string
  text: string
  created_at: number
  updated_at: number
}
