// Works around a fault of libsignal: decrypting a message also changes sessions that the message does not belong to.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A session record as libsignal stores it: sessions by their base key. */
type SessionRecord = Partial<Record<typeof SESSIONS, Record<string, { indexInfo: { used: number } }>>>
const SESSIONS = '_sessions'

/**
 * libsignal tries a message on every session with its sender. It advances the ratchet of a session before it finds that the
 * message does not belong to it, and keeps that step; later messages on that session could not be decrypted. The session that
 * matched has a new time of use. All others are restored.
 */
export function restoreUnmatched(before: unknown, after: unknown): unknown {
  const earlier = (before as SessionRecord | undefined)?.[SESSIONS]
  const later = (after as SessionRecord | undefined)?.[SESSIONS]
  if (!earlier || !later) return after
  const sessions = Object.entries(later).map(([baseKey, session]) => {
    const known = earlier[baseKey]
    return [baseKey, known && known.indexInfo.used === session.indexInfo.used ? known : session]
  })
  return { ...(after as SessionRecord), [SESSIONS]: Object.fromEntries(sessions) }
}

/** Waits until the clock has moved past the last use, so that the next use gets a different time. */
export async function untilNextMoment(record: unknown): Promise<void> {
  const sessions = Object.values((record as SessionRecord | undefined)?.[SESSIONS] ?? {})
  const lastUsedAt = Math.max(0, ...sessions.map(({ indexInfo }) => indexInfo.used))
  // If the clock was set back, the times differ already.
  while (Date.now() === lastUsedAt) await nextTurn()
}
