// Migrations: applied once, refused when changed or unknown, and safe when two processes start at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { AppliedMigration } from '../migrations.ts'
import type { Store } from '../store.ts'
import { isStoreError } from '../store-error.ts'
import type { Conformance, ConformancePlace } from './types.ts'

export function migrationConformance({ engine }: Conformance): void {
  describe('migrations', () => {
    const inPlace = (work: (place: ConformancePlace) => Promise<void>) => async () => {
      const place = await engine.place()
      try {
        await work(place)
      } finally {
        await place.dispose()
      }
    }
    const applied = async (place: ConformancePlace): Promise<AppliedMigration[]> => {
      const store = await place.open()
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
      inPlace(async (place) => {
        const first = await applied(place)
        assert.ok(first.length > 0)
        assert.deepEqual(await applied(place), first)
      }),
    )

    test(
      'a migration that was changed after it was applied stops the start until the change is undone',
      inPlace(async (place) => {
        const [first] = await applied(place)
        await place.execute(`update schema_migrations set checksum = 'other' where version = 1`)
        await assert.rejects(place.open(), /migration 1 \(foundation\) differs from the one that was applied/)
        await place.execute(`update schema_migrations set checksum = '${first?.checksum}' where version = 1`)
        await (await place.open()).close()
      }),
    )

    test(
      'a database of a newer program stops the start',
      inPlace(async (place) => {
        await applied(place)
        await place.execute(`insert into schema_migrations values (999, 'future', 'sum', 0, null)`)
        await assert.rejects(
          place.open(),
          /the database is newer than this program: migration 999 \(future\) needs a program of schema version 999 or later/,
        )
      }),
    )

    test(
      'a newer migration that works with this program does not, unless a stricter one came before it',
      inPlace(async (place) => {
        const own = (await applied(place)).at(-1)?.version as number
        await place.execute(`insert into schema_migrations values (999, 'future', 'sum', 0, ${own})`)
        await (await place.open()).close()
        await place.execute(`insert into schema_migrations values (998, 'stricter', 'sum', 0, ${own + 1})`)
        await assert.rejects(
          place.open(),
          new RegExp(
            `migration 998 \\(stricter\\) needs a program of schema version ${own + 1} or later, and this one has ${own}`,
          ),
        )
      }),
    )

    test(
      'a database whose table of migrations lacks works_with is opened and updated',
      inPlace(async (place) => {
        const last = (await applied(place)).at(-1)
        await place.execute('alter table schema_migrations drop column works_with')
        await (await place.open()).close()
        await place.execute(`insert into schema_migrations values (999, 'future', 'sum', 0)`)
        await assert.rejects(place.open(), /migration 999 \(future\) needs a program of schema version 999/)
        await place.execute('delete from schema_migrations where version = 999')
        assert.deepEqual((await applied(place)).at(-1)?.checksum, last?.checksum)
      }),
    )

    test(
      'two first starts at once create one schema',
      inPlace(async (place) => {
        const starts = await Promise.allSettled([place.open(), place.open()])
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
        const versions = (await applied(place)).map(({ version }) => version)
        assert.deepEqual(versions, [...new Set(versions)])
      }),
    )
  })
}
