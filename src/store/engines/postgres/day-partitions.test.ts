// Day partitions: existing rows move into them, each day has one ahead of time, and old days are dropped.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { engines } from '../../../../test/support/engines.ts'
import { tidyUp } from '../../../app/housekeeping.ts'
import { findSentPayload } from '../../../messages/message-queries.ts'
import { append, change, makeHook } from '../../../webhooks/conformance-webhooks.ts'
import { makeTenant } from '../../conformance/tenant.ts'
import { createDayPartitions } from '../../day-partitions.ts'
import { readMigrations } from '../../migrations.ts'
import type { Store } from '../../store.ts'
import { migratePostgres } from './migrate.ts'
import { openPostgresStore } from './open.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 2, 10, 12)
const PARTITIONS = 11
const postgres = engines.find(({ name }) => name === 'postgres')

function onDatabase(name: string, work: (url: string) => Promise<void>): void {
  test(name, { skip: !postgres }, async () => {
    const storeLocation = await (postgres as NonNullable<typeof postgres>).createLocation()
    try {
      await work(storeLocation.databaseUrl as string)
    } finally {
      await storeLocation.dispose()
    }
  })
}

const onStore = (name: string, work: (store: Store) => Promise<void>): void =>
  onDatabase(name, async (url) => {
    const store = await openPostgresStore(url)
    try {
      await work(store)
    } finally {
      await store.close()
    }
  })

/** The partition of each row, in the order of their times. */
const partitionsOf = async (store: Store, table: 'sent_payloads' | 'delivery_attempts', column: string) =>
  (
    await sql<{ partition: string }>`
      select tableoid::regclass::text as partition from ${sql.table(table)} order by ${sql.ref(column)}`.execute(
      store.db,
    )
  ).rows.map(({ partition }) => partition)

const insertAttempt = (store: Store, deliveryId: number, at: number) =>
  store.db
    .insertInto('delivery_attempts')
    .values({
      delivery_id: deliveryId,
      at,
      duration_ms: 1,
      status_code: null,
      headers: '{}',
      answer: null,
      error: null,
    })
    .execute()

