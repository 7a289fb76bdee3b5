// What has served its time goes, and nothing else: on every engine, with more rows than one statement takes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines, type Place } from '../test/support/engines.ts'
import { tidyUp } from './housekeeping.ts'
import { makeAccount, makeInstance, NOON } from './store/conformance/tenant.ts'
import { openPostgresStore } from './store/postgres/postgres-store.ts'
import { openSqliteStore } from './store/sqlite/sqlite-store.ts'
import type { Store } from './store/store.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MANY = 2500
const KEPT_DAYS = { idempotency_keys: 1, inbox: 1, sent_payloads: 7, known_numbers: 30 }

const open = ({ directory, databaseUrl }: Place): Promise<Store> =>
  databaseUrl === undefined ? openSqliteStore(directory, {}) : openPostgresStore(databaseUrl, {})

async function fill(store: Store, accountId: number, instanceId: number): Promise<void> {
  const bytes = Buffer.from('x')
  const moments = (days: number) => [
    ...Array.from({ length: MANY }, () => NOON - days * DAY_MS - 1),
    NOON - days * DAY_MS,
  ]
  await store.transaction(async (tx) => {
    for (const [index, at] of moments(1).entries()) {
      const key = { account_id: accountId, key: `k${index}`, fingerprint: 'f', answer: '{}', created_at: at }
      await tx.insertInto('idempotency_keys').values(key).execute()
      const arrival = { instance_id: instanceId, name: `a${index}`, sealed: bytes, received_at: at }
      await tx
        .insertInto('inbox')
        .values({ ...arrival, processed_at: at })
        .execute()
    }
    const waiting = { instance_id: instanceId, name: 'waits', sealed: bytes, received_at: 1 }
    await tx
      .insertInto('inbox')
      .values({ ...waiting, processed_at: null })
      .execute()
    for (const [index, at] of moments(7).entries()) {
      const sent = { instance_id: instanceId, message_id: `m${index}`, payload: bytes, created_at: at }
      await tx.insertInto('sent_payloads').values(sent).execute()
    }
    for (const [index, at] of moments(30).entries()) {
      const known = { instance_id: instanceId, number: `${index}`, jid: null, asked_at: at }
      await tx.insertInto('known_numbers').values(known).execute()
    }
  })
}

for (const engine of engines) {
  describe(`housekeeping on ${engine.name}`, () => {
    test('removes what is older than it is kept, in batches, and leaves the rest', async () => {
      const place = await engine.place()
      const store = await open(place)
      try {
        const accountId = await makeAccount(store)
        await fill(store, accountId, await makeInstance(store, accountId))
        assert.deepEqual(await tidyUp(store, NOON), {
          idempotencyKeys: MANY,
          arrivals: MANY,
          sentPayloads: MANY,
          knownNumbers: MANY,
        })
        for (const table of Object.keys(KEPT_DAYS) as (keyof typeof KEPT_DAYS)[]) {
          const rows = await store.db.selectFrom(table).selectAll().execute()
          assert.equal(
            rows.length,
            table === 'inbox' ? 2 : 1,
            `${table}: what is young, and what still waits`,
          )
        }
      } finally {
        await store.close()
        await place.dispose()
      }
    })
  })
}
