// Rows of webhooks and destinations, those that only dialects have (names of instances, templates of messages), and what the bridge to Chatwoot has made
// there.
import type { Generated } from 'kysely'

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
