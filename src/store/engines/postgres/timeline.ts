// The timeline of the server, which changes when a replica is promoted. Connections to a promoted server are refused until the lease
// has found out whether commits were lost: keys of an earlier time must not be used (decision 0125).
import type pg from 'pg'
import { StoreError } from '../../../kernel/store-error.ts'

const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)'
const TIMEOUT_MS = 5000
/** The function is missing, not implemented or not allowed, as on servers that only resemble PostgreSQL. */
const UNSUPPORTED = /^(0A|42|XX)/

export interface TimelineGuard {
  /** Undefined: no connection was opened yet. */
  trusted: string | null | undefined
}

/** For `onConnect` of a pool. */
export async function checkTimeline(client: pg.ClientBase, guard: TimelineGuard): Promise<void> {
  const timeline = await readTimeline(client)
  if (guard.trusted === undefined) guard.trusted = timeline
  if (timeline === guard.trusted) return
  throw new StoreError(
    'unavailable',
    'postgres: a replica was promoted, and is not checked yet for lost commits',
  )
}

/** Null: the server does not say. A server that follows another one is refused: it may be promoted under an open connection. */
export async function readTimeline(client: pg.ClientBase): Promise<string | null> {
  const query = {
    text: `select pg_is_in_recovery() as standby, case when not pg_is_in_recovery() then ${TIMELINE} end as timeline`,
    query_timeout: TIMEOUT_MS,
  }
  const { rows } = await client
    .query<{ standby: boolean; timeline: string | null }>(query)
    .catch((error: unknown) => {
      if (UNSUPPORTED.test(String((error as { code?: string }).code))) return { rows: [] }
      throw error
    })
  if (rows[0]?.standby)
    throw new StoreError('unavailable', 'postgres: the server is a standby and not the primary')
  return rows[0]?.timeline ?? null
}
