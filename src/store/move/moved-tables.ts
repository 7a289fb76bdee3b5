// What a move to another engine does with each table. A new table without a line here is an error of the compiler.
import type { Tables } from '../tables.ts'

export type Handling = 'copied' | { left: string }

/** In an order in which every row comes after the rows that it refers to. */
export const MOVED_TABLES: Record<keyof Tables, Handling> = {
  facts: 'copied',
  plans: 'copied',
  accounts: 'copied',
  users: 'copied',
  api_keys: 'copied',
  agent_codes: { left: 'codes of a minute; an agent asks for another one' },
  usage: 'copied',
  quick_replies: 'copied',
  instances: 'copied',
  evolution_instances: 'copied',
  cloud_templates: 'copied',
  nodes: { left: 'the processes of one database; none of them uses the other one' },
  data_keys: 'copied',
  session_keys: 'copied',
  chats: 'copied',
  labels: 'copied',
  chat_labels: 'copied',
  contacts: 'copied',
  groups: 'copied',
  calls: 'copied',
  instance_settings: 'copied',
  presence_subscriptions: 'copied',
  messages: 'copied',
  message_search: { left: 'the target indexes the messages itself' },
  search_progress: { left: 'belongs to the index' },
  approvals: 'copied',
  approval_edits: 'copied',
  audit: 'copied',
  hourly_counts: 'copied',
  lanes: 'copied',
  idempotency_keys: 'copied',
  webhooks: 'copied',
  chatwoot_chats: 'copied',
  chatwoot_messages: 'copied',
  inbox: 'copied',
  set_aside: 'copied',
  arrival_deaths: 'copied',
  addresses: 'copied',
  usernames: 'copied',
  known_numbers: 'copied',
  sent_payloads: 'copied',
  events: 'copied',
  deliveries: 'copied',
  delivery_lanes: 'copied',
  delivery_attempts: 'copied',
  received_files: 'copied',
  received_file_parts: 'copied',
  pictures: 'copied',
  media_uploads: 'copied',
  media_upload_parts: 'copied',
}

export const copiedTables = (): string[] =>
  Object.entries(MOVED_TABLES)
    .filter(([, handling]) => handling === 'copied')
    .map(([table]) => table)
