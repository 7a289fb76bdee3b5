// A message is tried on every session with its sender; those it did not belong to must stay as they were.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A session record as libsignal writes it: sessions by their base key. */
type SessionRecord = Partial<Record<typeof SESSIONS, Record<string, { indexInfo: { used: number } }>>>
const SESSIONS = '_sessions'

/**
 * libsignal steps a session's ratchet before it finds that the message was not meant for that session, and keeps the step:
 * what is sent on it afterwards nobody can read. The one that fitted carries a new time of use; the others are put back.
 */
export function putBackUntouched(before: unknown, after: unknown): unknown {
  const earlier = (before as SessionRecord | undefined)?.[SESSIONS]
  const later = (after as SessionRecord | undefined)?.[SESSIONS]
  if (!earlier || !later) return after
  const sessions = Object.entries(later).map(([baseKey, session]) => {
    const known = earlier[baseKey]
    return [baseKey, known && known.indexInfo.used === session.indexInfo.used ? known : session]
  })
  return { ...(after as SessionRecord), [SESSIONS]: Object.fromEntries(sessions) }
}

/** Until a use from now on has another time than any before. */
export async function untilNextMoment(record: unknown): Promise<void> {
  const sessions = Object.values((record as SessionRecord | undefined)?.[SESSIONS] ?? {})
  const last = Math.max(0, ...sessions.map(({ indexInfo }) => indexInfo.used))
  // A clock that was set back far is not waited for.
  while (Date.now() === last) await nextTurn()
}
