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
        await place.execute(`insert into schema_migrations values (999, 'future', 'sum', 0)`)
        await assert.rejects(
          place.open(),
          /the database is newer than this program: migration 999 \(future\)/,
        )
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
