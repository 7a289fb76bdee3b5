// Rows of the features: keys, arrivals, files, groups, labels, settings and webhooks.
import type { Generated } from 'kysely'

// The tables of API keys: the keys, what their sends wait for, and what they did.

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

// The tables of received messages until they are messages of a chat, and of those that never are.

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

// The tables of files: of received messages, of uploads, and profile pictures.

export interface ReceivedFilesTable {
  message_row_id: number
  instance_id: number
  status: string
  tries: Generated<number>
  due_at: number | null
  created_at: number
}

export interface ReceivedFilePartsTable {
  message_row_id: number
  part: number
  instance_id: number
  sealed: Uint8Array
}

export interface MediaUploadsTable {
  id: Generated<number>
  account_id: number
  media_id: string
  mimetype: string
  file_name: string | null
  size_bytes: number
  sha256: string | null
  created_at: number
  expires_at: number
  kept_until: number
  /** The send with approval that the file was fetched for; null: a caller has uploaded it, or the send is not accepted yet. */
  held_instance_id: Generated<number | null>
  held_message_id: Generated<string | null>
}

export interface MediaUploadPartsTable {
  upload_id: number
  part: number
  sealed: Uint8Array
}

export interface PicturesTable {
  instance_id: number
  jid: string
  status: string
  sealed: Generated<Uint8Array | null>
  digest: Generated<string | null>
  version: Generated<number>
  checked_at: Generated<number>
  due_at: number
}

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

// Rows of instance settings, presence subscriptions and quick replies.

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

// Rows of webhooks and destinations, those that only dialects have (names of instances, templates of messages), and what the bridge to Chatwoot has made
// there.

export interface WebhooksTable {
  id: Generated<number>
  account_id: number
  instance_id: number | null
  name: string
  url: string
  events: string
  enabled: 0 | 1
  sealed_secret: Uint8Array
  previous_sealed_secret: Generated<Uint8Array | null>
  previous_until: Generated<number | null>
  failing_since: Generated<number | null>
  disabled_reason: Generated<string | null>
  disabled_at: Generated<number | null>
  filter_chats: Generated<string>
  filter_from: Generated<string | null>
  /** The numbers of `filter_from` in every form that the network may use. */
  filter_senders: Generated<string | null>
  filter_direction: Generated<string | null>
  history: Generated<0 | 1>
  /** Whether several events are posted in one request. */
  batch: Generated<0 | 1>
  format: Generated<string>
  sealed_options: Generated<Uint8Array | null>
  /** Of a destination: exchange and topic. Null: a webhook. */
  target: Generated<string | null>
  created_at: number
  updated_at: number
}

export interface EvolutionInstancesTable {
  instance_id: number
  account_id: number
  /** Chosen by the client, unique per account. */
  name: string
  token_hash: string
  created_at: number
}

export interface CloudTemplatesTable {
  id: Generated<number>
  account_id: number
  name: string
  language: string
  category: string
  /** JSON: header, body, footer and buttons. */
  components: string
  created_at: number
  updated_at: number
}

export interface ChatwootChatsTable {
  webhook_id: number
  chat: string
  /** When the call that creates the conversation began. */
  claimed_at: number
  contact_id: Generated<number | null>
  conversation_id: Generated<number | null>
}

export interface ChatwootMessagesTable {
  webhook_id: number
  /** Direction and id, as `incoming:3EB0…`. */
  message: string
  claimed_at: number
  chatwoot_id: Generated<number | null>
  /** Position among the messages that an agent's message has become. */
  part: Generated<number>
  conversation_id: Generated<number | null>
}
