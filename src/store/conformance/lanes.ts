// Lanes: strict order per chat, one owner at a time, at most so many of an instance.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Conformance } from '../conformance.ts'
import type { ClaimedSend, ClaimRequest, SendOutcome } from '../lanes.ts'
import { cancelMessage, findMessage } from '../queries/messages.ts'
import type { Store } from '../store.ts'
import { makeTenant, NOON, queuedCount, type Tenant, times } from './tenant.ts'

export const SENT: SendOutcome = { kind: 'sent', chat: '5511912345678@s.whatsapp.net', text: 'hi' }
export const claim = (store: Store, change: Partial<ClaimRequest> = {}): Promise<ClaimedSend[]> =>
  store.claimSends({
    owner: 'one',
    now: NOON,
    lockMs: 1000,
    limit: 100,
    runLength: 1,
    perInstance: 100,
    ...change,
  })
export const settle = (
  store: Store,
  claimed: ClaimedSend,
  outcome: SendOutcome,
  now = NOON,
  release = true,
): Promise<boolean> => store.settleSend({ ...claimed, now, outcome, release })
export const accept = async (
  store: Store,
  { send }: Tenant,
  chat: string,
  content: string,
): Promise<string> => {
  const wanted = send({ chat, content })
  assert.deepEqual(await store.acceptSend(wanted), { outcome: 'accepted' })
  return wanted.messageId
}
const contents = (claimed: ClaimedSend[]): string[] => claimed.map(({ content }) => content)

