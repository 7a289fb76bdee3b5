// The library sends each recipient a privacy token once a week, which later proves to the network that the two are in contact. It
// records the time in a transaction that has ended by then, so the record is lost and a token is sent with every message. This
// file stores the record (decision 0067).

import { isLidUser, isPnUser, type SignalRepositoryWithLIDStore } from 'baileys'
import { createBoundedMap } from '../../kernel/async/bounded-map.ts'
import { wallClock } from '../../kernel/async/clock.ts'
import type { KeyStore } from './auth-state.ts'

/** The library sends a new token when a new week has begun, counted like this. */
const WEEK_S = 7 * 24 * 60 * 60
/** Chats whose record is known to be current. */
const CHATS_KEPT = 1000

export interface TokenNotes {
  /** The network has accepted a message to this chat, and with it the token that the library sends next. */
  noteGiven(chat: string): void
}

type LidMapping = Pick<SignalRepositoryWithLIDStore['lidMapping'], 'getLIDForPN'>

export function createTokenNotes(
  lidMapping: LidMapping,
  keys: KeyStore,
  seconds = (): number => Math.floor(wallClock() / 1000),
): TokenNotes {
  const notedIn = createBoundedMap<string, number>(CHATS_KEPT)

  async function note(chat: string, now: number): Promise<void> {
    const person = isLidUser(chat) ? chat : ((await lidMapping.getLIDForPN(chat)) ?? chat)
    // Only from memory: reading from the store would take time, and a token received meanwhile would be overwritten.
    const entry = keys.cached('tctoken', person)
    if (entry === undefined) return
    if (weekOf(entry?.senderTimestamp ?? 0) !== weekOf(now))
      await keys.set({ tctoken: { [person]: { token: Buffer.alloc(0), ...entry, senderTimestamp: now } } })
    notedIn.set(chat, weekOf(now))
  }

  return {
    noteGiven(chat) {
      const now = seconds()
      if (!(isPnUser(chat) || isLidUser(chat)) || notedIn.get(chat) === weekOf(now)) return
      // A failed write closes the session; the record is then stored after the next message.
      note(chat, now).catch(() => undefined)
    },
  }
}

const weekOf = (seconds: number): number => Math.floor(seconds / WEEK_S)
