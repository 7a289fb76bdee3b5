/** What changed in the world, as one short log: whoever watches many phones waits here once instead of at each of them. */
import { randomBytes } from 'node:crypto'
import { createWatch, type Watch } from './phone/watch.ts'

export type Change =
  /** A message of the chat is new or looks different. */
  | { about: 'messages'; number: string; chat: string }
  /** The phone saw a sign of typing. */
  | { about: 'typing'; number: string; chat: string; from: string; state: 'typing' | 'recording' | 'paused' }
  /** Phones, linked devices, groups or faults. */
  | { about: 'world' }

/** `missed`: what lies between the cursor and these changes is not known; everything is to be read anew. */
export type News = { changes: Change[]; cursor: string; missed: boolean }

export type Changes = {
  readonly watch: Watch
  note(change: Change): void
  after(cursor: string | undefined): News
}

const KEPT = 500

/** A cursor is good for one life of the process: the log does not outlive it. */
export function createChanges(life = randomBytes(4).toString('hex'), kept = KEPT): Changes {
  const watch = createWatch()
  let log: Change[] = []
  let count = 0
  return {
    watch,
    note(change) {
      count += 1
      log = [...log.slice(1 - kept), change]
      watch.ring()
    },
    after(cursor) {
      const now = `${life}-${count}`
      const [itsLife, position] = cursor?.split('-') ?? []
      const behind = count - Number(position)
      const isKnown = itsLife === life && behind >= 0 && behind <= log.length
      if (!isKnown) return { changes: [], cursor: now, missed: true }
      return { changes: eachOnce(log.slice(log.length - behind)), cursor: now, missed: false }
    },
  }
}

/** A burst of messages in one chat is one piece of news; the order of the last mentions stays. */
function eachOnce(changes: Change[]): Change[] {
  const last = new Map<string, Change>()
  for (const change of changes) {
    const key = Object.values(change).join(' ')
    last.delete(key)
    last.set(key, change)
  }
  return [...last.values()]
}
