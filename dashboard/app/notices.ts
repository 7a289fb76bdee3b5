// The rule for desktop notifications: which messages cause one, and what it says.
import type { EventData } from '../../src/contract/events.ts'
import { STATUS_CHAT } from '../../src/contract/message-values.ts'

/** `off` unless the reader chooses otherwise; `name`: without the text of the message. */
export const NOTICES = ['off', 'name', 'text'] as const
export type NoticeChoice = (typeof NOTICES)[number]

type Arrived = Pick<
  EventData<'messages.upsert'>,
  'chat' | 'direction' | 'type' | 'text' | 'historical' | 'target'
>

/** What the list of chats says about the chat. */
export interface NoticedChat {
  title: string
  archived: boolean
  isMuted: boolean
}

/** Changes of messages are not messages of their own. */
export const mayNotify = ({ chat, direction, historical, target }: Arrived): boolean =>
  direction === 'incoming' && historical !== true && !target && chat !== STATUS_CHAT

export interface Notice {
  title: string
  body: string
}

/** Undefined: no notification. `unnamed` stands for a message without a text, or whose text must not be shown. */
export function noticeOf(
  arrived: Arrived,
  { title, archived, isMuted }: NoticedChat,
  choice: NoticeChoice,
  unnamed: string,
): Notice | undefined {
  if (choice === 'off' || archived || isMuted || !mayNotify(arrived)) return undefined
  return { title, body: choice === 'text' && arrived.text ? arrived.text : unnamed }
}
