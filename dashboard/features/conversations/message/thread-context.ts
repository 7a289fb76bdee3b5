// What the messages of an open chat share: the names of people, and what can be done with a message.
import { createContext, useContext } from 'react'
import type { MessageChoice } from '../model/message-choices.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'

export interface ThreadContent {
  /** The name of a person by jid or number; undefined if none is known. */
  nameOf(id: string): string | undefined
  /** Whether the instance is an admin of the group. */
  isAdmin: boolean
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
  act: nothing,
  react: nothing,
  show: nothing,
  view: nothing,
})
export const useThread = (): ThreadContent => useContext(ThreadContext)

/** The loaded message with this id, newest first. Apart from the rest, because it changes with every message, and few use it. */
type Find = (messageId: string) => ThreadMessage | undefined
export const FindContext = createContext<Find>(nothing)
export const useFind = (): Find => useContext(FindContext)
