// The log of every message, receipt, ack and notification per device. Soak tests compare it with what the gateway reports.
import type { Database } from './database.ts'

export interface Frame {
  seq: number
  atMs: number
  /** `in`: sent by the device. `out`: sent to the device. */
  direction: 'in' | 'out'
  number: string
  device: number
  tag: string
  id: string
  attributes: Record<string, string>
}

export interface FrameFilter {
  after: number
  limit: number
  id?: string | undefined
  number?: string | undefined
  tag?: string | undefined
  /** Only frames of these numbers; without it, frames of all numbers. */
  numbers?: string[] | undefined
}

/** A row takes about a hundred bytes, so a long soak needs some hundred megabytes. */
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
         AND (?4 IS NULL OR tag = ?4) AND (?6 IS NULL OR number IN (SELECT value FROM json_each(?6)))
       ORDER BY seq LIMIT ?5`,
      filter.after,
      filter.id ?? null,
      filter.number ?? null,
      filter.tag ?? null,
      filter.limit,
      filter.numbers ? JSON.stringify(filter.numbers) : null,
    )
    .map((row) => Object.assign(row, { attributes: JSON.parse(row.attributes) as Record<string, string> }))
}
