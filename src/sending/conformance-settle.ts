// Settling sends: outcomes, the chats that they change, and the fencing token that rejects former owners.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MESSAGE_STATUSES } from '../contract/sending.ts'
import { failWaitingMessages } from '../instances/instance-queries.ts'
import { findMessage, findSentPayload } from '../messages/message-queries.ts'
import { makeTenant, NOON, queuedCount, removeInstance, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { accept, claim, contents, SENT, settle } from './conformance-sends.ts'
import type { ClaimedSend } from './outbox.ts'
import { isWaiting, laneDueAt, type SendOutcome, statusAfter } from './rules-settle-send.ts'

const logOut = (store: Store, instanceId: number): Promise<unknown> =>
  store.transaction((tx) =>
    failWaitingMessages(tx, instanceId, { reason: 'logged_out', error: 'Out.' }, NOON),
  )

const OUTCOMES: SendOutcome[] = [
  SENT,
  { kind: 'failed', reason: 'rejected_by_network', error: 'No.', code: null },
  { kind: 'retry', at: NOON + 500 },
]

export function settleConformance({ store: current }: Conformance): void {
  describe('settling sends', () => {
    test('a retry keeps the order: the lane waits until the retry is due', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      const [first] = await claim(store)
      await settle(store, first as ClaimedSend, { kind: 'retry', at: NOON + 5000 })
      await accept(store, tenant, 'a', 'a3')
      assert.deepEqual(await claim(store, { now: NOON + 4999 }), [])
      // It may have reached the network: the status does not go back, and it can no longer be cancelled.
      const row = await findMessage(store.db, tenant.accountId, first?.messageId ?? '')
      assert.equal(row?.status, 'sending')
      const [again] = await claim(store, { now: NOON + 5000 })
      assert.deepEqual([again?.content, again?.tries, again?.messageId], ['a1', 2, first?.messageId])
      assert.equal(await queuedCount(store, tenant.instanceId), 3)
    })

    test('a silent message does not become the last of its chat, and its change has an event', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const { instanceId } = tenant
      for (const content of ['a1', 'a2']) await accept(store, tenant, 'a', content)
      const [first, second] = await claim(store, { runLength: 2 })
      await settle(store, first as ClaimedSend, { kind: 'sent', chat: 'a', text: 'a message' }, NOON, false)
      const change = {
        instanceId,
        name: 'messages.reaction',
        data: '{"emoji":"x"}',
        createdAt: NOON,
      } as const
      const silent: SendOutcome = { kind: 'sent', chat: 'a', text: 'x', isSilent: true, change }
      assert.equal(await settle(store, second as ClaimedSend, silent, NOON + 1), true)
      const chat = await store.db
        .selectFrom('chats')
        .select(['last_message_text', 'last_message_at'])
        .where('instance_id', '=', instanceId)
        .executeTakeFirstOrThrow()
      assert.deepEqual(chat, { last_message_text: 'a message', last_message_at: NOON })
      const events = await store.db
        .selectFrom('events')
        .select('name')
        .where('instance_id', '=', instanceId)
        .orderBy('sequence', 'desc')
        .limit(2)
        .execute()
      assert.deepEqual(
        events.map(({ name }) => name),
        ['messages.reaction', 'messages.update'],
      )
    })

    test('a failed message has its reason, and its lane continues', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      const [first] = await claim(store)
      const failure = { kind: 'failed', reason: 'rejected_by_network', error: 'No.', code: 463 } as const
      assert.equal(await settle(store, first as ClaimedSend, failure), true)
      const row = await findMessage(store.db, tenant.accountId, messageId)
      assert.deepEqual(
        [row?.status, row?.failure_reason, row?.failure_error, row?.failure_code, row?.sent_at],
        ['failed', 'rejected_by_network', 'No.', 463, null],
      )
      assert.deepEqual(contents(await claim(store)), ['a2'])
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
    })

    test('messages to one person under two numbers share a chat, with the later text as its last', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const ids = [await accept(store, tenant, 'a', 'a1'), await accept(store, tenant, 'b', 'b1')]
      const claimed = await claim(store)
      await Promise.all(
        claimed.map((each) => settle(store, each, { kind: 'sent', chat: 'ab', text: each.content })),
      )
      const chats = await store.db
        .selectFrom('chats')
        .selectAll()
        .where('instance_id', '=', tenant.instanceId)
        .execute()
      assert.deepEqual(
        chats.map((chat) => [chat.jid, chat.last_message_text, chat.last_message_at, chat.active_at]),
        [['ab', 'b1', NOON, NOON]],
      )
      for (const id of ids) assert.equal((await findMessage(store.db, tenant.accountId, id))?.chat, 'ab')
    })

    test('a chat keeps its last message when an earlier one is settled late', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'b', 'b1')
      const [early, late] = (await claim(store)) as [ClaimedSend, ClaimedSend]
      await settle(store, late, { kind: 'sent', chat: 'ab', text: 'late' }, NOON + 5)
      await settle(store, early, { kind: 'sent', chat: 'ab', text: 'early' }, NOON + 1)
      const chat = await store.db
        .selectFrom('chats')
        .select(['last_message_text', 'last_message_at', 'active_at'])
        .where('instance_id', '=', tenant.instanceId)
        .executeTakeFirstOrThrow()
      assert.deepEqual(Object.values(chat), ['late', NOON + 5, NOON + 5])
    })

    test('a lane whose last messages are settled in one commit rests', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const content of ['1', '2', '3']) await accept(store, tenant, 'a', content)
      const [first, second, third] = (await claim(store, { runLength: 3 })) as [
        ClaimedSend,
        ClaimedSend,
        ClaimedSend,
      ]
      await Promise.all([
        settle(store, first, SENT, NOON, false),
        settle(store, second, SENT, NOON, false),
        settle(store, third, SENT),
      ])
      const lane = await store.db
        .selectFrom('lanes')
        .select(['due_at', 'locked_until'])
        .where('key', '=', third.lane)
        .executeTakeFirstOrThrow()
      assert.deepEqual(lane, { due_at: null, locked_until: null })
    })

    test('an emptied lane is due at once with the next send', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await settle(store, (await claim(store))[0] as ClaimedSend, SENT)
      assert.deepEqual(await claim(store), [])
      await accept(store, tenant, 'a', 'a2')
      assert.deepEqual(contents(await claim(store)), ['a2'])
    })

    test('a settlement with an older fencing token is rejected and changes nothing', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', 'a1')
      const [former] = await claim(store, { lockMs: 1000 })
      const [owner] = await claim(store, { owner: 'two', now: NOON + 1000 })
      const failure = { kind: 'failed', reason: 'expired', error: 'Too late.', code: null } as const
      assert.equal(await settle(store, former as ClaimedSend, failure), false)
      assert.equal((await findMessage(store.db, tenant.accountId, messageId))?.status, 'sending')
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
      assert.equal(await settle(store, owner as ClaimedSend, SENT), true)
      assert.equal((await findMessage(store.db, tenant.accountId, messageId))?.status, 'sent')
    })

    test('an owner whose lock has expired can settle as long as the lane was not claimed again', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const [owner] = await claim(store, { lockMs: 1000 })
      assert.equal(await settle(store, owner as ClaimedSend, SENT, NOON + 60_000), true)
    })

    test('settling releases the lane of an instance that is not open, and nothing of it is claimed', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      const [owner] = await claim(store)
      const setState = (state: 'open' | 'connecting') =>
        store.db.updateTable('instances').set({ state }).where('id', '=', tenant.instanceId).execute()
      await setState('connecting')
      const [settled, claimed] = await Promise.all([settle(store, owner as ClaimedSend, SENT), claim(store)])
      assert.deepEqual([settled, claimed], [true, []])
      await setState('open')
      assert.equal((await claim(store)).length, 1)
    })

    test('a message that is settled twice is counted once', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      const [owner] = await claim(store)
      const settled = await Promise.all(times(5, () => settle(store, owner as ClaimedSend, SENT)))
      assert.deepEqual(settled.sort(), [false, false, false, false, true])
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
    })

    test('a logout fails all waiting and claimed messages, and their later settlements are rejected', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const ids = [await accept(store, tenant, 'a', 'a1'), await accept(store, tenant, 'a', 'a2')]
      const [out] = await claim(store)
      await logOut(store, tenant.instanceId)
      assert.equal(await settle(store, out as ClaimedSend, SENT), false)
      assert.equal(await settle(store, out as ClaimedSend, { kind: 'retry', at: NOON }), false)
      assert.deepEqual(await claim(store, { now: NOON + 60_000 }), [])
      for (const messageId of ids) {
        const row = await findMessage(store.db, tenant.accountId, messageId)
        assert.deepEqual([row?.status, row?.failure_reason], ['failed', 'logged_out'])
      }
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
    })

    test('after a new login the lane continues with the next number', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const [out] = await claim(store)
      await logOut(store, tenant.instanceId)
      await accept(store, tenant, 'a', 'a2')
      const [next] = await claim(store)
      assert.ok(next)
      assert.equal(next.content, 'a2')
      assert.equal(await settle(store, out as ClaimedSend, SENT), false)
      assert.equal(await settle(store, next, SENT), true)
    })

    test('nothing of a deleted instance is claimed, and its messages can still be read', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', 'a1')
      const [out] = await claim(store)
      await store.transaction(async (tx) => {
        await failWaitingMessages(tx, tenant.instanceId, { reason: 'instance_deleted', error: 'Gone.' }, NOON)
        await removeInstance(tx, tenant.instanceId)
      })
      assert.equal(await settle(store, out as ClaimedSend, SENT), false)
      assert.deepEqual(await claim(store, { now: NOON + 60_000 }), [])
      const row = await findMessage(store.db, tenant.accountId, messageId)
      assert.equal(row?.failure_reason, 'instance_deleted')
    })

    test('claims, settlements, sends and logouts at once neither deadlock nor miscount', async () => {
      const store = current()
      const tenants = [await makeTenant(store), await makeTenant(store)]
      const sends = tenants.flatMap((tenant) =>
        times(60, async (index) => {
          await store.acceptSend(tenant.send({ chat: `chat-${index % 6}` }))
        }),
      )
      const workers = times(4, async (index) => {
        for (let round = 0; round < 10; round += 1) {
          const claimed = await claim(store, { owner: `owner ${index}`, perInstance: 4, lockMs: 60_000 })
          await Promise.all(claimed.map((each) => settle(store, each, SENT)))
        }
      })
      const logouts = times(5, () => logOut(store, tenants[0]?.instanceId ?? 0))
      await Promise.all([...sends, ...workers, ...logouts])
      for (const { instanceId } of tenants) {
        const waiting = await store.db
          .selectFrom('messages')
          .select('row_id')
          .where('instance_id', '=', instanceId)
          .where('status', 'in', ['queued', 'sending'])
          .execute()
        assert.equal(await queuedCount(store, instanceId), waiting.length)
      }
    })

    for (const outcome of OUTCOMES) {
      test(`after the outcome "${outcome.kind}" message and lane are what the rule makes of them`, async () => {
        const store = current()
        const tenant = await makeTenant(store)
        for (const status of MESSAGE_STATUSES) {
          for (const isMoreWaiting of [false, true]) {
            const chat = `${status} ${isMoreWaiting}`
            const messageId = await accept(store, tenant, chat, 'first')
            const [claimed] = await claim(store)
            assert.ok(claimed)
            if (isMoreWaiting) await accept(store, tenant, chat, 'second')
            // What a receipt, or a logout and a new login, may have made of it meanwhile.
            await store.db.updateTable('messages').set({ status }).where('id', '=', messageId).execute()
            assert.equal(await settle(store, claimed, outcome), true)
            const row = await findMessage(store.db, tenant.accountId, messageId)
            assert.equal(row?.status, statusAfter(status, outcome), chat)
            const lane = await store.db
              .selectFrom('lanes')
              .select('due_at')
              .where('key', '=', claimed.lane)
              .executeTakeFirstOrThrow()
            const waits = isMoreWaiting || (isWaiting(status) && outcome.kind === 'retry')
            assert.equal(lane.due_at, laneDueAt(outcome, NOON, waits), chat)
            await logOut(store, tenant.instanceId)
          }
        }
      })
    }
  })
}

// Saving payloads: the first one of a message is kept.

export function payloadConformance({ store: current }: Conformance): void {
  describe('saving payloads', () => {
    test('the first payload of a message is kept, in one commit and in a later one', async () => {
      const store = current()
      const [{ instanceId }, other] = [await makeTenant(store), await makeTenant(store)]
      const save = (id: number, messageId: string, text: string) =>
        store.savePayload({ instanceId: id, messageId, payload: Buffer.from(text), acceptedAt: NOON })
      await Promise.all([
        save(instanceId, 'a', 'first'),
        save(instanceId, 'a', 'second'),
        save(instanceId, 'b', 'b'),
        save(other.instanceId, 'a', 'other'),
      ])
      await save(instanceId, 'a', 'third')
      const textOf = async (id: number, messageId: string) =>
        Buffer.from((await findSentPayload(store.db, id, messageId)) ?? []).toString()
      assert.deepEqual(
        [await textOf(instanceId, 'a'), await textOf(instanceId, 'b'), await textOf(other.instanceId, 'a')],
        ['first', 'b', 'other'],
      )
    })
  })
}