async function untilBlocked(store: Store): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_locks where not granted and relation = 'delivery_attempts_default'::regclass`.execute(
    store.db,
  )
  if (rows.length === 0) await untilBlocked(store)
}

describe('day partitions', () => {
  onDatabase('the migration moves existing rows, and ids continue', async (url) => {
    const known = await readMigrations('postgres')
    await migratePostgres(url, { known: known.filter(({ version }) => version < PARTITIONS) })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`
      alter table schema_migrations drop column works_with;
      insert into plans values (1, 'p', 'month', 'EUR', 0, '{}', '[]', null, 0, 0);
      insert into accounts (id, name, plan_id, status, current_period_start, created_at, updated_at) values (1, 'a', 1, 'active', 0, 0, 0);
      insert into instances (id, account_id, display_name, api_name, state, created_at, updated_at) values (1, 1, 'i', 'i', 'close', 0, 0);
      insert into sent_payloads values (1, 'old', 'x', ${NOW - 3 * DAY_MS}), (1, 'new', 'y', ${NOW});
      insert into webhooks (id, account_id, name, url, events, enabled, sealed_secret, created_at, updated_at) values (1, 1, 'w', 'u', '[]', 1, '', 0, 0);
      insert into deliveries (id, webhook_id, account_id, instance_id, position, status, created_at, updated_at) values (1, 1, 1, 1, 1, 'dead', 0, 0);
      insert into delivery_attempts (delivery_id, at, duration_ms, headers) values (1, ${NOW}, 1, '{}');`)
    await client.end()
    const store = await openPostgresStore(url)
    try {
      assert.deepEqual(await partitionsOf(store, 'sent_payloads', 'created_at'), [
        'sent_payloads_20260307',
        'sent_payloads_20260310',
      ])
      assert.equal(Buffer.from((await findSentPayload(store.db, 1, 'old')) ?? []).toString(), 'x')
      await insertAttempt(store, 1, NOW + 1)
      const attempts = await store.db.selectFrom('delivery_attempts').select('id').orderBy('id').execute()
      assert.deepEqual(attempts, [{ id: 1 }, { id: 2 }])
    } finally {
      await store.close()
    }
  })

  onStore('each day has a partition a week ahead; rows that came before it move into it', async (store) => {
    const { instanceId } = await makeTenant(store)
    const save = (messageId: string, acceptedAt: number, text = messageId) =>
      store.savePayload({ instanceId, messageId, payload: Buffer.from(text), acceptedAt })
    await save('before', NOW)
    assert.deepEqual(await partitionsOf(store, 'sent_payloads', 'created_at'), ['sent_payloads_default'])
    await Promise.all([createDayPartitions(store.db, NOW), createDayPartitions(store.db, NOW)])
    await createDayPartitions(store.db, NOW + DAY_MS)
    await save('before', NOW, 'a second payload of the same message')
    await save('last', NOW + 8 * DAY_MS)
    await save('beyond', NOW + 9 * DAY_MS)
    assert.deepEqual(await partitionsOf(store, 'sent_payloads', 'created_at'), [
      'sent_payloads_20260310',
      'sent_payloads_20260318',
      'sent_payloads_default',
    ])
    assert.equal(
      Buffer.from((await findSentPayload(store.db, instanceId, 'before')) ?? []).toString(),
      'before',
    )
  })

  onStore('a write that meets the creation of its partition succeeds', async (store) => {
    const created = Promise.withResolvers<void>()
    const creation = store.db.transaction().execute(async (tx) => {
      await sql`lock table delivery_attempts_default in access exclusive mode`.execute(tx)
      await sql`create table delivery_attempts_20260310 (like delivery_attempts including all)`.execute(tx)
      await sql`alter table delivery_attempts attach partition delivery_attempts_20260310
        for values from (${sql.lit(NOW - DAY_MS / 2)}) to (${sql.lit(NOW + DAY_MS / 2)})`.execute(tx)
      await created.promise
    })
    const tenant = await makeTenant(store)
    await makeHook(store, tenant)
    await append(store, [change(tenant.instanceId)])
    const { id } = await store.db.selectFrom('deliveries').select('id').executeTakeFirstOrThrow()
    const write = insertAttempt(store, id, NOW)
    await untilBlocked(store)
    created.resolve()
    await Promise.all([creation, write])
    assert.deepEqual(await partitionsOf(store, 'delivery_attempts', 'at'), ['delivery_attempts_20260310'])
  })

  onStore('old days are dropped, except for attempts of deliveries that are not finished', async (store) => {
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    await append(
      store,
      [1, 2].map(() => Object.assign(change(tenant.instanceId), { createdAt: NOW })),
    )
    await createDayPartitions(store.db, NOW)
    await store.savePayload({
      instanceId: tenant.instanceId,
      messageId: 'm',
      payload: Buffer.from('x'),
      acceptedAt: NOW,
    })
    const deliveries = await store.db.selectFrom('deliveries').select('id').orderBy('id').execute()
    const [finished, open] = deliveries.map(({ id }) => id) as [number, number]
    await store.db.updateTable('deliveries').set({ status: 'dead' }).where('id', '=', finished).execute()
    await store.db.updateTable('deliveries').set({ status: 'retrying' }).where('id', '=', open).execute()
    await insertAttempt(store, finished, NOW + 1)
    await insertAttempt(store, open, NOW + 2)

    // A day is dropped as a whole: at noon of the eighth day it is still there.
    assert.equal((await tidyUp(store, NOW + 8 * DAY_MS)).partitions, 0)
    // The 10th to the 16th of payloads, and the 10th of attempts.
    const removed = await tidyUp(store, NOW + 15 * DAY_MS)
    assert.deepEqual([removed.partitions, removed.deliveries], [8, 1])
    assert.deepEqual(await partitionsOf(store, 'sent_payloads', 'created_at'), [])
    assert.deepEqual(await partitionsOf(store, 'delivery_attempts', 'at'), ['delivery_attempts_default'])

    await store.db
      .updateTable('deliveries')
      .set({ status: 'delivered' })
      .where('webhook_id', '=', hook)
      .execute()
    assert.equal((await tidyUp(store, NOW + 15 * DAY_MS)).attempts, 1)
    assert.deepEqual(await partitionsOf(store, 'delivery_attempts', 'at'), [])
  })
})
