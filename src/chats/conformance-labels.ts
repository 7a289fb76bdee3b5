// Labels: counted, filtered by, taken from chats with their deletion, and kept when two chats become one.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ensureChat, listChats } from '../contacts/contact-queries.ts'
import { mergePerson } from '../contacts/merge-queries.ts'
import { makeTenant, NOON, type Tenant } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import { lockInstance } from '../store/locks.ts'
import type { Store } from '../store/store.ts'
import * as labels from './label-queries.ts'

const [LID, PHONE] = ['77@lid', '5511912345678']
const ANA = `${PHONE}@s.whatsapp.net`

const save = (store: Store, { instanceId }: Tenant, id: string, deleted: 0 | 1 = 0, name = `Label ${id}`) =>
  labels.saveLabel(store.db, {
    instance_id: instanceId,
    label_id: id,
    name,
    color: 1,
    predefined_id: null,
    deleted,
    updated_at: NOON,
  })

async function give(store: Store, { instanceId }: Tenant, jid: string, id: string, labeled = true) {
  const chat = await ensureChat(store.db, { instanceId, jid, isGroup: false, now: NOON })
  const row = { chat_id: chat.id, instance_id: instanceId, label_id: id }
  return { chatId: chat.id, changed: await labels.setChatLabel(store.db, row, labeled) }
}

const chatsWith = async (store: Store, { instanceId }: Tenant, label: string | undefined) => {
  const filter = { instanceId, jids: undefined, archived: undefined, pinned: undefined, label }
  return (await listChats(store.db, { ...filter, limit: 10, offset: 0 })).map(({ jid }) => jid)
}

export function labelConformance({ store: current }: Conformance): void {
  const begin = async () => ({ store: current(), tenant: await makeTenant(current()) })
  describe('labels', () => {
    test('are listed in the order of their ids with their chats, and belong to one instance', async () => {
      const { store, tenant } = await begin()
      const other = await makeTenant(store)
      for (const id of ['10', '2', '3']) await save(store, tenant, id)
      await save(store, tenant, '3', 1)
      await save(store, other, '2', 0, 'Of another account')
      await give(store, tenant, ANA, '10')
      await give(store, other, ANA, '2')
      const found = await labels.listLabels(store.db, tenant.instanceId)
      assert.deepEqual(
        found.map(({ label_id: id, name, chats }) => [id, name, chats]),
        [
          ['2', 'Label 2', 0],
          ['10', 'Label 10', 1],
        ],
      )
      assert.equal((await labels.listAllLabels(store.db, tenant.instanceId)).length, 3)
      assert.equal(await labels.findLabel(store.db, tenant.instanceId, '3'), undefined)
    })

    test('are given to a chat and taken from it once', async () => {
      const { store, tenant } = await begin()
      await save(store, tenant, '1')
      assert.equal((await give(store, tenant, ANA, '1')).changed, true)
      const { chatId, changed } = await give(store, tenant, ANA, '1')
      assert.equal(changed, false)
      assert.deepEqual((await labels.findLabelsOf(store.db, [chatId])).get(chatId), [
        { id: '1', name: 'Label 1', color: 1 },
      ])
      assert.equal((await give(store, tenant, ANA, '1', false)).changed, true)
      assert.equal((await give(store, tenant, ANA, '1', false)).changed, false)
      assert.equal((await labels.findLabelsOf(store.db, [chatId])).get(chatId), undefined)
    })

    test('select the chats of a list; a label that is not known yet is shown when it comes', async () => {
      const { store, tenant } = await begin()
      const { chatId } = await give(store, tenant, ANA, '1')
      await ensureChat(store.db, { instanceId: tenant.instanceId, jid: LID, isGroup: false, now: NOON })
      assert.deepEqual(await chatsWith(store, tenant, '1'), [ANA])
      assert.deepEqual(await chatsWith(store, tenant, '2'), [])
      assert.equal((await chatsWith(store, tenant, undefined)).length, 2)
      assert.equal((await labels.findLabelsOf(store.db, [chatId])).size, 0)
      await save(store, tenant, '1')
      assert.equal((await labels.findLabelsOf(store.db, [chatId])).size, 1)
    })

    test('are taken from their chats when they are deleted', async () => {
      const { store, tenant } = await begin()
      await save(store, tenant, '1')
      await give(store, tenant, ANA, '1')
      await save(store, tenant, '1', 1)
      await save(store, tenant, '1')
      assert.deepEqual(await chatsWith(store, tenant, '1'), [])
    })

    test('of both chats of a person are those of the one that stays', async () => {
      const { store, tenant } = await begin()
      for (const id of ['1', '2']) await save(store, tenant, id)
      await give(store, tenant, LID, '1')
      await give(store, tenant, LID, '2')
      const { chatId } = await give(store, tenant, ANA, '2')
      await store.transaction(async (tx) => {
        await lockInstance(tx, tenant.instanceId)
        await mergePerson(tx, { instanceId: tenant.instanceId, lid: LID, phone: PHONE, now: NOON })
      })
      const kept = (await labels.findLabelsOf(store.db, [chatId])).get(chatId) ?? []
      assert.deepEqual(
        kept.map(({ id }) => id),
        ['1', '2'],
      )
    })
  })
}
