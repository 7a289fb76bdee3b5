// Tables of Evolution API in a file, one row of JSON a line: `{"table": "Instance", "row": {…}}`. For a database that this program has no
// driver for, such as MySQL.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  type EvolutionTables,
  type ForeignInstance,
  TABLES_OF_INSTANCE,
  toContact,
  toInstanceRow,
  type UncheckedRow,
} from './evolution-tables.ts'
import { MAX_CREDS_BYTES, SourceError } from './session-source.ts'

/** The largest line is a login, whose quotation marks are escaped twice. */
const MAX_LINE = 4 * MAX_CREDS_BYTES
/** Everything but the contacts is kept in memory. */
const MAX_ROWS = 100_000

export async function openEvolutionExport(path: string): Promise<EvolutionTables> {
  const instances: ForeignInstance[] = []
  const creds = new Map<string, string>()
  const rows = new Map<string, UncheckedRow>()
  for await (const { table, row } of rowsIn(path)) {
    if (instances.length + creds.size + rows.size > MAX_ROWS)
      throw new SourceError(`the file has more than ${MAX_ROWS} rows`)
    const instance = table === 'Instance' ? toInstanceRow(row) : undefined
    if (instance) instances.push(instance)
    if (table === 'Session' && typeof row.creds === 'string') creds.set(String(row.sessionId), row.creds)
    if ((TABLES_OF_INSTANCE as readonly string[]).includes(table))
      rows.set(`${table} ${String(row.instanceId)}`, row)
  }
  return {
    instances: async () => instances,
    creds: async (instanceId) => creds.get(instanceId),
    rowOf: async (table, instanceId) => rows.get(`${table} ${instanceId}`),
    async *contacts(instanceId) {
      for await (const { table, row } of rowsIn(path))
        if (table === 'Contact' && row.instanceId === instanceId) yield* toContact(row)
    },
    // A file does not show whether the program runs.
    runningNow: async () => undefined,
    close: async () => undefined,
  }
}

async function* rowsIn(path: string): AsyncIterable<{ table: string; row: UncheckedRow }> {
  let number = 0
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      number += 1
      if (line.trim() === '') continue
      if (line.length > MAX_LINE) throw new SourceError(`line ${number}: too long`)
      yield rowOf(line, number)
    }
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(`the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}

function rowOf(line: string, number: number): { table: string; row: UncheckedRow } {
  const { table, row } = (parsed(line) ?? {}) as { table?: unknown; row?: unknown }
  if (typeof table === 'string' && typeof row === 'object' && row !== null)
    return { table, row: row as UncheckedRow }
  throw new SourceError(`line ${number}: expected {"table": …, "row": …}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
