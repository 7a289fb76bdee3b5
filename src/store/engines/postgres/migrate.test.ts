// Migrations of PostgreSQL while other programs use the database.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { engines } from '../../../../test/support/engines.ts'
import { isStoreError } from '../../../kernel/store-error.ts'
import { type Migration, parseMigration, readMigrations } from '../../migrations.ts'
import { type MigrateOptions, migratePostgres } from './migrate.ts'
import { openPostgresStore, watchSchema } from './open.ts'
import { openPool } from './pool.ts'

const own = await readMigrations('postgres')
const OWN_VERSION = own.at(-1)?.version as number
const NEXT = 900
const nextRelease = (sql: string): Migration[] => [...own, parseMigration(NEXT, 'next', sql)]

const ADDS = `-- works with: ${OWN_VERSION}\nalter table facts add column note text;`
const REMOVES = 'alter table facts rename column value to content;'
const BUILDS_INDEX = `-- works with: ${OWN_VERSION}; concurrently
create index concurrently if not exists facts_value on facts (value);`
const QUICK = { lockTimeoutMs: 50, maxTries: 3, retryMs: 10 }

interface Stage {
  url: string
  /** A connection of another program. */
  other: pg.Client
  migrate(sql: string, options?: MigrateOptions): Promise<void>
  isApplied(): Promise<boolean>
}

const postgres = engines.find(({ name }) => name === 'postgres')

/** A test on a database with the schema of this program. */
function onDatabase(name: string, work: (stage: Stage) => Promise<void>): void {
  test(name, { skip: !postgres }, async () => {
    const storeLocation = await (postgres as NonNullable<typeof postgres>).createLocation()
    const url = storeLocation.databaseUrl as string
    const other = new pg.Client({ connectionString: url })
    other.on('error', () => undefined)
    try {
      await migratePostgres(url)
      await other.connect()
      await work({
        url,
        other,
        migrate: (sql, options = {}) => migratePostgres(url, { known: nextRelease(sql), ...options }),
        isApplied: async () =>
          (await other.query('select 1 from schema_migrations where version = $1', [NEXT])).rowCount === 1,
      })
    } finally {
      await other.end()
      await storeLocation.dispose()
    }
  })
}

describe('an older program beside a newer schema', () => {
  onDatabase('starts and goes on if the schema works with it', async ({ url, migrate }) => {
    const running = await openPostgresStore(url)
    await migrate(ADDS)
    const started = await openPostgresStore(url)
    await Promise.all([running.check(), started.check()])
    await Promise.all([running.close(), started.close()])
  })

  onDatabase('is refused otherwise, with both versions', async ({ url, migrate }) => {
    await migrate(REMOVES)
    await assert.rejects(
      openPostgresStore(url),
      new RegExp(
        `migration ${NEXT} \\(next\\) needs a program of schema version ${NEXT} or later, and this one has ${OWN_VERSION}`,
      ),
    )
  })

  onDatabase('that runs hears of it, and only of a schema that does not work with it', async (stage) => {
    const pool = openPool(stage.url)
    const outdated = Promise.withResolvers<Error>()
    const checks: (() => void)[] = []
    const timers = {
      setTimeout: (run: () => void) => ({ unref: () => void checks.push(run) }),
      clearTimeout: () => undefined,
      setInterval: () => ({ unref: () => undefined }),
      clearInterval: () => undefined,
    }
    const stop = watchSchema({ pool, known: own, onOutdated: outdated.resolve, timers })
    const checkedAgain = async () => {
      checks.shift()?.()
      while (checks.length === 0) await pool.query('select 1')
    }
    await stage.migrate(ADDS)
    await checkedAgain()
    await stage.other.query('update schema_migrations set works_with = null where version = $1', [NEXT])
    checks.shift()?.()
    assert.match((await outdated.promise).message, /the database is newer than this program/)
    stop()
    await pool.end()
  })
})

