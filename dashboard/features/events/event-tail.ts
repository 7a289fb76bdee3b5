// The tail of the event log: newest first, each event once, bounded in size, and pausable.
import type { LiveEvent } from '../../gateway/live.ts'

/** The maximum number of entries while live. Loading older events pauses the tail. */
export const KEPT = 300
/** The maximum number of entries after loading older ones; they use memory, not screen space. */
export const MOST = 5000

export interface Tail {
  entries: readonly LiveEvent[]
  isPaused: boolean
  /** Events that arrived while paused. */
  waiting: readonly LiveEvent[]
  /** The cursor for older events; undefined before the first page. */
  cursor: string | undefined
  hasOlder: boolean
  /** Whether the first page was read. */
  isRead: boolean
}

export type TailAction =
  | { what: 'arrived'; events: readonly LiveEvent[] }
  | { what: 'newest' | 'older'; events: readonly LiveEvent[]; cursor: string | undefined; hasOlder: boolean }
  | { what: 'pause' | 'resume' | 'clear' }

export const EMPTY_TAIL: Tail = {
  entries: [],
  isPaused: false,
  waiting: [],
  cursor: undefined,
  hasOlder: false,
  isRead: false,
}

/** The position in the account's log, which is the end of the event id (decision 0035). */
const positionOf = ({ id }: LiveEvent): number => Number(id.slice(id.lastIndexOf('_') + 1))

function merged(some: readonly LiveEvent[], others: readonly LiveEvent[]): LiveEvent[] {
  const byPosition = new Map([...others, ...some].map((event) => [positionOf(event), event]))
  return [...byPosition].sort(([one], [other]) => other - one).map(([, event]) => event)
}

/** If old entries are dropped, older events are loaded from the last remaining one. */
function bounded(tail: Tail, entries: readonly LiveEvent[]): Tail {
  if (entries.length <= KEPT) return { ...tail, entries }
  const left = entries.slice(0, KEPT)
  return { ...tail, entries: left, cursor: left.at(-1)?.id, hasOlder: true }
}

export function nextTail(tail: Tail, action: TailAction): Tail {
  switch (action.what) {
    case 'arrived':
      return tail.isPaused
        ? { ...tail, waiting: merged(action.events, tail.waiting).slice(0, KEPT) }
        : bounded(tail, merged(action.events, tail.entries))
    case 'newest': {
      const next = nextTail(tail, { what: 'arrived', events: action.events })
      // Only the first page sets the cursor for older events.
      return tail.isRead ? next : { ...next, cursor: action.cursor, hasOlder: action.hasOlder, isRead: true }
    }
    case 'older':
      return {
        ...tail,
        entries: merged(tail.entries, action.events),
        cursor: action.cursor,
        hasOlder: action.hasOlder,
      }
    case 'pause':
      return { ...tail, isPaused: true }
    case 'resume':
      return bounded({ ...tail, isPaused: false, waiting: [] }, merged(tail.waiting, tail.entries))
    case 'clear':
      return EMPTY_TAIL
  }
}
