// All sessions with one device. A record is never changed, so it can be shared between a cache and a transaction.
import { readEarlierRecord } from './earlier-records.ts'
import { decodeSessions, encodeSessions } from './record-codec.ts'
import { isSoundSession, limitSessions } from './record-limits.ts'
import type { Session } from './session.ts'

/** Closed sessions are kept for late messages. */
const MAX_SESSIONS = 40

export class SessionRecord {
  readonly sessions: readonly Session[]

  constructor(sessions: readonly Session[] = []) {
    this.sessions = sessions
  }

  /** Accepts a record, its bytes, its JSON, or the object that earlier versions stored. */
  static deserialize(value: unknown): SessionRecord {
    if (value instanceof SessionRecord) return value
    if (value instanceof Uint8Array) return fromStore(decodeSessions(value))
    const { base64 } = (value ?? {}) as { base64?: string }
    if (typeof base64 === 'string') return SessionRecord.deserialize(Buffer.from(base64, 'base64'))
    return fromStore(readEarlierRecord(value))
  }

  /** The record itself: key stores hold objects, and encode them with `toBytes` when they write them. */
  serialize(): SessionRecord {
    return this
  }

  toBytes(): Buffer {
    return encodeSessions(this.sessions)
  }

  /** For key stores that write JSON. */
  toJSON(): { base64: string } {
    return { base64: this.toBytes().toString('base64') }
  }

  haveOpenSession(): boolean {
    return this.openSession() !== undefined
  }

  openSession(): Session | undefined {
    return this.sessions.find(({ closedAt }) => closedAt === null)
  }

  /** In the shape that the network library reads. */
  getOpenSession(): { registrationId: number; indexInfo: { baseKey: Buffer } } | undefined {
    const session = this.openSession()
    return session && { registrationId: session.registrationId, indexInfo: { baseKey: session.baseKey } }
  }

  /** The session that the other side began with this key. */
  begunBy(baseKey: Buffer): Session | undefined {
    return this.sessions.find((session) => !session.isOurs && session.baseKey.equals(baseKey))
  }

  /** Replaces one session by its next state. */
  with(changed: Session): SessionRecord {
    return new SessionRecord(
      limitSessions(
        this.sessions.map((session) => (session.baseKey.equals(changed.baseKey) ? changed : session)),
      ),
    )
  }

  /** Makes a new session the open one. */
  open(session: Session, now: number): SessionRecord {
    const earlier = this.sessions.map((each) => (each.closedAt === null ? { ...each, closedAt: now } : each))
    // Sessions are added at the end: the first is the one that was closed first.
    return new SessionRecord([...earlier, session].slice(-MAX_SESSIONS))
  }
}

/** Earlier versions stored larger records, and numbers that are refused today. */
const fromStore = (sessions: Session[]): SessionRecord =>
  new SessionRecord(limitSessions(sessions.filter(isSoundSession)))
