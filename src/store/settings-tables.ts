// Rows of instance settings and presence subscriptions.

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
