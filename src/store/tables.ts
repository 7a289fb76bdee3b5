// The tables as the query builder sees them, the same on both engines. Columns are explained in migrations/.
import type { Generated, Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { CountedMetric } from '../statistics/rules-counted.ts'
import type {
  AgentCodesTable,
  ApiKeysTable,
  ApprovalEditsTable,
  ApprovalsTable,
  ArrivalDeathsTable,
  AuditTable,
  CallsTable,
  ChatwootChatsTable,
  ChatwootMessagesTable,
  CloudTemplatesTable,
  EvolutionInstancesTable,
  GroupsTable,
  InboxTable,
  InstanceSettingsTable,
  MediaUploadPartsTable,
  MediaUploadsTable,
  PicturesTable,
  PresenceSubscriptionsTable,
  QuickRepliesTable,
  ReceivedFilePartsTable,
  ReceivedFilesTable,
  SetAsideTable,
  UsageTable,
  WebhooksTable,
} from './feature-tables.ts'
import type { ChatLabelsTable, LabelsTable } from './label-tables.ts'

/** A boolean, stored as 0 or 1 on both engines. */
export type Flag = 0 | 1

interface FactsTable {
  name: string
  value: string
}

interface PlansTable {
  id: Generated<number>
  name: string
  interval: string
  currency: string
  amount: number
  limits: string
  features: string
  requests_per_second: number | null
  created_at: number
  updated_at: number
}

interface AccountsTable {
  id: Generated<number>
  name: string
  plan_id: number
  status: string
  current_period_start: number
  current_period_end: number | null
  trial_ends_at: number | null
  expires_at: number | null
  event_position: Generated<number>
  /** The first template was inserted. */
  has_first_template: Generated<Flag>
  created_at: number
  updated_at: number
}

interface UsersTable {
  id: Generated<number>
  account_id: number
  name: string
  email: string
  created_at: number
  updated_at: number
}

interface InstancesTable {
  id: Generated<number>
  account_id: number
  display_name: string
  api_name: string
  integration: string | null
  state: string
  state_reason: string | null
  state_until: Generated<number | null>
  logged_in: Generated<Flag>
  logout_requested_at: Generated<number | null>
  number: string | null
  lid: string | null
  profile_name: string | null
  /** Version of the instance's own picture; null: unknown. */
  picture_version: Generated<number | null>
  contact_count: Generated<number>
  saved_group_count: Generated<number>
  queued_count: Generated<number>
  scheduled_count: Generated<number>
  /** Whether the groups of the login were listed once. */
  groups_listed: Generated<Flag>
  fence: Generated<number>
  /** The node that serves the instance; null: none, or there is only one process. */
  node_id: Generated<number | null>
  event_sequence: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: Generated<number | null>
}

interface NodesTable {
  id: number
  name: string
  status: string
  lease_until: number
  started_at: number
  url: Generated<string | null>
  version: Generated<string>
  instances: Generated<number>
  ended_at: Generated<number | null>
  ended_by: Generated<string | null>
}

interface DataKeysTable {
  scope: string
  wrapped: Uint8Array
  created_at: number
}

interface SessionKeysTable {
  instance_id: number
  kind: string
  name: string
  sealed: Uint8Array
}

interface ChatsTable {
  id: Generated<number>
  instance_id: number
  jid: string
  is_group: Flag
  name: string | null
  push_name: string | null
  last_message_text: string | null
  last_message_at: number | null
  /** The row of the last message; null: there is none, or it is not stored. */
  last_message_row_id: Generated<number | null>
  /** The last message was deleted for everyone. */
  last_message_deleted: Generated<Flag>
  unread_count: Generated<number>
  archived: Generated<Flag>
  muted_until: Generated<number | null>
  pinned: Generated<Flag>
  marked_unread: Generated<Flag>
  disappearing_seconds: Generated<number>
  /** The phone has no messages of the chat before the stored ones. */
  history_ended: Generated<Flag>
  assigned_user_id: Generated<number | null>
  active_at: number
  created_at: number
  updated_at: number
}

interface ContactsTable {
  id: Generated<number>
  account_id: number
  instance_id: number
  chat_id: number
  name: string
  phone: string | null
  jid: string
  is_group: Flag
  assigned_user_id: number | null
  assigned_department_id: number | null
  funnel_stage_id: number | null
  notes: string | null
  custom_data: string
  show_time_in_stage: Generated<Flag>
  sort_name: string
  search_text: string
  created_at: number
  updated_at: number
}

interface MessagesTable {
  row_id: Generated<number>
  id: string
  account_id: number
  instance_id: number
  direction: string
  chat: string
  number: string | null
  group_jid: string | null
  kind: string
  content: string
  /** How to fetch the file of a received message, with its keys. Never shown. */
  media_reference: Generated<string | null>
  addressed_as: Generated<string | null>
  /** Decrypts what refers to a received message. Never shown. */
  secret: Generated<string | null>
  delay_ms: number
  status: string
  failure_reason: string | null
  failure_error: string | null
  failure_code: number | null
  lane: string | null
  lane_seq: number | null
  tries: Generated<number>
  created_at: number
  updated_at: number
  sent_at: number | null
  delivered_at: number | null
  read_at: number | null
  /** When a scheduled message is due; null: it was not scheduled. */
  send_at: Generated<number | null>
  expires_at: Generated<number | null>
  late: Generated<Flag>
  starred: Generated<Flag>
  /** From a history of the phone. */
  historical: Generated<Flag>
  /** When a received message was stored; null: the message is listed by its own time. */
  listed_at: Generated<number | null>
  /** What the sender calls this send; null: it was not named. */
  reference: Generated<string | null>
}

/** The words of messages, made to be searched. */
interface MessageSearchTable {
  /** Of the message. */
  rowid: number
  words: string
}

interface SearchProgressTable {
  id: number
  position: number
}

interface LanesTable {
  key: string
  instance_id: number
  due_at: number | null
  locked_until: number | null
  owner: string | null
  fence: Generated<number>
  last_seq: Generated<number>
}

interface IdempotencyKeysTable {
  account_id: number
  key: string
  fingerprint: string
  answer: string
  created_at: number
}

interface SentPayloadsTable {
  instance_id: number
  message_id: string
  payload: Uint8Array
  created_at: number
}

interface EventsTable {
  account_id: number
  position: number
  instance_id: number
  sequence: number
  name: string
  data: string
  created_at: number
  chat_kind: Generated<string | null>
  direction: Generated<string | null>
  sender: Generated<string | null>
  historical: Generated<Flag>
}

interface DeliveriesTable {
  id: Generated<number>
  webhook_id: number
  account_id: number
  instance_id: number
  position: number
  status: string
  tries: Generated<number>
  asked: Generated<number>
  due_at: Generated<number | null>
  locked_until: Generated<number | null>
  fence: Generated<number>
  node_id: Generated<number | null>
  created_at: number
  updated_at: number
  delivered_at: Generated<number | null>
}

interface DeliveryLanesTable {
  webhook_id: number
  instance_id: number
  due_at: number | null
  locked_until: Generated<number | null>
  fence: Generated<number>
  node_id: Generated<number | null>
}

interface DeliveryAttemptsTable {
  id: Generated<number>
  delivery_id: number
  at: number
  duration_ms: number
  status_code: number | null
  headers: string
  answer: string | null
  error: string | null
}

interface AddressesTable {
  instance_id: number
  lid: string
  phone: string
  updated_at: number
}

interface UsernamesTable {
  instance_id: number
  lid: string
  username: string
  updated_at: number
}

interface KnownNumbersTable {
  instance_id: number
  number: string
  jid: string | null
  asked_at: number
  /** 1: the network named `jid` for this very number. 0: it was found under another form of the number. */
  is_confirmed: Generated<number>
}

export interface Tables {
  facts: FactsTable
  plans: PlansTable
  accounts: AccountsTable
  users: UsersTable
  api_keys: ApiKeysTable
  agent_codes: AgentCodesTable
  usage: UsageTable
  instances: InstancesTable
  nodes: NodesTable
  data_keys: DataKeysTable
  session_keys: SessionKeysTable
  chats: ChatsTable
  labels: LabelsTable
  chat_labels: ChatLabelsTable
  contacts: ContactsTable
  groups: GroupsTable
  calls: CallsTable
  instance_settings: InstanceSettingsTable
  presence_subscriptions: PresenceSubscriptionsTable
  quick_replies: QuickRepliesTable
  messages: MessagesTable
  message_search: MessageSearchTable
  search_progress: SearchProgressTable
  lanes: LanesTable
  idempotency_keys: IdempotencyKeysTable
  approvals: ApprovalsTable
  approval_edits: ApprovalEditsTable
  audit: AuditTable
  hourly_counts: HourlyCountsTable
  webhooks: WebhooksTable
  evolution_instances: EvolutionInstancesTable
  cloud_templates: CloudTemplatesTable
  chatwoot_chats: ChatwootChatsTable
  chatwoot_messages: ChatwootMessagesTable
  inbox: InboxTable
  set_aside: SetAsideTable
  arrival_deaths: ArrivalDeathsTable
  addresses: AddressesTable
  usernames: UsernamesTable
  known_numbers: KnownNumbersTable
  sent_payloads: SentPayloadsTable
  events: EventsTable
  deliveries: DeliveriesTable
  delivery_lanes: DeliveryLanesTable
  delivery_attempts: DeliveryAttemptsTable
  received_files: ReceivedFilesTable
  received_file_parts: ReceivedFilePartsTable
  pictures: PicturesTable
  media_uploads: MediaUploadsTable
  media_upload_parts: MediaUploadPartsTable
}

/** Where queries run: the store itself, or one of its transactions. */
export type Db = Kysely<Tables>

/** The part of the store that runs several statements in one transaction. */
export interface Transactional {
  readonly db: Db
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

export type Row<T extends keyof Tables> = Selectable<Tables[T]>
export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>
export type RowChange<T extends keyof Tables> = Updateable<Tables[T]>

export const flag = (value: boolean): Flag => (value ? 1 : 0)

// The table of counts per hour.
interface HourlyCountsTable {
  /** 0: all accounts. */
  account_id: number
  /** 0: all instances of the account. */
  instance_id: number
  /** The start of the hour. */
  hour: number
  metric: CountedMetric
  label: string
  count: number
}
