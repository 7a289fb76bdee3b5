// Old rows are removed and no others: on every engine, with more rows than one statement removes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { makeAccount, makeInstance, makeTenant, NOON } from '../store/conformance/tenant.ts'
import { openPostgresStore } from '../store/engines/postgres/open.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { append, change, deliveriesOf, makeHook } from '../webhooks/conformance-webhooks.ts'
import { tidyUp } from './housekeeping.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MANY = 2500
const ROWS_AT_ONCE = 500
const KEPT_DAYS = {
  idempotency_keys: 1,
  inbox: 1,
  sent_payloads: 8,
  known_numbers: 30,
  calls: 1,
  set_aside: 30,
  arrival_deaths: 30,
  hourly_counts: 32,
}

const open = ({ directory, databaseUrl }: StoreLocation): Promise<Store> =>
  databaseUrl === undefined ? openSqliteStore(directory, {}) : openPostgresStore(databaseUrl, {})

/** Few statements with many rows each: row by row, the inserts take longer than everything that is tested. */
async function inChunks<Row>(rows: Row[], insert: (chunk: Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await insert(rows.slice(from, from + ROWS_AT_ONCE))
}

async function fill(store: Store, accountId: number, instanceId: number): Promise<void> {
  const bytes = Buffer.from('x')
  const rowsOf = <Row>(days: number, row: (index: number, at: number) => Row): Row[] => [
    ...Array.from({ length: MANY }, (_, index) => row(index, NOON - days * DAY_MS - 1)),
    row(MANY, NOON - days * DAY_MS),
  ]
  const keys = rowsOf(1, (index, at) => ({
    account_id: accountId,
    key: `k${index}`,
    fingerprint: 'f',
    answer: '{}',
    created_at: at,
  }))
  const arrivals = rowsOf(1, (index, at) => ({
    instance_id: instanceId,
    name: `a${index}`,
    sealed: bytes,
    received_at: at,
    processed_at: at,
  }))
  const waiting = {
    instance_id: instanceId,
    name: 'waits',
    sealed: bytes,
    received_at: 1,
    processed_at: null,
  }
  const payloads = rowsOf(8, (index, at) => ({
    instance_id: instanceId,
    message_id: `m${index}`,
    payload: bytes,
    created_at: at,
  }))
  const calls = rowsOf(1, (index, at) => ({
    instance_id: instanceId,
    id: `c${index}`,
    caller: '{}',
    creator: '1@lid',
    is_video: null,
    is_group: null,
    group_jid: null,
    status: 'ended',
    updated_at: at,
  }))
  const numbers = rowsOf(30, (index, at) => ({
    instance_id: instanceId,
    number: `${index}`,
    jid: null,
    asked_at: at,
  }))
  const setAside = rowsOf(30, (index, at) => ({
    instance_id: instanceId,
    name: `s${index}`,
    what: 'message',
    reason: 'malformed',
    sealed: bytes,
    created_at: at,
  }))
  const deaths = rowsOf(30, (index, at) => ({
    instance_id: instanceId,
    name: `d${index}`,
    weight: 2,
    last_run: 'run',
    updated_at: at,
  }))
  const counts = rowsOf(32, (index, at) => ({
    account_id: accountId,
    instance_id: instanceId,
    hour: at,
    metric: 'sent' as const,
    label: `l${index}`,
    count: 1,
  }))
  await store.transaction(async (tx) => {
    await inChunks(counts, (chunk) => tx.insertInto('hourly_counts').values(chunk).execute())
    await inChunks(setAside, (chunk) => tx.insertInto('set_aside').values(chunk).execute())
    await inChunks(deaths, (chunk) => tx.insertInto('arrival_deaths').values(chunk).execute())
    await inChunks(keys, (chunk) => tx.insertInto('idempotency_keys').values(chunk).execute())
    await inChunks(arrivals, (chunk) => tx.insertInto('inbox').values(chunk).execute())
    await tx.insertInto('inbox').values(waiting).execute()
    await inChunks(payloads, (chunk) => tx.insertInto('sent_payloads').values(chunk).execute())
    await inChunks(calls, (chunk) => tx.insertInto('calls').values(chunk).execute())
    await inChunks(numbers, (chunk) => tx.insertInto('known_numbers').values(chunk).execute())
  })
}

for (const engine of engines) {
  describe(`housekeeping on ${engine.name}`, () => {
    test('removes rows older than their retention time, in batches', async () => {
      const storeLocation = await engine.createLocation()
      const store = await open(storeLocation)
      try {
        const accountId = await makeAccount(store)
        await fill(store, accountId, await makeInstance(store, accountId))
        assert.deepEqual(await tidyUp(store, NOON), {
          idempotencyKeys: MANY,
          keyUsage: 0,
          approvals: 0,
          audit: 0,
          hourlyCounts: MANY,
          auditBeyond: 0,
          arrivals: MANY,
          sentPayloads: MANY,
          knownNumbers: MANY,
          calls: MANY,
          setAside: MANY,
          arrivalDeaths: MANY,
          deliveries: 0,
          events: 0,
          attempts: 0,
          partitions: 0,
        })
        for (const table of Object.keys(KEPT_DAYS) as (keyof typeof KEPT_DAYS)[]) {
          const rows = await store.db.selectFrom(table).selectAll().execute()
          assert.equal(
            rows.length,
            table === 'inbox' ? 2 : 1,
            `${table}: the recent row, and an unprocessed arrival`,
          )
        }
      } finally {
        await store.close()
        await storeLocation.dispose()
      }
    })

    test('removes events and deliveries after 14 days, except those still to be delivered', async () => {
      const storeLocation = await engine.createLocation()
      const store = await open(storeLocation)
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
        // The enabled webhook has a delivery of each status: delivered, dead, pending, retrying, and one that is recent.
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
        await storeLocation.dispose()
      }
    })
  })
}
