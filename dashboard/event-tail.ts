// The tail of the event log as the page holds it: newest first, each event once, bounded while it follows; held still on request.
import type { LiveEvent } from './live.ts'

/** So many are kept while it follows. Whoever wants more looks back, which holds it still. */
export const KEPT = 300
/** So many may be looked back on; each is an entry in memory, not on the screen. */
export const MOST = 5000

export interface Tail {
  entries: readonly LiveEvent[]
  isPaused: boolean
  /** What came while it was held still. */
  waiting: readonly LiveEvent[]
  /** Where looking back goes on; undefined: nothing was read yet. */
  cursor: string | undefined
  hasOlder: boolean
  /** The moment that looking back has come to, be there an entry or not. */
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

/** An event's place in the account's log, which its id ends with (decision 0035). */
const positionOf = ({ id }: LiveEvent): number => Number(id.slice(id.lastIndexOf('_') + 1))

function merged(some: readonly LiveEvent[], others: readonly LiveEvent[]): LiveEvent[] {
  const byPosition = new Map([...others, ...some].map((event) => [positionOf(event), event]))
  return [...byPosition].sort(([one], [other]) => other - one).map(([, event]) => event)
}

/** Where something had to go at the end, looking back begins again at what is left. */
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
      const told = nextTail(tail, { what: 'arrived', events: action.events })
      // A reading that ends above what is known, or is the first, says where looking back begins.
      return tail.isRead ? told : { ...told, cursor: action.cursor, hasOlder: action.hasOlder, isRead: true }
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
