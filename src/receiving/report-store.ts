// What the network reports about an instance: people, messages and chats, with the arrival that they were read from.
import type { EventData } from '../contract/events.ts'
import type { ReceivedType } from '../contract/messages.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import type { TextChange } from '../messages/rules-text-change.ts'
import type { NewRow } from '../store/tables.ts'

export interface NetworkReport {
  instanceId: number
  /** Undefined: the report does not come from an arrival. A report of an arrival that is processed already is dropped. */
  arrival?: { name: string; isProcessed: boolean } | undefined
  now: number
  /** Without events, as for the history that a phone transfers at pairing. */
  isSilent: boolean
  /** Numbers that are registered. An earlier answer that they are not is deleted. */
  numbers: readonly string[]
  people: readonly Person[]
  messages: readonly ReportedMessage[]
  chats: readonly ReportedChat[]
}

type Person = EventData<'contacts.update'>['person']

type MessageColumns = NewRow<'messages'>
export type ReceivedRow = Omit<MessageColumns, 'row_id' | 'tries' | 'starred' | 'historical'> &
  Required<Pick<MessageColumns, 'starred' | 'historical'>>

export interface ReportedMessage {
  row: ReceivedRow
  from: Person
  /** Of the message, and of the change that it makes to another one. */
  events: readonly NewEvent[]
  /** The file of the message is to be fetched. */
  wantsFile: boolean
  /** Null: the message does not change its chat, or is a status, which belongs to no chat. */
  activity: { text: string | null; unread: 0 | 1 } | null
  /** What the message changes in the text of an earlier one. */
  textChange?: TextChange | undefined
}

/** A chat as the phone reports it. */
export interface ReportedChat {
  jid: string
  name: string | null
  unreadCount: number
}

// Whether a report changes what is known about an address. Each received message repeats it, and writing the row again would add two
// pages to the commit. The address that was reported last for a number stays the latest: another one of that number counts as a change.
export const ADDRESS_CHANGES = `addresses.phone <> excluded.phone or exists (
  select 1 from addresses other where other.instance_id = excluded.instance_id and other.phone = excluded.phone
    and other.lid <> excluded.lid and other.updated_at >= addresses.updated_at)`

// The columns of a received message, with their types on PostgreSQL.

export const MESSAGE_COLUMNS: readonly { name: keyof ReceivedRow; type: 'text' | 'bigint' }[] = [
  { name: 'id', type: 'text' },
  { name: 'account_id', type: 'bigint' },
  { name: 'instance_id', type: 'bigint' },
  { name: 'direction', type: 'text' },
  { name: 'chat', type: 'text' },
  { name: 'number', type: 'text' },
  { name: 'group_jid', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'content', type: 'text' },
  { name: 'media_reference', type: 'text' },
  { name: 'addressed_as', type: 'text' },
  { name: 'secret', type: 'text' },
  { name: 'delay_ms', type: 'bigint' },
  { name: 'status', type: 'text' },
  { name: 'created_at', type: 'bigint' },
  { name: 'updated_at', type: 'bigint' },
  { name: 'sent_at', type: 'bigint' },
  { name: 'delivered_at', type: 'bigint' },
  { name: 'starred', type: 'bigint' },
  { name: 'historical', type: 'bigint' },
  { name: 'listed_at', type: 'bigint' },
]

/** The type of a message whose content is not known. It is replaced if the content arrives later (decision 0132). */
export const UNDECRYPTABLE: ReceivedType = 'undecryptable'
export const REPLACED_COLUMNS = [
  'kind',
  'content',
  'media_reference',
  'addressed_as',
  'secret',
  'updated_at',
] as const satisfies (keyof ReceivedRow)[]
