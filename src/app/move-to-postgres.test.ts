// Moving the data to PostgreSQL: every table and every value arrives, or nothing does, and the old data is only read.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { withDatabase } from '../../test/support/database.ts'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { migratePostgres } from '../store/engines/postgres/migrate.ts'
import { lockDirectory } from '../store/engines/sqlite/directory-lock.ts'
import { MOVED_FILE, readMovedMark, writeMovedMark } from '../store/engines/sqlite/moved-mark.ts'
import { databaseFile, openSqliteStore } from '../store/engines/sqlite/open.ts'
import { copiedTables, MOVED_TABLES } from '../store/move/moved-tables.ts'
import { moveToPostgres } from './move-to-postgres.ts'

const [sqlite, postgres] = engines
const SILENT = () => undefined

/** Tables without rows of their own: the records of migrations, the numbers of SQLite and its search index. */
const DERIVED = /^(schema_migrations|sqlite_sequence|contact_search(_\w+)?|message_search_\w+)$/

type Value = string | number | bigint | Buffer

interface Column {
  name: string
  type: string
  pk: number
}

const columnsOf = (db: DatabaseSync, table: string): Column[] =>
  db.prepare('select name, type, pk from pragma_table_info(?)').all(table) as unknown as Column[]

/** One row in every table. A reference to another row names the first one. */
function fillEveryTable(db: DatabaseSync): void {
  db.exec('pragma foreign_keys = off')
  let count = 0
  const rows = new Map<string, Map<string, Value>>()
  for (const table of copiedTables()) {
    const references = new Map(
      db
        .prepare('select "table", "from", "to" from pragma_foreign_key_list(?)')
        .all(table)
        .map(({ from, table: other, to }) => [String(from), rows.get(String(other))?.get(String(to)) ?? 1]),
    )
    const columns = columnsOf(db, table)
    const values = columns.map(({ name, type, pk }) => {
      count += 1
      const referred = references.get(name)
      if (referred !== undefined) return referred
      if (type === 'INTEGER' && pk > 0) return 1
      if (type === 'INTEGER') return 9_000_000_000_000_000_000n + BigInt(count)
      return type === 'BLOB' ? Buffer.of(0, 255, count) : `é ✔ "{},\\' ${count}\n`
    })
    insertRow(db, table, columns, values)
    rows.set(table, new Map(columns.map(({ name }, index) => [name, values[index] as Value])))
  }
}

const insertRow = (
  db: DatabaseSync,
  table: string,
  columns: readonly Column[],
  values: readonly Value[],
): unknown =>
  db
    .prepare(
      `insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join()}) values (${columns.map(() => '?').join()})`,
    )
    .run(...values)

