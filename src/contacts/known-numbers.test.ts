// Forms of numbers in the store, on both engines: what is confirmed stays, and what an older program derived wrongly is removed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { openStore } from '../../test/support/open-store.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import { readMigrations } from '../store/migrations.ts'
import { deleteOldKnownNumbers } from '../store/old-rows.ts'
import type { Store } from '../store/store.ts'
import { makeHook } from '../webhooks/conformance-webhooks.ts'
import { findKnownNumber, listConfirmedForms, upsertKnownNumber } from './number-queries.ts'

const jid = (number: string) => `${number}@s.whatsapp.net`
const [OLD, TODAY] = ['551187654321', '5511987654321']

for (const engine of engines)
  describe(`forms of numbers on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let store: Store
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await openStore(storeLocation)
    })
    after(async () => {
      await store.close()
      await storeLocation.dispose()
    })

    test('only an answer for the number itself is a confirmed form, until the network answers otherwise', async () => {
      const { instanceId } = await makeTenant(store)
      const known = { instanceId, number: TODAY, jid: jid(OLD), now: NOON }
      const confirmed = () => listConfirmedForms(store.db, [instanceId], [OLD, TODAY])
      await upsertKnownNumber(store.db, known)
      assert.deepEqual(await confirmed(), [])
      await upsertKnownNumber(store.db, { ...known, isConfirmed: true })
      assert.deepEqual(await confirmed(), [{ number: TODAY, jid: jid(OLD) }])
      assert.deepEqual(await listConfirmedForms(store.db, [], [TODAY]), [])
      await upsertKnownNumber(store.db, { ...known, jid: null, isConfirmed: true })
      assert.deepEqual(await confirmed(), [])
    })

    test('a confirmed other form outlives old answers', async () => {
      const { instanceId } = await makeTenant(store)
      const old = { instanceId, isConfirmed: true, now: NOON }
      await upsertKnownNumber(store.db, { ...old, number: TODAY, jid: jid(OLD) })
      await upsertKnownNumber(store.db, { ...old, number: OLD, jid: jid(OLD) })
      await upsertKnownNumber(store.db, { ...old, number: '5511931234567', jid: null })
      await upsertKnownNumber(store.db, {
        ...old,
        number: '5215512345678',
        jid: jid('525512345678'),
        isConfirmed: false,
      })
      await deleteOldKnownNumbers(store, NOON + 1)
      const left = await store.db
        .selectFrom('known_numbers')
        .select('number')
        .where('instance_id', '=', instanceId)
        .execute()
      assert.deepEqual(left, [{ number: TODAY }])
    })

    test('the migration forgets numbers that were found under another form, and senders that were derived from landlines', async () => {
      const tenant = await makeTenant(store)
      const { instanceId } = tenant
      const [landline, stranger] = ['551131234567', '5511931234567']
      for (const [number, found] of [
        [landline, jid(stranger)],
        [OLD, jid(OLD)],
        ['4915112345678', null],
      ] as const)
        await upsertKnownNumber(store.db, { instanceId, number, jid: found, now: NOON })
      const hookWith = async (from: string[], senders: string[]) => {
        const id = await makeHook(store, tenant)
        await store.db
          .updateTable('webhooks')
          .set({ filter_from: JSON.stringify(from), filter_senders: JSON.stringify(senders) })
          .where('id', '=', id)
          .execute()
        return id
      }
      const hooks = [
        await hookWith([landline], [landline, stranger]),
        await hookWith([stranger], [stranger, landline]),
        await hookWith([OLD, '49151'], [OLD, TODAY, '49151']),
        await hookWith([landline, stranger], [landline, stranger]),
      ]
      const migration = (await readMigrations(engine.name)).find(({ version }) => version === 47)
      const data = (migration?.sql ?? '').replaceAll(/^(--|alter table).*$/gm, '').split(';')
      const statements = data.map((statement) => statement.trim()).filter((statement) => statement !== '')
      assert.equal(statements.length, 2)
      for (const statement of statements) await sql.raw(statement).execute(store.db)
      assert.equal(await findKnownNumber(store.db, instanceId, landline), undefined)
      assert.equal((await findKnownNumber(store.db, instanceId, OLD))?.jid, jid(OLD))
      assert.equal((await findKnownNumber(store.db, instanceId, '4915112345678'))?.jid, null)
      const rows = await store.db
        .selectFrom('webhooks')
        .select('filter_senders')
        .where('id', 'in', hooks)
        .orderBy('id')
        .execute()
      assert.deepEqual(
        rows.map((row) => JSON.parse(row.filter_senders ?? 'null')),
        [[landline], [stranger], [OLD, TODAY, '49151'], [landline, stranger]],
      )
    })
  })
