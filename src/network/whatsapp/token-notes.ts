// Whoever is written to gets a token, by which the network knows later that the two know each other: once a week is enough. The
// library notes that it gave one in a transaction that is over by then; the note is lost, and one more goes out with every message
// (decision 0067).
import { isLidUser, isPnUser, type SignalRepositoryWithLIDStore } from 'baileys'
import type { KeyStore } from './auth-state.ts'

/** The library's own weeks: it gives a new token when another one has begun. */
const WEEK_S = 7 * 24 * 60 * 60
/** Chats whose note need not be looked at again. */
const CHATS_KEPT = 1000

export interface TokenNotes {
  /** The network has taken a message to this chat, and the token that the library sends right behind it. */
  noteGiven(chat: string): void
}

type LidMapping = Pick<SignalRepositoryWithLIDStore['lidMapping'], 'getLIDForPN'>

export function createTokenNotes(
  lidMapping: LidMapping,
  keys: KeyStore,
  seconds = (): number => Math.floor(Date.now() / 1000),
): TokenNotes {
  const notedIn = new Map<string, number>()

  async function note(chat: string, now: number): Promise<void> {
    const person = isLidUser(chat) ? chat : ((await lidMapping.getLIDForPN(chat)) ?? chat)
    // Not asked for and put back later: a token of theirs that comes in between must not be lost.
    const entry = keys.atHand('tctoken', person)
    if (entry === undefined) return
    if (weekOf(entry?.senderTimestamp ?? 0) !== weekOf(now))
      await keys.set({ tctoken: { [person]: { token: Buffer.alloc(0), ...entry, senderTimestamp: now } } })
    if (notedIn.size >= CHATS_KEPT) notedIn.clear()
    notedIn.set(chat, weekOf(now))
  }

  return {
    noteGiven(chat) {
      const now = seconds()
      if (!(isPnUser(chat) || isLidUser(chat)) || notedIn.get(chat) === weekOf(now)) return
      // A failed write closes the session by itself; the note is then made after the next message.
      note(chat, now).catch(() => undefined)
    },
  }
}

const weekOf = (seconds: number): number => Math.floor(seconds / WEEK_S)
