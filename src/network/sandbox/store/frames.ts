/** The log of every message, receipt, ack and notification that passed, per device: the judge's record. */
import type { Database } from './database.ts'

export type Frame = {
  seq: number
  atMs: number
  /** `in` came from the device, `out` went to it. */
  direction: 'in' | 'out'
  number: string
  device: number
  tag: string
  id: string
  attributes: Record<string, string>
}

export type FrameFilter = {
  after: number
  limit: number
  id?: string | undefined
  number?: string | undefined
  tag?: string | undefined
}

/** About a hundred bytes a row: a long soak stays within some hundred megabytes. */
const KEPT_FRAMES = 2_000_000
const SWEEP_EVERY = 10_000

export function appendFrame(database: Database, frame: Omit<Frame, 'seq'>): void {
  const seq = database.write(
    `INSERT INTO frames (at_ms, direction, number, device, tag, stanza_id, attributes)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    frame.atMs,
    frame.direction,
    frame.number,
    frame.device,
    frame.tag,
    frame.id,
    JSON.stringify(frame.attributes),
  )
  if (seq % SWEEP_EVERY === 0) database.write('DELETE FROM frames WHERE seq <= ?', seq - KEPT_FRAMES)
}

export function listFrames(database: Database, filter: FrameFilter): Frame[] {
  return database
    .rows<Omit<Frame, 'attributes'> & { attributes: string }>(
      `SELECT seq, at_ms AS atMs, direction, number, device, tag, stanza_id AS id, attributes FROM frames
       WHERE seq > ?1 AND (?2 IS NULL OR stanza_id = ?2) AND (?3 IS NULL OR number = ?3)
         AND (?4 IS NULL OR tag = ?4)
       ORDER BY seq LIMIT ?5`,
      filter.after,
      filter.id ?? null,
      filter.number ?? null,
      filter.tag ?? null,
      filter.limit,
    )
    .map((row) => Object.assign(row, { attributes: JSON.parse(row.attributes) as Record<string, string> }))
}