describe('moving data to PostgreSQL', { skip: postgres === undefined }, () => {
  let source: StoreLocation
  let target: StoreLocation
  beforeEach(async () => {
    source = await (sqlite as (typeof engines)[0]).createLocation()
    target = await (postgres as (typeof engines)[0]).createLocation()
    await (await openSqliteStore(source.directory)).close()
  })
  afterEach(async () => {
    await source.dispose()
    await target.dispose()
  })

  const move = () => moveToPostgres(source.directory, target.databaseUrl as string, SILENT)
  const changeSource = (work: (db: DatabaseSync) => void) => {
    const db = new DatabaseSync(databaseFile(source.directory))
    work(db)
    db.close()
  }
  const targetRows = <T>(sql: string) => withDatabase(target, (db) => db.rows<T>(sql))
  const digest = async () =>
    createHash('sha256')
      .update(await readFile(databaseFile(source.directory)))
      .digest('hex')

  test('every table of both engines has a handling', async () => {
    await migratePostgres(target.databaseUrl as string)
    const inPostgres = await targetRows<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition`,
    )
    const inSqlite = await withDatabase(source, (db) =>
      db.rows<{ name: string }>(`select name from sqlite_schema where type = 'table'`),
    )
    for (const found of [inPostgres, inSqlite]) {
      const names = found.map(({ name }) => name).filter((name) => !DERIVED.test(name))
      assert.deepEqual(names.toSorted(), Object.keys(MOVED_TABLES).toSorted())
    }
    const left = Object.keys(MOVED_TABLES).filter((table) => !copiedTables().includes(table))
    assert.deepEqual(left, ['agent_codes', 'nodes', 'message_search', 'search_progress'])
  })

  test('every value of every table arrives, and the old file keeps its bytes', async () => {
    changeSource(fillEveryTable)
    const before = await digest()
    const report = await move()
    assert.ok(report.outcome === 'moved')
    assert.deepEqual(
      report.tables.map(({ table, rows }) => [table, rows]),
      copiedTables().map((table) => [table, 1]),
    )
    assert.equal(await digest(), before)
    const db = new DatabaseSync(databaseFile(source.directory), { readOnly: true })
    for (const table of copiedTables()) {
      const select = `select ${columnsOf(db, table)
        .map(({ name, type }) => (type === 'BLOB' ? `"${name}"` : `cast("${name}" as text) as "${name}"`))
        .join()} from "${table}" where ${table === 'facts' ? `name <> 'moved_from_sqlite'` : '1 = 1'}`
      const there = await targetRows<Record<string, unknown>>(select)
      assert.deepEqual(there.map(plain), db.prepare(select).all().map(plain), table)
    }
    db.close()
  })

  test('thousands of rows and rows of megabytes are copied in batches', async () => {
    changeSource((db) => {
      fillEveryTable(db)
      db.exec(`with recursive n (i) as (values (2) union all select i + 1 from n where i < 2501)
        insert into data_keys (scope, wrapped, created_at) select 'scope ' || i, zeroblob(i), i from n`)
      const part = db.prepare('insert into received_file_parts values (1, ?, 1, ?)')
      for (let count = 2; count <= 6; count += 1) part.run(count, Buffer.alloc(3_000_000, count))
    })
    const seen: [string, number, number][] = []
    await moveToPostgres(source.directory, target.databaseUrl as string, (...line) => seen.push(line))
    assert.deepEqual(
      seen.filter(([table]) => table === 'data_keys').map(([, done, of]) => [done, of]),
      [
        [1000, 2501],
        [2000, 2501],
        [2501, 2501],
      ],
    )
    const [sums] = await targetRows<{ keys: string; bytes: string }>(
      'select (select sum(length(wrapped)) from data_keys) as keys, (select sum(length(sealed)) from received_file_parts) as bytes',
    )
    assert.deepEqual(sums, { keys: String((2501 * 2502) / 2 - 1 + 3), bytes: String(15_000_003) })
  })

  test('new rows get numbers that no row ever had, also where the last ones were deleted', async () => {
    changeSource((db) => {
      fillEveryTable(db)
      db.exec(`update sqlite_sequence set seq = 41 where name = 'messages'`)
    })
    await move()
    const next = `select nextval(pg_get_serial_sequence('messages', 'row_id')) as message,
      nextval(pg_get_serial_sequence('set_aside', 'id')) as aside,
      nextval(pg_get_serial_sequence('delivery_attempts', 'id')) as attempt`
    assert.deepEqual(await targetRows(next), [{ message: '42', aside: '2', attempt: '2' }])
  })

  test('NUL characters, which PostgreSQL does not store, are replaced and counted', async () => {
    changeSource((db) => void db.prepare('insert into facts values (?, ?)').run('odd', 'a\0b'))
    const report = await move()
    assert.ok(report.outcome === 'moved')
    assert.equal(report.replacedTexts, 1)
    assert.deepEqual(await targetRows(`select value from facts where name = 'odd'`), [{ value: 'a\ufffdb' }])
  })

  test('no server starts on the old data afterwards, and no second move begins', async () => {
    await move()
    await assert.rejects(openSqliteStore(source.directory), /was moved to .* and must not be used any more/)
    await assert.rejects(move(), /was moved to/)
    const mark = await readFile(join(source.directory, MOVED_FILE), 'utf8')
    assert.doesNotMatch(mark, /root@/)
  })

  test('a server that runs on the directory stops the move', async () => {
    const unlock = lockDirectory(source.directory)
    await assert.rejects(move(), /another Switchboard server is running on the data directory/)
    unlock()
    await move()
  })

  test('a target with rows, or with tables of another program, is refused', async () => {
    const sql = 'create table invoices (id bigint)'
    await targetRows(sql)
    await assert.rejects(move(), /not empty.*another program/)
    await targetRows('create table schema_migrations (version text)')
    await assert.rejects(move(), /not empty.*another program/)
    await targetRows('drop table invoices, schema_migrations')
    await migratePostgres(target.databaseUrl as string)
    await targetRows(`insert into facts values ('a', 'b')`)
    await assert.rejects(move(), /not empty.*facts has rows/)
    assert.equal(await readMovedMark(source.directory), undefined)
    await targetRows('delete from facts')
    assert.equal((await move()).outcome, 'moved')
  })

  test('an unreachable target and a missing directory are named', async () => {
    await assert.rejects(
      moveToPostgres(source.directory, 'postgres://root@127.0.0.1:1/none', SILENT),
      /--to: the database cannot be reached/,
    )
    await assert.rejects(
      moveToPostgres(join(source.directory, 'none'), target.databaseUrl as string, SILENT),
      /there is no data in/,
    )
  })

  test('data of an older schema is refused until it is migrated', async () => {
    changeSource((db) => db.exec('delete from schema_migrations where version > 20'))
    await assert.rejects(move(), /migration 21 is pending.*run migrate first/)
  })

  test('data that the target refuses leaves nothing behind, neither rows nor a mark', async () => {
    changeSource((db) => {
      fillEveryTable(db)
      db.exec('pragma foreign_keys = off; update media_upload_parts set upload_id = 7')
    })
    await assert.rejects(move(), /media_upload_parts: .*nothing was changed/)
    assert.deepEqual(await targetRows('select 1 from facts'), [])
    assert.equal(await readMovedMark(source.directory), undefined)
    await (await openSqliteStore(source.directory)).close()
  })

  test('a copy that is not the same as the original is not kept', async () => {
    changeSource(fillEveryTable)
    await migratePostgres(target.databaseUrl as string)
    const onInsert = async (body: string) => {
      await targetRows(`create or replace function change() returns trigger language plpgsql as '${body}'`)
      await targetRows(
        'create or replace trigger changes before insert on facts for each row execute function change()',
      )
    }
    await onInsert('begin new.value := reverse(new.value); return new; end')
    await assert.rejects(move(), /facts: the checksum of the copy differs; nothing was changed/)
    await onInsert('begin return null; end')
    await assert.rejects(move(), /facts: 1 rows were copied, and 0 are there; nothing was changed/)
    assert.equal(await readMovedMark(source.directory), undefined)
  })

  test('a move that was interrupted around its commit is completed, or made again', async () => {
    await move()
    const mark = await readMovedMark(source.directory)
    assert.ok(mark?.isComplete)
    await writeMovedMark(source.directory, { ...mark, isComplete: false })
    await assert.rejects(openSqliteStore(source.directory), /was interrupted at its end/)
    assert.deepEqual(await move(), { outcome: 'moved_before' })
    await assert.rejects(openSqliteStore(source.directory), /must not be used any more/)

    await writeMovedMark(source.directory, { ...mark, isComplete: false })
    await targetRows('delete from facts')
    assert.equal((await move()).outcome, 'moved')

    await writeMovedMark(source.directory, { ...mark, to: 'db.example.com/other', isComplete: false })
    await assert.rejects(move(), /to db.example.com\/other was interrupted/)
    await rm(join(source.directory, MOVED_FILE))
  })
})

/** Both drivers have their own prototypes for rows and bytes. */
const plain = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value) : value,
    ]),
  )