describe('a migration of PostgreSQL', () => {
  onDatabase('gives up a lock that it does not get, and tries again until it does', async (stage) => {
    await stage.other.query('begin; lock table facts in access share mode')
    const waits = Promise.withResolvers<void>()
    const log = { info: () => undefined, warn: () => waits.resolve() }
    const migrating = stage.migrate(ADDS, { ...QUICK, maxTries: 1000, log })
    await waits.promise
    await stage.other.query('rollback')
    await migrating
    assert.equal(await stage.isApplied(), true)
  })

  onDatabase('fails after the last try, changes nothing, and says what to do', async (stage) => {
    await stage.other.query('begin; lock table facts in access share mode')
    await assert.rejects(stage.migrate(ADDS, QUICK), (error) => {
      assert.ok(isStoreError(error, 'failed'))
      assert.match(
        error.message,
        /migration 900 \(next\): other transactions hold its tables \(3 tries of 50 ms\)/,
      )
      assert.match(error.message, /pg_stat_activity/)
      return true
    })
    await stage.other.query('rollback')
    assert.equal(await stage.isApplied(), false)
  })

  onDatabase('is applied by one of several programs; the others wait for it', async (stage) => {
    await Promise.all(Array.from({ length: 4 }, () => stage.migrate(ADDS)))
    assert.equal(await stage.isApplied(), true)
  })

  onDatabase('builds an index outside a transaction', async (stage) => {
    await stage.migrate(BUILDS_INDEX)
    const { rows } = await stage.other.query(
      `select indisvalid from pg_index where indexrelid = 'facts_value'::regclass`,
    )
    assert.deepEqual(rows, [{ indisvalid: true }])
    assert.equal(await stage.isApplied(), true)
  })

  onDatabase('builds an index while another program waits for its turn', async (stage) => {
    // Holds the build back until the other program waits.
    await stage.other.query(`begin; insert into facts (name, value) values ('open', '1')`)
    const waits = Promise.withResolvers<void>()
    const log = {
      info: (_facts: object, text: string) => void (/waiting/.test(text) && waits.resolve()),
      warn: () => undefined,
    }
    const both = Promise.all([stage.migrate(BUILDS_INDEX, { log }), stage.migrate(BUILDS_INDEX, { log })])
    await waits.promise
    await stage.other.query('commit')
    await both
    assert.equal(await stage.isApplied(), true)
  })

  onDatabase('repeats the build of an index that a crash has interrupted', async (stage) => {
    const writer = new pg.Client({ connectionString: stage.url })
    await writer.connect()
    // An open transaction that has written holds the build back; then the connection of the builder is cut.
    await writer.query(`begin; insert into facts (name, value) values ('open', '1')`)
    const crashed = assert.rejects(stage.migrate(BUILDS_INDEX))
    for (let cut = 0; cut === 0; ) {
      const { rowCount } = await stage.other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
         and query like 'create index concurrently%' and wait_event_type = 'Lock'`,
      )
      cut = rowCount ?? 0
    }
    await crashed
    await writer.query('commit')
    await writer.end()
    const isValid = `select indisvalid from pg_index where indexrelid = 'facts_value'::regclass`
    assert.deepEqual((await stage.other.query(isValid)).rows, [{ indisvalid: false }])
    assert.equal(await stage.isApplied(), false)
    await stage.migrate(BUILDS_INDEX)
    assert.deepEqual((await stage.other.query(isValid)).rows, [{ indisvalid: true }])
    assert.equal(await stage.isApplied(), true)
  })
})

describe('a migration that works with no older program', () => {
  const runs = (leaseMs: number) => `insert into nodes (id, name, status, lease_until, started_at)
    values (1, 'older', 'live', (extract(epoch from clock_timestamp()) * 1000)::bigint + ${leaseMs}, 0)`

  onDatabase('is refused while one runs, which then goes on', async ({ other, migrate, isApplied }) => {
    await other.query(runs(600_000))
    await assert.rejects(migrate(REMOVES, QUICK), /works with no older program, and some still run: older/)
    assert.equal(await isApplied(), false)
    await migrate(ADDS, QUICK)
    assert.equal(await isApplied(), true)
  })

  onDatabase(
    'is applied when they have stopped, or their leases have ended',
    async ({ other, migrate, isApplied }) => {
      await other.query(runs(-1))
      await other.query(
        `insert into nodes (id, name, status, lease_until, started_at) values (2, 'stopped', 'dead', 4e15, 0)`,
      )
      await migrate(REMOVES, QUICK)
      assert.equal(await isApplied(), true)
    },
  )
})
