// Migrations: applied once, refused when changed or unknown, and safe when two processes start at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { isStoreError } from '../../kernel/store-error.ts'
import type { AppliedMigration } from '../migrations.ts'
import type { Store } from '../store.ts'
import type { Conformance, ConformanceLocation } from './types.ts'

export function migrationConformance({ engine }: Conformance): void {
  describe('migrations', () => {
    const withLocation = (work: (storeLocation: ConformanceLocation) => Promise<void>) => async () => {
      const storeLocation = await engine.createLocation()
      try {
        await work(storeLocation)
      } finally {
        await storeLocation.dispose()
      }
    }
    const applied = async (storeLocation: ConformanceLocation): Promise<AppliedMigration[]> => {
      const store = await storeLocation.open()
      try {
        const { rows } =
          await sql<AppliedMigration>`select * from schema_migrations order by version`.execute(store.db)
        return rows
      } finally {
        await store.close()
      }
    }

    test(
      'a second start applies nothing',
      withLocation(async (storeLocation) => {
        const first = await applied(storeLocation)
        assert.ok(first.length > 0)
        assert.deepEqual(await applied(storeLocation), first)
      }),
    )

    test(
      'a migration that was changed after it was applied stops the start until the change is undone',
      withLocation(async (storeLocation) => {
        const [first] = await applied(storeLocation)
        await storeLocation.execute(`update schema_migrations set checksum = 'other' where version = 1`)
        await assert.rejects(
          storeLocation.open(),
          /migration 1 \(foundation\) differs from the one that was applied/,
        )
        await storeLocation.execute(
          `update schema_migrations set checksum = '${first?.checksum}' where version = 1`,
        )
        await (await storeLocation.open()).close()
      }),
    )

    test(
      'a database of a newer program stops the start',
      withLocation(async (storeLocation) => {
        await applied(storeLocation)
        await storeLocation.execute(`insert into schema_migrations values (999, 'future', 'sum', 0, null)`)
        await assert.rejects(
          storeLocation.open(),
          /the database is newer than this program: migration 999 \(future\) needs a program of schema version 999 or later/,
        )
      }),
    )

    test(
      'a newer migration that works with this program does not, unless a stricter one came before it',
      withLocation(async (storeLocation) => {
        const own = (await applied(storeLocation)).at(-1)?.version as number
        await storeLocation.execute(`insert into schema_migrations values (999, 'future', 'sum', 0, ${own})`)
        await (await storeLocation.open()).close()
        await storeLocation.execute(
          `insert into schema_migrations values (998, 'stricter', 'sum', 0, ${own + 1})`,
        )
        await assert.rejects(
          storeLocation.open(),
          new RegExp(
            `migration 998 \\(stricter\\) needs a program of schema version ${own + 1} or later, and this one has ${own}`,
          ),
        )
      }),
    )

    test(
      'a database whose table of migrations lacks works_with is opened and updated',
      withLocation(async (storeLocation) => {
        const last = (await applied(storeLocation)).at(-1)
        await storeLocation.execute('alter table schema_migrations drop column works_with')
        await (await storeLocation.open()).close()
        await storeLocation.execute(`insert into schema_migrations values (999, 'future', 'sum', 0)`)
        await assert.rejects(
          storeLocation.open(),
          /migration 999 \(future\) needs a program of schema version 999/,
        )
        await storeLocation.execute('delete from schema_migrations where version = 999')
        assert.deepEqual((await applied(storeLocation)).at(-1)?.checksum, last?.checksum)
      }),
    )

    test(
      'two first starts at once create one schema',
      withLocation(async (storeLocation) => {
        const starts = await Promise.allSettled([storeLocation.open(), storeLocation.open()])
        const opened = starts.filter((start) => start.status === 'fulfilled').map(({ value }) => value)
        const refused = starts
          .filter((start) => start.status === 'rejected')
          .map(({ reason }) => reason as unknown)
        await Promise.all(opened.map((store: Store) => store.check()))
        await Promise.all(opened.map((store: Store) => store.close()))
        assert.equal(opened.length, engine.shared ? 2 : 1)
        for (const error of refused) {
          assert.ok(isStoreError(error, 'unavailable'))
          assert.match(String(error), /another Switchboard server is running/)
        }
        const versions = (await applied(storeLocation)).map(({ version }) => version)
        assert.deepEqual(versions, [...new Set(versions)])
      }),
    )
  })
}
