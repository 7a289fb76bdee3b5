// The queue of each device. A stanza stays in it until the device acknowledges it.
import type { Database } from './database.ts'

export interface QueuedStanza {
  seq: number
  stanza: Uint8Array
}

/** Class and id of a stanza, as an acknowledgement names them. */
export interface StanzaName {
  class: string
  id: string
}

export function appendToQueue(
  database: Database,
  number: string,
  device: number,
  name: StanzaName,
  stanza: Uint8Array,
): number {
  return database.write(
    'INSERT INTO queue (number, device, class, stanza_id, stanza) VALUES (?, ?, ?, ?, ?)',
    number,
    device,
    name.class,
    name.id,
    stanza,
  )
}

/** Removes the oldest stanza of that name. After a retry the same id may be queued twice. */
export function removeFromQueue(database: Database, number: string, device: number, name: StanzaName): void {
  const [oldest] = database.rows<{ seq: number | null }>(
    'SELECT min(seq) AS seq FROM queue WHERE number = ? AND device = ? AND class = ? AND stanza_id = ?',
    number,
    device,
    name.class,
    name.id,
  )
  if (oldest?.seq !== null && oldest?.seq !== undefined) removeEntry(database, oldest.seq)
}

export function removeEntry(database: Database, seq: number): void {
  database.write('DELETE FROM queue WHERE seq = ?', seq)
}

export function readQueue(database: Database, number: string, device: number, after = 0): QueuedStanza[] {
  return database.rows<QueuedStanza>(
    'SELECT seq, stanza FROM queue WHERE number = ? AND device = ? AND seq > ? ORDER BY seq',
    number,
    device,
    after,
  )
}

export function queueLength(database: Database, number: string, device: number): number {
  const [row] = database.rows<{ length: number }>(
    'SELECT count(*) AS length FROM queue WHERE number = ? AND device = ?',
    number,
    device,
  )
  return row?.length ?? 0
}
