// What the network reports about an instance: people, messages and chats, with the arrival that they were read from.
import type { EventData } from '../contract/events.ts'
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
