// Assignment of chats to users: filtered by, ended with the user, and kept when two chats become one.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deleteUser, findUser, insertUser } from '../accounts/account-queries.ts'
import { ensureChat, listChats } from '../contacts/contact-queries.ts'
import { mergePerson } from '../contacts/merge-queries.ts'
import { makeTenant, NOON, type Tenant } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import { lockInstance } from '../store/locks.ts'
import type { Store } from '../store/store.ts'
import { updateChat } from './chat-queries.ts'

const [LID, PHONE] = ['78@lid', '5511912345679']
const ANA = `${PHONE}@s.whatsapp.net`
const TIMES = { created_at: NOON, updated_at: NOON }

const addUser = async (store: Store, { accountId }: Tenant, email = 'ben@example.com') =>
  (await insertUser(store.db, { account_id: accountId, name: 'Ben', email, ...TIMES })).id

async function assign(store: Store, { instanceId }: Tenant, jid: string, userId: number | null) {
  const { id } = await ensureChat(store.db, { instanceId, jid, isGroup: false, now: NOON })
  await updateChat(store.db, id, { assigned_user_id: userId })
}

const chatsOf = async (store: Store, { instanceId }: Tenant, assignedTo: number | null | undefined) => {
  const rest = { jids: undefined, archived: undefined, pinned: undefined, label: undefined }
  const found = await listChats(store.db, { instanceId, ...rest, assignedTo, limit: 10, offset: 0 })
  return found.map(({ jid }) => jid).sort()
}

export function assignmentConformance({ store: current }: Conformance): void {
  const begin = async () => ({ store: current(), tenant: await makeTenant(current()) })
  describe('assignment', () => {
    test('selects the chats of a user or without one, and is removed with the user', async () => {
      const { store, tenant } = await begin()
      const ben = await addUser(store, tenant)
      await assign(store, tenant, ANA, ben)
      await assign(store, tenant, LID, null)
      assert.deepEqual(await chatsOf(store, tenant, ben), [ANA])
      assert.deepEqual(await chatsOf(store, tenant, null), [LID])
      assert.equal((await chatsOf(store, tenant, undefined)).length, 2)
      assert.ok(await deleteUser(store.db, tenant.accountId, ben))
      assert.deepEqual(await chatsOf(store, tenant, null), [ANA, LID].sort())
    })

    test('a user is found only in their own account', async () => {
      const { store, tenant } = await begin()
      const other = await makeTenant(store)
      const ben = await addUser(store, tenant)
      assert.equal((await findUser(store.db, tenant.accountId, ben))?.id, ben)
      assert.equal(await findUser(store.db, other.accountId, ben), undefined)
    })

    test('of the chat of a lid stays when it becomes the chat of a number', async () => {
      const { store, tenant } = await begin()
      const ben = await addUser(store, tenant)
      await assign(store, tenant, LID, ben)
      await assign(store, tenant, ANA, null)
      await store.transaction(async (tx) => {
        await lockInstance(tx, tenant.instanceId)
        await mergePerson(tx, { instanceId: tenant.instanceId, lid: LID, phone: PHONE, now: NOON })
      })
      assert.deepEqual(await chatsOf(store, tenant, ben), [ANA])
    })
  })
}
