// Reads a SQLite file for a move to another engine: locked against servers, read-only, in one snapshot.
import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { MaintenanceError, type SchemaStatus, schemaStatus } from '../../maintenance.ts'
import type { MoveSource } from '../../move/copy-tables.ts'
import type { MovedRow, Value } from '../../move/row-digest.ts'
import { lockDirectory } from './directory-lock.ts'
import { appliedMigrations } from './maintenance.ts'
import { databaseFile } from './open.ts'

export interface SqliteMoveSource extends MoveSource {
  schema: SchemaStatus
  close(): void
}

export async function openMoveSource(directory: string): Promise<SqliteMoveSource> {
  const file = databaseFile(directory)
  if (!existsSync(file)) throw new MaintenanceError(`there is no data in ${directory}; set DATA_DIR`)
  const unlock = lockDirectory(directory)
  const db = new DatabaseSync(file, { readOnly: true })
  const close = () => {
    db.close()
    unlock()
  }
  try {
    db.exec('begin')
    const applied = appliedMigrations(db)
    if (!applied) throw new MaintenanceError(`${file}: a SQLite file, but not a database of Switchboard`)
    return { schema: await schemaStatus('sqlite', applied), ...readersOf(db), close }
  } catch (error) {
    close()
    throw error
  }
}

function readersOf(db: DatabaseSync): MoveSource {
  const numberOf = (sql: string, ...parameters: string[]): number =>
    Number(Object.values(db.prepare(sql).get(...parameters) ?? {})[0] ?? 0)
  return {
    columns: (table) =>
      db
        .prepare('select name from pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name)),
    count: (table) => numberOf(`select count(*) from ${quote(table)}`),
    *rows(table, columns): Iterable<MovedRow> {
      const statement = db.prepare(`select ${columns.map(quote).join(', ')} from ${quote(table)}`)
      // Times and sequence numbers are 64-bit integers.
      statement.setReadBigInts(true)
      for (const row of statement.iterate()) yield columns.map((column) => valueOf(row[column]))
    },
    lastId: (table, column) =>
      Math.max(
        numberOf(`select max(${quote(column)}) from ${quote(table)}`),
        numberOf('select seq from sqlite_sequence where name = ?', table),
      ),
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

const valueOf = (value: SQLOutputValue | undefined): Value =>
  value === null || value === undefined ? null : value instanceof Uint8Array ? value : String(value)
