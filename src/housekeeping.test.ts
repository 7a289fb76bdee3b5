// What has served its time goes, and nothing else: on every engine, with more rows than one statement takes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines, type Place } from '../test/support/engines.ts'
import { tidyUp } from './housekeeping.ts'
import { append, change, deliveriesOf, makeHook } from './store/conformance/events.ts'
import { makeAccount, makeInstance, makeTenant, NOON } from './store/conformance/tenant.ts'
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
          deliveries: 0,
          events: 0,
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

    test('events and deliveries go after 14 days, but never what is still to be tried', async () => {
      const place = await engine.place()
      const store = await open(place)
      try {
        const tenant = await makeTenant(store)
        const [live, disabled] = [await makeHook(store, tenant), await makeHook(store, tenant)]
        const old = NOON - 14 * DAY_MS - 1
        await append(
          store,
          [old, old, old, old, NOON - 14 * DAY_MS].map((createdAt) =>
            Object.assign(change(tenant.instanceId), { createdAt }),
          ),
        )
        // Of the live one: delivered, dead, waiting for its first and for its next try, and young.
        for (const [position, status] of [
          [1, 'delivered'],
          [2, 'dead'],
          [3, 'pending'],
          [4, 'retrying'],
          [5, 'delivered'],
        ] as const)
          await store.db
            .updateTable('deliveries')
            .set({ status })
            .where('webhook_id', '=', live)
            .where('position', '=', position)
            .execute()
        await store.db.updateTable('webhooks').set({ enabled: 0 }).where('id', '=', disabled).execute()
        const removed = await tidyUp(store, NOON)
        assert.deepEqual([removed.deliveries, removed.events], [6, 2])
        const left = async (id: number) => (await deliveriesOf(store, id)).map(({ position }) => position)
        assert.deepEqual(await left(live), [3, 4, 5])
        assert.deepEqual(await left(disabled), [5])
        const events = await store.db.selectFrom('events').select('position').orderBy('position').execute()
        assert.deepEqual(
          events.map(({ position }) => position),
          [3, 4, 5],
        )
      } finally {
        await store.close()
        await place.dispose()
      }
    })
  })
}
