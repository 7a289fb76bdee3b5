// Templates of the Cloud API dialect: one per account, name and language, removed with the account.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isStoreError } from '../kernel/store-error.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import * as templates from './template-queries.ts'

const template = (accountId: number, name: string, language: string) => ({
  account_id: accountId,
  name,
  language,
  category: 'UTILITY',
  components: '[]',
  created_at: NOON,
  updated_at: NOON,
})

export function templateConformance({ store: current }: Conformance): void {
  describe('templates of the Cloud API dialect', () => {
    test('are unique by name and language, found by both, and deleted in all languages or by id', async () => {
      const store = current()
      const [mine, other] = [await makeTenant(store), await makeTenant(store)]
      const add = (accountId: number, name: string, language: string) =>
        templates.insertTemplate(store.db, template(accountId, name, language))
      const english = await add(mine.accountId, 'hello', 'en')
      const german = await add(mine.accountId, 'hello', 'de')
      await add(mine.accountId, 'bye', 'en')
      await add(other.accountId, 'hello', 'en')
      await assert.rejects(add(mine.accountId, 'hello', 'en'), (error) => isStoreError(error, 'unique'))
      assert.equal(await templates.countTemplates(store.db, mine.accountId), 3)
      const named = await templates.listTemplates(store.db, mine.accountId, 'hello')
      assert.deepEqual(
        named.map(({ id }) => id),
        [english.id, german.id],
      )
      const found = await templates.findTemplate(store.db, mine.accountId, { name: 'hello', language: 'de' })
      assert.deepEqual(found, german)
      const remove = (id?: number) =>
        templates.deleteTemplates(store.db, mine.accountId, { name: 'hello', id })
      assert.deepEqual([await remove(german.id), await remove(german.id), await remove()], [1, 0, 1])
      assert.equal((await templates.listTemplates(store.db, mine.accountId, undefined)).length, 1)
      assert.equal(await templates.countTemplates(store.db, other.accountId), 1)
    })

    test('the first one is inserted once, beside one of the same name, and not again after it was deleted', async () => {
      const store = current()
      const [mine, other] = [await makeTenant(store), await makeTenant(store)]
      const insertFirst = (accountId: number) =>
        store.transaction((tx) =>
          templates.insertFirstTemplate(tx, template(accountId, 'hello_world', 'en_US')),
        )
      await Promise.all([1, 2, 3].map(() => insertFirst(mine.accountId)))
      assert.equal(await templates.countTemplates(store.db, mine.accountId), 1)
      await templates.deleteTemplates(store.db, mine.accountId, { name: 'hello_world', id: undefined })
      await insertFirst(mine.accountId)
      assert.equal(await templates.countTemplates(store.db, mine.accountId), 0)
      const own = await templates.insertTemplate(store.db, template(other.accountId, 'hello_world', 'en_US'))
      await insertFirst(other.accountId)
      assert.deepEqual(await templates.listTemplates(store.db, other.accountId, undefined), [own])
    })
  })
}
