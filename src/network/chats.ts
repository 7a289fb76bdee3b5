// The part of the network port about chats: their settings, stars, presence and older messages.
import type { ShownPresence } from '../contract/chats.ts'
import type { NetworkAddress } from './message.ts'

/** A stored message, as the network names it. */
export interface MessageAddress extends NetworkAddress {
  messageId: string
  isOurs: boolean
  sentAtMs: number
}

/** The settings of a chat that only the devices of the owner see. Absent: unchanged. */
export interface ChatSettings {
  archived?: boolean | undefined
  /** Null: not muted. */
  mutedUntil?: number | null | undefined
  pinned?: boolean | undefined
  unread?: boolean | undefined
}

/** A label that the owner gives to chats, as the phone names it. */
export interface NetworkLabel {
  labelId: string
  name: string
  /** One of the twenty colours of the app, 0 to 19. */
  color: number
  /** Of a label that every business phone has. */
  predefinedId: number | null
  deleted: boolean
}

/** A change of the owner's account, made by this session or on another device. */
export type ChatReport =
  /** `throughMs`: messages that were sent later are not concerned. `isInitial`: from before the session was paired. */
  | ({ kind: 'chat_settings'; chat: string; throughMs: number; isInitial: boolean } & ChatSettings)
  /** The messages of the chat up to that time are deleted. */
  | { kind: 'chat_cleared'; chat: string; throughMs: number; keepStarred: boolean }
  | ({ kind: 'label'; isInitial: boolean } & NetworkLabel)
  | { kind: 'chat_label'; chat: string; labelId: string; labeled: boolean; atMs: number; isInitial: boolean }
  | { kind: 'starred'; chat: string; messageId: string; isOurs: boolean; starred: boolean }

/**
 * Calls about chats. A change is reported before its promise resolves. `last` is the last stored message of the chat: messages
 * after it are not concerned.
 */
export interface ChatCalls {
  /** Makes the changes one after the other, and stops at the first that is refused. */
  changeChat(chat: string, settings: ChatSettings, last: MessageAddress | null): Promise<void>
  /** Deletes the messages of the chat on the devices of the owner. */
  clearChat(chat: string, last: MessageAddress | null): Promise<void>
  starMessage(chat: string, message: MessageAddress, starred: boolean): Promise<void>
  /** Creates, changes or deletes the label with this id. */
  saveLabel(label: NetworkLabel): Promise<void>
  labelChat(chat: string, labelId: string, labeled: boolean): Promise<void>
  /** Asks the phone for messages before this one. They arrive as a history. */
  requestHistory(chat: string, oldest: MessageAddress, count: number): Promise<void>
  /** Shows typing or recording for that long. Replaces what is shown in the chat. */
  showPresence(chat: string, presence: ShownPresence, seconds: number): Promise<void>
}

/** The names of the calls, for the parts that pass them on. */
export const CHAT_CALLS = [
  'changeChat',
  'clearChat',
  'starMessage',
  'saveLabel',
  'labelChat',
  'requestHistory',
  'showPresence',
] as const satisfies readonly (keyof ChatCalls)[]

/** The same calls for the session of an instance. */
export type LiveChatCalls = {
  [K in keyof ChatCalls]: (instanceId: number, ...args: Parameters<ChatCalls[K]>) => ReturnType<ChatCalls[K]>
}
