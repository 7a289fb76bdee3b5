// A person under a lid and a number becomes one person: nothing is lost, counted twice or reordered.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { incrementUsage, readUsage } from '../accounts/account-queries.ts'
import { listMessagesBefore } from '../messages/conversation-queries.ts'
import { receivedMessage, reportOf } from '../receiving/conformance-arrivals.ts'
import { accept, claim, contents, SENT, settle } from '../sending/conformance-sends.ts'
import { makeTenant, NOON, queuedCount, type Tenant } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import { lockInstance } from '../store/locks.ts'
import type { Store } from '../store/store.ts'
import { ensureChat, findChat, findContactByJid, insertContact } from './contact-queries.ts'
import { findStoredByLid, mergePerson } from './merge-queries.ts'
import { addSubscription, listSubscriptions } from './presence-queries.ts'
import { findPhone } from './reported-queries.ts'

const [LID, PHONE] = ['77@lid', '5511912345678']
const ANA = `${PHONE}@s.whatsapp.net`

const SENDS = 60
/** Far more than the clock of the test moves on. */
const LOCK_MS = 100_000

const tryMerge = (store: Store, { instanceId }: Tenant, now: number) =>
  store.transaction(async (tx) => {
    assert.ok(await lockInstance(tx, instanceId))
    return mergePerson(tx, { instanceId, lid: LID, phone: PHONE, now })
  })

async function merge(store: Store, tenant: Tenant, now = NOON + 9) {
  const merged = await tryMerge(store, tenant, now)
  assert.ok(merged)
  return merged
}

const receive = (store: Store, tenant: Tenant, chat: string, id: string, at: number) =>
  store.recordReports([
    reportOf(tenant, { messages: [receivedMessage(tenant, id, { chat, created_at: at, listed_at: at })] }),
  ])

async function save(store: Store, { accountId, instanceId }: Tenant, jid: string, notes: string | null) {
  const chat = await ensureChat(store.db, { instanceId, jid, isGroup: false, now: NOON })
  await incrementUsage(store.db, { accountId, resource: 'contacts', period: 0 }, null)
  await insertContact(store.db, {
    account_id: accountId,
    instance_id: instanceId,
    chat_id: chat.id,
    name: `Ana ${jid}`,
    phone: jid === ANA ? PHONE : null,
    jid,
    is_group: 0,
    assigned_user_id: null,
    assigned_department_id: null,
    funnel_stage_id: null,
    notes,
    custom_data: JSON.stringify({ [jid]: 1 }),
    sort_name: 'ana',
    search_text: 'ana',
    created_at: NOON,
    updated_at: NOON,
  })
}

