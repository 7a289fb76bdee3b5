// What the messages of an open chat share: the names of people, and what can be done with a message.
import { createContext, useContext } from 'react'
import type { MessageChoice } from './message-choices.ts'
import type { ThreadMessage } from './shown-messages.ts'

export interface ThreadContent {
  /** The name of a person by jid or number; undefined if none is known. */
  nameOf(id: string): string | undefined
  /** Whether the instance is an admin of the group. */
  isAdmin: boolean
  /** The loaded message with this id, newest first. */
  find(messageId: string): ThreadMessage | undefined
  act(choice: Exclude<MessageChoice, 'react'>, shown: ThreadMessage): void
  react(shown: ThreadMessage, emoji: string | null): void
  /** Scrolls to a message and focuses it. */
  show(messageId: string): void
  /** Opens the viewer with the picture of a message. */
  view(shown: ThreadMessage): void
}

const nothing = () => undefined
export const ThreadContext = createContext<ThreadContent>({
  nameOf: nothing,
  isAdmin: false,
  find: nothing,
  act: nothing,
  react: nothing,
  show: nothing,
  view: nothing,
})
export const useThread = (): ThreadContent => useContext(ThreadContext)
