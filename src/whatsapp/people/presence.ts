// Presence of people, from the library's event to the port's.

import type { Presence } from '../../contract/people.ts'
import { createSerialQueue } from '../../kernel/async/locks.ts'
import type { NetworkEvent } from '../../network/network.ts'
import type { LibraryEvents, LibrarySocket } from '../library/library-socket.ts'
import { isLidUser, isPnUser, jidNormalizedUser } from '../library/protocol.ts'
import { toKnownPerson } from './identifiers.ts'

const PRESENCES: Record<string, Presence> = {
  available: 'available',
  unavailable: 'unavailable',
  composing: 'typing',
  recording: 'recording',
  paused: 'available',
}

export interface SeenPresence {
  jid: string
  presence: Presence
  lastSeenMs: number | null
}

/** Undefined for a group, where the library reports the typing of its members. */
export function toPresence({ id, presences }: LibraryEvents['presence.update']): SeenPresence | undefined {
  const jid = jidNormalizedUser(id)
  const [seen] = Object.values(presences)
  const presence = PRESENCES[seen?.lastKnownPresence ?? '']
  if (!seen || !presence || !(isPnUser(jid) || isLidUser(jid))) return undefined
  const seconds = presence === 'unavailable' ? seen.lastSeen : undefined
  return { jid, presence, lastSeenMs: seconds ? seconds * 1000 : null }
}

/** In the order of arrival, although the other identifier of each person has to be looked up. */
export function reportPresence(
  socket: LibrarySocket,
  report: (event: NetworkEvent) => Promise<void>,
  clock: () => number,
): void {
  const reports = createSerialQueue()
  const pass = async ({ jid, presence, lastSeenMs }: SeenPresence, atMs: number): Promise<void> => {
    const other = await socket.otherNameOf(jid)
    const person = toKnownPerson({
      id: jid,
      ...(other ? { [isLidUser(jid) ? 'phoneNumber' : 'lid']: other } : {}),
    })
    if (person) await report({ kind: 'presence', person, presence, lastSeenMs, atMs })
  }
  socket.onEvent('presence.update', (update) => {
    const seen = toPresence(update)
    const atMs = clock()
    // A presence that cannot be reported is outdated by the next one.
    if (seen) void reports.run(() => pass(seen, atMs)).catch(() => undefined)
  })
}