export function mergeConformance({ store: current }: Conformance): void {
  const begin = async () => {
    const store = current()
    return { store, tenant: await makeTenant(store) }
  }

  describe('a person under two identifiers', () => {
    test('is found only while something is stored under the lid', async () => {
      const { store, tenant } = await begin()
      const both = [{ lid: LID, phone: PHONE }]
      const find = () => findStoredByLid(store.db, tenant.instanceId, both)
      assert.deepEqual(await find(), [])
      await accept(store, tenant, LID, 'waiting')
      assert.deepEqual(await find(), both)
      await merge(store, tenant)
      assert.deepEqual(await find(), [])
    })

    test('has the messages of both in one list, with the unread messages and the newest of both', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      await receive(store, tenant, LID, 'l1', NOON + 1000)
      await receive(store, tenant, ANA, 'n1', NOON + 3000)
      await receive(store, tenant, LID, 'l2', NOON + 5000)
      const { chat, contact, removedContactId } = await merge(store, tenant)
      assert.deepEqual([contact, removedContactId], [undefined, null])
      const listed = await listMessagesBefore(store.db, { instanceId, chats: [ANA], before: null, limit: 9 })
      assert.deepEqual(
        listed.map(({ id, number }) => [id, number]),
        [
          ['l2', PHONE],
          ['n1', null],
          ['l1', PHONE],
        ],
      )
      assert.deepEqual(
        [chat?.jid, chat?.unread_count, chat?.last_message_text, chat?.last_message_at],
        [ANA, 3, 'l2', NOON + 5000],
      )
      assert.equal(await findChat(store.db, instanceId, LID), undefined)
      assert.equal(await findPhone(store.db, instanceId, LID), PHONE)
    })

    test('keeps the only chat, its picture is fetched again, and the presence is followed once', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      await receive(store, tenant, LID, 'l1', NOON)
      const before = await findChat(store.db, instanceId, LID)
      const picture = { instance_id: instanceId, jid: LID, status: 'present', due_at: NOON }
      await store.db.insertInto('pictures').values(picture).execute()
      const follow = (jid: string) =>
        addSubscription(store.db, {
          instance_id: instanceId,
          jid,
          lid: null,
          presence: null,
          last_seen: null,
          updated_at: NOON,
        })
      await follow(LID)
      const { chat } = await merge(store, tenant)
      assert.deepEqual([chat?.id, chat?.jid, chat?.unread_count], [before?.id, ANA, 1])
      const pictures = await store.db.selectFrom('pictures').select(['jid', 'status']).execute()
      assert.deepEqual(
        pictures.filter(({ jid }) => jid === ANA || jid === LID),
        [{ jid: ANA, status: 'unknown' }],
      )
      const followed = async () =>
        (await listSubscriptions(store.db, instanceId)).map(({ jid, lid }) => [jid, lid])
      assert.deepEqual(await followed(), [[ANA, LID]])
      await follow(LID)
      await merge(store, tenant)
      assert.deepEqual(await followed(), [[ANA, LID]])
    })

    test('sends wait in one lane, in the order in which they were accepted', async () => {
      const { store, tenant } = await begin()
      const sends = [
        ['1', LID],
        ['2', ANA],
        ['3', LID],
        ['4', ANA],
      ] as const
      for (const [index, [content, chat]] of sends.entries()) {
        const send = tenant.send({ chat, content, createdAt: NOON + index })
        assert.equal((await store.acceptSend(send)).outcome, 'accepted')
      }
      await merge(store, tenant)
      assert.equal(await queuedCount(store, tenant.instanceId), 4)
      await accept(store, tenant, ANA, '5')
      const claimed = await claim(store, { now: NOON + 50, runLength: 10 })
      assert.deepEqual(contents(claimed), ['1', '2', '3', '4', '5'])
      assert.deepEqual(new Set(claimed.map(({ chat }) => chat)), new Set([ANA]))
      for (const [index, one] of claimed.entries())
        assert.equal(await settle(store, one, SENT, NOON + 60, index === 4), true)
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
    })

    test('nothing is merged while a worker sends to the lid; after its lock the message is sent first again', async () => {
      const { store, tenant } = await begin()
      await accept(store, tenant, LID, 'begun')
      const [begun] = await claim(store, { lockMs: 1000 })
      assert.ok(begun)
      await accept(store, tenant, LID, 'next')
      assert.equal(await tryMerge(store, tenant, NOON + 999), undefined)
      assert.equal(await findPhone(store.db, tenant.instanceId, LID), null)
      await merge(store, tenant, NOON + 1000)
      const [again, ...others] = await claim(store, { now: NOON + 1000 })
      assert.deepEqual(
        [again?.content, again?.messageId, again?.tries, others],
        ['begun', begun.messageId, 2, []],
      )
      assert.equal(await settle(store, begun, SENT), false)
      assert.equal(await queuedCount(store, tenant.instanceId), 2)
      assert.equal(again && (await settle(store, again, SENT, NOON + 1020)), true)
      assert.deepEqual(contents(await claim(store, { now: NOON + 1030 })), ['next'])
    })

    for (const merges of ['once', 'again and again'] as const)
      test(`messages that are accepted and sent while the person is merged ${merges} leave in their order, each once`, async () => {
        const { store, tenant } = await begin()
        const { instanceId } = tenant
        let [now, isDone, mergedAt] = [NOON, false, -1]
        const left: string[] = []
        async function acceptAll(): Promise<void> {
          for (let index = 0; index < SENDS; index += 1) {
            const chat = (await findPhone(store.db, instanceId, LID)) === null ? LID : ANA
            now += 1
            const send = tenant.send({ chat, content: String(index), createdAt: now })
            assert.equal((await store.acceptSend(send)).outcome, 'accepted')
          }
        }
        async function sendAll(): Promise<void> {
          while (left.length < SENDS) {
            now += 1
            const claimed = await claim(store, { now, lockMs: LOCK_MS, runLength: 3 })
            for (const [index, one] of claimed.entries()) {
              left.push(one.content)
              // The lane stays locked between the messages of a run, and a merge is tried meanwhile.
              await new Promise(setImmediate)
              const isLast = claimed[index + 1]?.lane !== one.lane
              assert.equal(await settle(store, one, SENT, now, isLast), true, 'the worker has kept its lane')
            }
            if (claimed.length === 0) await new Promise(setImmediate)
          }
          isDone = true
        }
        async function mergeMeanwhile(): Promise<void> {
          const isOver = () => isDone || (mergedAt >= 0 && merges === 'once')
          while (!isOver()) {
            const merged = await tryMerge(store, tenant, now)
            if (merged && mergedAt < 0) mergedAt = left.length
            await new Promise(setImmediate)
          }
        }
        await Promise.all([acceptAll(), sendAll(), mergeMeanwhile()])
        assert.ok(mergedAt >= 0 && mergedAt < SENDS, `merged after ${mergedAt} messages`)
        assert.deepEqual(
          left,
          Array.from({ length: SENDS }, (_, index) => String(index)),
        )
        assert.equal(await queuedCount(store, instanceId), 0)
      })

    test('a scheduled message goes to the number; quotas and idempotency keys stay', async () => {
      const { store, tenant } = await begin()
      const { accountId } = tenant
      const idempotency = { key: 'k', fingerprint: 'f', answer: '{"messageId":"first"}' }
      const send = tenant.send({ chat: LID, number: null, sendAt: NOON + 1000, idempotency })
      assert.equal((await store.acceptSend(send)).outcome, 'accepted')
      const used = () =>
        store.db
          .selectFrom('usage')
          .select(['resource', 'used'])
          .where('account_id', '=', accountId)
          .execute()
      const before = await used()
      await merge(store, tenant)
      assert.deepEqual(await used(), before)
      const row = await store.db
        .selectFrom('messages')
        .select(['chat', 'number', 'status', 'lane'])
        .where('id', '=', send.messageId)
        .executeTakeFirstOrThrow()
      assert.deepEqual(row, { chat: ANA, number: PHONE, status: 'scheduled', lane: null })
      const repeated = await store.acceptSend({ ...send, messageId: 'other' })
      assert.deepEqual(repeated, { outcome: 'replayed', answer: idempotency.answer })
    })

    test('one contact stays, with what both had, and is counted once', async () => {
      const { store, tenant } = await begin()
      const { instanceId, accountId } = tenant
      await save(store, tenant, LID, 'met online')
      const only = await merge(store, tenant)
      assert.deepEqual(
        [only.contact?.jid, only.contact?.phone, only.contact?.notes, only.removedContactId],
        [ANA, PHONE, 'met online', null],
      )
      assert.match(only.contact?.search_text ?? '', new RegExp(PHONE))
      await save(store, tenant, LID, 'again')
      const kept = await findContactByJid(store.db, instanceId, ANA)
      const removed = await findContactByJid(store.db, instanceId, LID)
      const both = await merge(store, tenant)
      assert.deepEqual(
        [both.contact?.id, both.contact?.notes, both.contact?.custom_data, both.removedContactId],
        [kept?.id, 'met online', JSON.stringify({ [LID]: 1 }), removed?.id],
      )
      const { contact_count: count } = await store.db
        .selectFrom('instances')
        .select('contact_count')
        .where('id', '=', instanceId)
        .executeTakeFirstOrThrow()
      const used = await readUsage(store.db, { accountId, resource: 'contacts', period: 0 })
      assert.deepEqual([count, used], [1, 1])
    })
  })
}
