// Transactions: all or nothing, invisible until committed, and the same errors on every engine.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { incrementUsage, insertUser, listUsers, readUsage } from '../../accounts/account-queries.ts'
import { findApiKey, insertApiKey, recordKeyUses } from '../../accounts/key-queries.ts'
import { isStoreError } from '../../kernel/store-error.ts'
import type { Store } from '../store.ts'
import type { Db } from '../tables.ts'
import { makeAccount, makeInstance, NOON, times } from './tenant.ts'
import type { Conformance } from './types.ts'

const user = (accountId: number, email: string) => ({
  account_id: accountId,
  name: 'User',
  email,
  created_at: NOON,
  updated_at: NOON,
})
const emails = async (store: Store, accountId: number): Promise<string[]> =>
  (await listUsers(store.db, accountId, { limit: 1000, offset: 0 })).map((row) => row.email)
const isUnique = (error: unknown): boolean => isStoreError(error, 'unique')
const isReference = (error: unknown): boolean => isStoreError(error, 'reference')

/** They wait for one row one after the other, and a busy machine must answer the last within the store's limit of five seconds. */
const CONCURRENT = 80

export function transactionConformance({ store: current }: Conformance): void {
  describe('transactions', () => {
    test('everything is written when the promise resolves with the result of the work', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const result = await store.transaction(async (tx) => {
        await insertUser(tx, user(accountId, 'a'))
        await insertUser(tx, user(accountId, 'b'))
        return 'done'
      })
      assert.equal(result, 'done')
      assert.deepEqual(await emails(store, accountId), ['a', 'b'])
    })

    test('the last use of a key never moves back, whichever process saves it', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const { id } = await insertApiKey(store.db, {
        account_id: accountId,
        name: 'Key',
        hint: 'sk_te…',
        hash: `hash of ${accountId}`,
        scopes: '[]',
        source: 'api',
        created_at: NOON,
      })
      for (const usedAt of [NOON + 2000, NOON + 1000]) await recordKeyUses(store.db, new Map([[id, usedAt]]))
      assert.equal((await findApiKey(store.db, accountId, id))?.last_used_at, NOON + 2000)
    })

    test('changes of many instances at once are each applied, with their events, and one that fails stops no other', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const ids: number[] = []
      for (const _ of times(40, () => 0)) ids.push(await makeInstance(store, accountId))
      const reason = new Error('refused')
      const changes = ids.map((instanceId, index) =>
        store.instanceTransaction(instanceId, async (tx) => {
          await tx
            .updateTable('instances')
            .set({ number: `${index}` })
            .where('id', '=', instanceId)
            .execute()
          const event = { instanceId, name: 'connection.update', data: '{}', createdAt: NOON } as const
          await store.appendEvents(tx, [event, event])
          if (index === 7) throw reason
          return index
        }),
      )
      const results = await Promise.allSettled(changes)
      for (const [index, result] of results.entries())
        assert.deepEqual(
          result,
          index === 7 ? { status: 'rejected', reason } : { status: 'fulfilled', value: index },
        )
      const rows = await store.db
        .selectFrom('instances')
        .select('number')
        .where('account_id', '=', accountId)
        .orderBy('id')
        .execute()
      assert.deepEqual(
        rows.map(({ number }, index) => number === `${index}`),
        ids.map((_, index) => index !== 7),
      )
      const events = await store.db
        .selectFrom('events')
        .select(['position', 'instance_id', 'sequence'])
        .where('account_id', '=', accountId)
        .orderBy('position')
        .execute()
      assert.deepEqual(
        events.map(({ position }) => position),
        times(78, (index) => index + 1),
      )
      for (const own of Map.groupBy(events, (event) => event.instance_id).values())
        assert.deepEqual(
          own.map(({ sequence }) => sequence),
          [1, 2],
        )
    })

    test('changes of instances beside transactions that lock the same instances in order', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const ids: number[] = []
      for (const _ of times(6, () => 0)) ids.push(await makeInstance(store, accountId))
      const shuffled = times(60, (index) => ids[(index * 5) % 6] as number)
      const event = (instanceId: number) =>
        ({ instanceId, name: 'connection.update', data: '{}', createdAt: NOON }) as const
      await Promise.all([
        ...shuffled.map((instanceId) =>
          store.instanceTransaction(instanceId, (tx) => store.appendEvents(tx, [event(instanceId)])),
        ),
        ...times(10, () => store.transaction((tx) => store.appendEvents(tx, ids.map(event)))),
      ])
      const account = await store.db
        .selectFrom('accounts')
        .select('event_position')
        .where('id', '=', accountId)
        .executeTakeFirst()
      assert.equal(account?.event_position, 120)
    })

    test('work that throws writes nothing, and its error is passed on unchanged', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const reason = new Error('changed my mind')
      const work = async (tx: Db) => {
        await insertUser(tx, user(accountId, 'a'))
        throw reason
      }
      await assert.rejects(store.transaction(work), (error) => error === reason)
      assert.deepEqual(await emails(store, accountId), [])
    })

    test('work whose last statement fails writes nothing', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const work = async (tx: Db) => {
        await insertUser(tx, user(accountId, 'a'))
        await insertUser(tx, user(accountId, 'a'))
      }
      await assert.rejects(store.transaction(work), isUnique)
      assert.deepEqual(await emails(store, accountId), [])
      await store.transaction((tx) => insertUser(tx, user(accountId, 'after')))
      assert.deepEqual(await emails(store, accountId), ['after'])
    })

    test('a transaction sees its own writes, and other reads see them only after the commit', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      await store.transaction(async (tx) => {
        await insertUser(tx, user(accountId, 'a'))
        assert.equal((await listUsers(tx, accountId, { limit: 10, offset: 0 })).length, 1)
        assert.deepEqual(await emails(store, accountId), [])
      })
      assert.deepEqual(await emails(store, accountId), ['a'])
    })

    test('80 transactions at once that increment one counter lose no increment', async () => {
      const store = current()
      const counted = { accountId: await makeAccount(store), resource: 'contacts' as const, period: 0 }
      await Promise.all(times(CONCURRENT, () => store.transaction((tx) => incrementUsage(tx, counted, null))))
      assert.equal(await readUsage(store.db, counted), CONCURRENT)
    })

    test('of 80 transactions at once a quota of 37 grants exactly 37', async () => {
      const store = current()
      const counted = { accountId: await makeAccount(store), resource: 'contacts' as const, period: 0 }
      const taken = await Promise.all(
        times(CONCURRENT, () => store.transaction((tx) => incrementUsage(tx, counted, 37))),
      )
      assert.equal(taken.filter(({ granted }) => granted).length, 37)
      assert.equal(await readUsage(store.db, counted), 37)
    })

    test('transactions, single writes and sends at once do not mix', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const failing = (index: number) => async (tx: Db) => {
        await insertUser(tx, user(accountId, `gone-${index}`))
        throw new Error('no')
      }
      await Promise.all(
        times(20, async (index) => {
          await assert.rejects(store.transaction(failing(index)))
          await insertUser(store.db, user(accountId, `single-${index}`))
          await store.transaction((tx) => insertUser(tx, user(accountId, `kept-${index}`)))
        }),
      )
      const kept = [...times(20, (index) => `single-${index}`), ...times(20, (index) => `kept-${index}`)]
      assert.deepEqual((await emails(store, accountId)).sort(), kept.sort())
    })
  })

  describe('errors', () => {
    test('a duplicate row is a unique violation, inside and outside of a transaction', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      await insertUser(store.db, user(accountId, 'a'))
      await assert.rejects(insertUser(store.db, user(accountId, 'a')), isUnique)
      await assert.rejects(
        store.transaction((tx) => insertUser(tx, user(accountId, 'a'))),
        isUnique,
      )
    })

    test('inserting a row without its parent and deleting a parent are reference violations', async () => {
      const store = current()
      await assert.rejects(insertUser(store.db, user(999_999_999, 'a')), isReference)
      const accountId = await makeAccount(store)
      await makeInstance(store, accountId)
      await assert.rejects(store.db.deleteFrom('accounts').where('id', '=', accountId).execute(), isReference)
    })

    test('a wrong statement is an error of kind "failed", and the store continues to work', async () => {
      const store = current()
      const wrong = store.db
        .selectFrom('nowhere' as 'users')
        .selectAll()
        .execute()
      await assert.rejects(wrong, (error) => isStoreError(error, 'failed'))
      await store.check()
    })
  })

  describe('values', () => {
    test('text, large numbers and bytes are read exactly as they were written', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const email = `'"\\%_ é e\u0301 👨‍👩‍👧 \u202e ${'x'.repeat(10_000)}`
      const { id } = await insertUser(store.db, {
        ...user(accountId, email),
        created_at: Number.MAX_SAFE_INTEGER,
      })
      const read = await store.db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      assert.equal(read.email, email)
      assert.equal(read.created_at, Number.MAX_SAFE_INTEGER)

      const wrapped = Uint8Array.from({ length: 256 }, (_, index) => index)
      const scope = `bytes:${accountId}`
      await store.db.insertInto('data_keys').values({ scope, wrapped, created_at: NOON }).execute()
      const row = await store.db
        .selectFrom('data_keys')
        .select('wrapped')
        .where('scope', '=', scope)
        .executeTakeFirstOrThrow()
      assert.deepEqual(Uint8Array.from(row.wrapped), wrapped)
    })

    test('counts are numbers on every engine', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      await insertUser(store.db, user(accountId, 'a'))
      const row = await store.db
        .selectFrom('users')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      assert.equal(row.count, 1)
    })
  })
}