export function laneConformance({ engine, store: current, place }: Conformance): void {
  describe('lanes', () => {
    test('a claim gives the first of each lane with all that is needed to send it', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      await accept(store, tenant, 'b', 'b1')
      const claimed = await claim(store)
      assert.deepEqual(contents(claimed), ['a1', 'b1'])
      const { rowId: _rowId, lane: _lane, ...rest } = claimed[0] as ClaimedSend
      assert.deepEqual(rest, {
        fence: 1,
        instanceId: tenant.instanceId,
        messageId,
        chat: 'a',
        kind: 'text',
        content: 'a1',
        delayMs: 0,
        tries: 1,
        createdAt: NOON,
        restricted: false,
      })
      assert.equal((await findMessage(store.db, tenant.accountId, messageId))?.status, 'sending')
    })

    test('a lane goes out first in, first out', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const content of ['1', '2', '3', '4']) await accept(store, tenant, 'a', content)
      const seen: string[] = []
      for (let [head] = await claim(store); head; [head] = await claim(store)) {
        seen.push(head.content)
        assert.equal(await settle(store, head, SENT), true)
      }
      assert.deepEqual(seen, ['1', '2', '3', '4'])
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
    })

    test('a run is the first messages of a lane, under one hold that ends with the last', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const ids = []
      for (const content of ['1', '2', '3', '4']) ids.push(await accept(store, tenant, 'a', content))
      const run = await claim(store, { runLength: 3 })
      assert.deepEqual(contents(run), ['1', '2', '3'])
      assert.deepEqual(new Set(run.map(({ fence }) => fence)), new Set([1]))
      const [first, second, third] = run as [ClaimedSend, ClaimedSend, ClaimedSend]
      assert.equal(await settle(store, first, SENT, NOON, false), true)
      assert.deepEqual(await claim(store, { owner: 'two' }), [], 'the lane is still held')
      // Both on their way to the disk at once.
      const both = [settle(store, second, SENT, NOON, false), settle(store, third, SENT)]
      assert.deepEqual(await Promise.all(both), [true, true])
      assert.equal(await settle(store, third, SENT), false, 'it is over')
      assert.deepEqual(contents(await claim(store, { owner: 'two', runLength: 3 })), ['4'])
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
      const stored = await Promise.all(ids.map((id) => findMessage(store.db, tenant.accountId, id)))
      assert.deepEqual(
        stored.map((row) => row?.status),
        ['sent', 'sent', 'sent', 'sending'],
      )
    })

    test('a run ends before a message that is to be typed first; such a one goes alone', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const delayMs of [0, 0, 3000, 0])
        await store.acceptSend(tenant.send({ chat: 'a', delayMs, content: String(delayMs) }))
      const runs: string[][] = []
      for (
        let run = await claim(store, { runLength: 4 });
        run.length > 0;
        run = await claim(store, { runLength: 4 })
      ) {
        runs.push(contents(run))
        for (const [index, each] of run.entries())
          await settle(store, each, SENT, NOON, index === run.length - 1)
      }
      assert.deepEqual(runs, [['0', '0'], ['3000'], ['0']])
    })

    test('what is tried again goes alone, and what was claimed behind it keeps its place', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const content of ['1', '2', '3']) await accept(store, tenant, 'a', content)
      const [first] = await claim(store, { runLength: 2 })
      await settle(store, first as ClaimedSend, { kind: 'retry', at: NOON + 10 })
      assert.deepEqual(await claim(store, { runLength: 4 }), [])
      const later = { runLength: 4, now: NOON + 10 }
      const [again] = await claim(store, later)
      assert.equal(again?.content, '1')
      await settle(store, again, SENT, NOON + 10)
      assert.deepEqual(contents(await claim(store, later)), ['2'], 'tried or not: it was taken up once')
    })

    test('a held lane is nobody else’s; what arrives meanwhile waits its turn', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const [held] = await claim(store)
      await accept(store, tenant, 'a', 'a2')
      assert.deepEqual(await claim(store, { owner: 'two' }), [])
      await settle(store, held as ClaimedSend, SENT)
      assert.deepEqual(contents(await claim(store, { owner: 'two' })), ['a2'])
    })

    test('two owners at once: no lane has two, none is out of order, none is lost', async () => {
      const store = current()
      const other = engine.shared ? await place().open() : store
      try {
        const tenant = await makeTenant(store)
        for (const index of times(100, (each) => each)) {
          await accept(store, tenant, `chat-${index % 20}`, String(Math.floor(index / 20)))
        }
        const held = new Set<string>()
        const seen = new Map<string, string[]>()
        const work = async (by: Store, owner: string) => {
          while ((await queuedCount(store, tenant.instanceId)) > 0) {
            for (const claimed of await claim(by, { owner, limit: 7, lockMs: 60_000 })) {
              assert.ok(!held.has(claimed.lane), `${claimed.lane} has two owners`)
              held.add(claimed.lane)
              seen.set(claimed.lane, [...(seen.get(claimed.lane) ?? []), claimed.content])
              await by.check()
              held.delete(claimed.lane)
              assert.equal(await settle(by, claimed, SENT), true)
            }
          }
        }
        await Promise.all([work(store, 'one'), work(other, 'two')])
        assert.equal(seen.size, 20)
        for (const order of seen.values()) assert.deepEqual(order, ['0', '1', '2', '3', '4'])
      } finally {
        if (other !== store) await other.close()
      }
    })

    test('an instance never has more lanes in work than allowed, whoever claims', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await Promise.all(times(40, (index) => accept(store, tenant, `chat-${index}`, 'hi')))
      const claims = await Promise.all(
        times(8, (index) => claim(store, { owner: `owner ${index}`, perInstance: 3, limit: 1 })),
      )
      const held = claims.flat()
      assert.equal(held.length, 3)
      await settle(store, held[0] as ClaimedSend, SENT)
      assert.equal((await claim(store, { perInstance: 3 })).length, 1)
    })

    test('an instance with all its lanes in work holds up no other', async () => {
      const store = current()
      const [busy, other] = [await makeTenant(store), await makeTenant(store)]
      await Promise.all(times(200, (index) => accept(store, busy, `chat-${index}`, 'busy')))
      await claim(store, { perInstance: 2, limit: 2 })
      await accept(
        store,
        { ...other, send: (change) => other.send({ createdAt: NOON + 1, ...change }) },
        'a',
        'other',
      )
      const claimed = await claim(store, { perInstance: 2, limit: 2, now: NOON + 1 })
      assert.deepEqual(contents(claimed), ['other'])
    })

    test('a claim takes no more than asked, the longest due first', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const [chat, ageMs] of [
        ['young', 1],
        ['old', 3],
        ['middle', 2],
      ] as const) {
        await store.acceptSend(tenant.send({ chat, createdAt: NOON - ageMs, content: chat }))
      }
      assert.deepEqual(contents(await claim(store, { limit: 2 })), ['old', 'middle'])
      assert.deepEqual(contents(await claim(store, { limit: 2 })), ['young'])
    })

    test('a retry keeps its place: the lane waits for its time, and those behind with it', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      const [first] = await claim(store)
      await settle(store, first as ClaimedSend, { kind: 'retry', at: NOON + 5000 })
      await accept(store, tenant, 'a', 'a3')
      assert.deepEqual(await claim(store, { now: NOON + 4999 }), [])
      // It may have reached the network: the status does not go back, and it can be cancelled no more.
      const row = await findMessage(store.db, tenant.accountId, first?.messageId ?? '')
      assert.equal(row?.status, 'sending')
      const [again] = await claim(store, { now: NOON + 5000 })
      assert.deepEqual([again?.content, again?.tries, again?.messageId], ['a1', 2, first?.messageId])
      assert.equal(await queuedCount(store, tenant.instanceId), 3)
    })

    test('a message that failed is reported, and its lane goes on', async () => {
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

    test('what was cancelled is skipped, and a lane of nothing else rests until the next send', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const cancel = (messageId: string) =>
        store.transaction(async (tx) => {
          const row = await findMessage(tx, tenant.accountId, messageId)
          assert.ok(row && (await cancelMessage(tx, row, 'Cancelled.', NOON)))
        })
      await cancel(await accept(store, tenant, 'a', 'a1'))
      await accept(store, tenant, 'a', 'a2')
      await cancel(await accept(store, tenant, 'b', 'b1'))
      const claimed = await claim(store)
      assert.deepEqual(contents(claimed), ['a2'])
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
      await accept(store, tenant, 'b', 'b2')
      assert.deepEqual(contents(await claim(store)), ['b2'])
    })

    test('what is sent to one person under two numbers is one chat, with the later text as its last', async () => {
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

    test('a lane that was emptied takes the next send at once', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await settle(store, (await claim(store))[0] as ClaimedSend, SENT)
      assert.deepEqual(await claim(store), [])
      await accept(store, tenant, 'a', 'a2')
      assert.deepEqual(contents(await claim(store)), ['a2'])
    })
  })
}
