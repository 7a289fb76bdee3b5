// The tables of API keys: the keys, what their sends wait for, and what they did.
import type { Generated } from 'kysely'

export interface ApiKeysTable {
  id: Generated<number>
  account_id: number
  name: string
  hint: string
  hash: string
  scopes: string
  /** JSON: the walls of the key, and its scopes; null: it has no walls. */
  walls: Generated<string | null>
  source: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  life_until: Generated<number | null>
  successor_id: Generated<number | null>
}

/** Sends that wait for a person, and the record of the decision. */
export interface ApprovalsTable {
  instance_id: number
  message_id: string
  account_id: number
  key_id: number
  requested_at: number
  expires_at: number
  decided_at: Generated<number | null>
  decision: Generated<string | null>
  /** Such as `key:7`, `phone` or `time`. */
  decided_by: Generated<string | null>
  /** The message that asks the owner on the phone; null: the owner is not asked there. */
  question_id: Generated<string | null>
  code: Generated<string | null>
  /** When the question is due; null: it is accepted by the outbox, or there is none. */
  ask_at: Generated<number | null>
  /** Counts the changes that people have made to the content. */
  version: Generated<number>
}

/** What people have changed in sends before they approved them. */
export interface ApprovalEditsTable {
  instance_id: number
  message_id: string
  /** The version that the change made. */
  version: number
  edited_at: number
  /** Such as `key:7`. */
  edited_by: string
  /** JSON: the content of the message before the change. */
  content: string
}

/** What accounts, and keys on a day, have used. */
export interface UsageTable {
  account_id: number
  resource: string
  period: number
  used: number
}

/** Which key did what. */
export interface AuditTable {
  id: Generated<number>
  account_id: number
  key_id: number
  at: number
  action: string
  instance: string | null
  chat: string | null
  subject: string | null
  status: number
  reason: string | null
}

/** Codes of the authorization page for agents. */
export interface AgentCodesTable {
  hash: string
  account_id: number
  /** The key of the person who allowed it. */
  granted_by: number
  client_id: string
  redirect_uri: string
  /** SHA-256 of the verifier that only the agent has. */
  challenge: string
  /** JSON: name, scopes and walls of the key to make. */
  permissions: string
  expires_at: number
  used_at: Generated<number | null>
  /** The key that was made for it. */
  key_id: Generated<number | null>
}
