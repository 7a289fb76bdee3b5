// A short log of changes per account, so that one long poll follows all phones of the account.
import { randomBytes } from 'node:crypto'
import { createNotifier, type Notifier } from './notifier.ts'
import type { Owner } from './world.ts'

export type WorldChange =
  /** A message in the chat is new or has changed. */
  | { about: 'messages'; number: string; chat: string }
  /** The phone was notified that a person is typing. */
  | { about: 'typing'; number: string; chat: string; from: string; state: 'typing' | 'recording' | 'paused' }
  /** A call rings or is over. */
  | { about: 'calls'; number: string }
  /** Phones, linked devices, groups or faults. */
  | { about: 'world' }

/** `missed`: the changes since the cursor are no longer known, so the reader has to load everything again. */
export interface ChangesSince {
  changes: WorldChange[]
  cursor: string
  missed: boolean
}

/** The log of one account, or of the whole world. */
export interface Feed {
  readonly notifier: Notifier
  after(cursor: string | undefined): ChangesSince
}

export interface Changes {
  /** Appends to the log of the whole world and to the logs of the given owners. */
  record(change: WorldChange, owners: Iterable<Owner | undefined>): void
  /** Appends to every log. */
  recordForAll(change: WorldChange): void
  feedOf(owner: string | undefined): Feed
}

const KEPT = 500

/** Logs live in memory, so a cursor is valid until the process ends. The log of an account starts with its first request. */
export function createChanges(life = randomBytes(4).toString('hex'), kept = KEPT): Changes {
  const whole = createFeed(life, kept)
  const feeds = new Map<string, WritableFeed>()
  return {
    record(change, owners) {
      whole.record(change)
      for (const owner of new Set(owners)) if (owner) feeds.get(owner)?.record(change)
    },
    recordForAll(change) {
      for (const feed of [whole, ...feeds.values()]) feed.record(change)
    },
    feedOf(owner) {
      if (owner === undefined) return whole
      const feed = feeds.get(owner) ?? createFeed(life, kept)
      feeds.set(owner, feed)
      return feed
    },
  }
}

interface WritableFeed extends Feed {
  record(change: WorldChange): void
}

function createFeed(life: string, kept: number): WritableFeed {
  const notifier = createNotifier()
  let log: WorldChange[] = []
  let count = 0
  return {
    notifier,
    record(change) {
      count += 1
      log = [...log.slice(1 - kept), change]
      notifier.notify()
    },
    after(cursor) {
      const now = `${life}-${count}`
      const [cursorLife, position] = cursor?.split('-') ?? []
      const behind = count - Number(position)
      const isKnown = cursorLife === life && behind >= 0 && behind <= log.length
      if (!isKnown) return { changes: [], cursor: now, missed: true }
      return { changes: withoutRepeats(log.slice(log.length - behind)), cursor: now, missed: false }
    },
  }
}

/** Equal changes become one, at the place of the last of them. */
function withoutRepeats(changes: WorldChange[]): WorldChange[] {
  const last = new Map<string, WorldChange>()
  for (const change of changes) {
    const key = Object.values(change).join(' ')
    last.delete(key)
    last.set(key, change)
  }
  return [...last.values()]
}
