// Events as they are appended to the log, and the two kinds that the store words itself: a message's next step, and the chat
// that a sent message moved.
import type { EventData, EventName } from '../contract/events.ts'
import type { FailureReason, MessageStatus } from '../contract/sending.ts'
import type { Db, Row } from './tables.ts'

export interface NewEvent {
  instanceId: number
  name: EventName
  /** As JSON. */
  data: string
  createdAt: number
}

export interface MessageStep {
  instanceId: number
  messageId: string
  chat: string
  status: MessageStatus
  failure: { reason: FailureReason; error: string; code: number | null } | null
  at: number
}

/** No status changes without this event: whoever writes the one appends the other. */
export const messageUpdate = ({ instanceId, at, ...step }: MessageStep): NewEvent => ({
  instanceId,
  name: 'messages.update',
  data: JSON.stringify({ ...step, at: new Date(at).toISOString() }),
  createdAt: at,
})

export const chatUpdate = (
  chat: Omit<Row<'chats'>, 'created_at' | 'updated_at' | 'active_at'>,
  at: number,
): NewEvent => {
  const data: EventData<'chats.update'> = {
    chat: chat.jid,
    name: chat.name ?? chat.push_name,
    unreadCount: chat.unread_count,
    lastMessageText: chat.last_message_text,
    lastMessageTimestamp: chat.last_message_at === null ? null : new Date(chat.last_message_at).toISOString(),
  }
  return { instanceId: chat.instance_id, name: 'chats.update', data: JSON.stringify(data), createdAt: at }
}

export interface EventSignal {
  /** Runs `listener` after each commit that appended events, until the returned function is called. */
  subscribe(listener: () => void): () => void
  notify(): void
}

/** Tells this process only; whoever must not miss an event looks at the log from time to time as well. */
export function createEventSignal(): EventSignal {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify() {
      for (const listener of listeners) listener()
    },
  }
}

/** A store's transactions, watched: when one that appended events is committed, the listeners hear of it. */
export function watchAppends(signal: EventSignal) {
  const appending = new WeakSet<Db>()
  return {
    note: (tx: Db): void => void appending.add(tx),
    async transaction<T>(
      run: (work: (tx: Db) => Promise<T>) => Promise<T>,
      work: (tx: Db) => Promise<T>,
    ): Promise<T> {
      let current: Db | undefined
      const result = await run((tx) => {
        current = tx
        return work(tx)
      })
      if (current && appending.has(current)) signal.notify()
      return result
    },
    /** For operations that append by themselves. */
    async after<T>(result: Promise<T>, appended: (result: T) => boolean): Promise<T> {
      if (appended(await result)) signal.notify()
      return result
    },
  }
}
