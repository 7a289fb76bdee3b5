// Counts per hour: added up by several writers at once, sampled, read by steps; and what a counting store counts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failWaitingMessages } from '../instances/instance-queries.ts'
import { claim, settle } from '../sending/conformance-sends.ts'
import { makeAccount, makeInstance, makeTenant, NOON, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import { countedStore } from '../store/counted-store.ts'
import { addCounts, readCounts, readSamples, sampleSessions } from './queries.ts'
import type { CountDelta, Occurrence } from './rules-counted.ts'

const HOUR_MS = 60 * 60 * 1000
/** Hours that no other test uses: the gateway's counts are shared by all of them. */
const EARLY = NOON - 1000 * HOUR_MS

const delta = (instanceId: number, change: Partial<CountDelta> = {}): CountDelta => ({
  instance_id: instanceId,
  hour: EARLY,
  metric: 'sent',
  label: '',
  count: 1,
  ...change,
})

export function countConformance({ store: current }: Conformance): void {
  describe('counts per hour', () => {
    test('writers at once lose no count, in any order, and account and gateway have the sum', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const instances = [await makeInstance(store, accountId), await makeInstance(store, accountId)]
      const deltas = instances.flatMap((id) => times(4, (label) => delta(id, { label: String(label) })))
      await Promise.all(
        times(8, (round) =>
          store.transaction((tx) => addCounts(tx, round % 2 === 0 ? deltas : deltas.toReversed())),
        ),
      )
      const steps = { first: EARLY, stepMs: HOUR_MS, count: 1 }
      const total = async (of: { accountId: number; instanceIds: number[] | null }) =>
        (await readCounts(store.db, of, steps)).reduce((sum, { count }) => sum + count, 0)
      assert.equal(await total({ accountId, instanceIds: [instances[0] as number] }), 32)
      assert.equal(await total({ accountId, instanceIds: instances }), 64)
      assert.equal(await total({ accountId, instanceIds: null }), 64)
      assert.equal(await total({ accountId: 0, instanceIds: null }), 64)
      assert.equal(await total({ accountId, instanceIds: [] }), 0)
    })

    test('counts are read by steps, without those before and after', async () => {
      const store = current()
      const { accountId, instanceId } = await makeTenant(store)
      const hours = [-1, 0, 5, 6, 11, 12].map((hour) => delta(instanceId, { hour: EARLY + hour * HOUR_MS }))
      await store.transaction((tx) => addCounts(tx, hours))
      const steps = { first: EARLY, stepMs: 6 * HOUR_MS, count: 2 }
      const read = await readCounts(store.db, { accountId, instanceIds: null }, steps)
      assert.deepEqual(
        read.sort((one, other) => one.step - other.step),
        [0, 1].map((step) => ({ step, metric: 'sent', label: '', count: 2 })),
      )
    })

    test('a sample counts the instances of each account by state, and passes over accounts without any', async () => {
      const store = current()
      const accountId = await makeAccount(store)
      const hour = EARLY + 20 * HOUR_MS
      const sample = () => store.transaction((tx) => sampleSessions(tx, hour))
      await sample()
      for (const isOpen of [true, true, false]) {
        const id = await makeInstance(store, accountId)
        if (!isOpen)
          await store.db.updateTable('instances').set({ state: 'close' }).where('id', '=', id).execute()
      }
      for (let again = 0; again < 2; again += 1) await sample()
      const steps = { first: hour, stepMs: HOUR_MS, count: 1 }
      const read = await readCounts(store.db, { accountId, instanceIds: null }, steps)
      const sampled = read.map(({ metric, label, count }) => [metric, label, count]).sort()
      assert.deepEqual(sampled, [
        ['samples', '', 2],
        ['sessions', 'close', 2],
        ['sessions', 'open', 4],
      ])
      assert.deepEqual(await readSamples(store.db, accountId, steps), new Map([[0, 2]]))
    })

    test('a counting store counts what is committed, and nothing that is rolled back', async () => {
      const tenant = await makeTenant(current())
      const counted: Occurrence[] = []
      const store = countedStore(current(), (occurrence) => counted.push(occurrence))
      const { instanceId } = tenant
      for (let send = 0; send < 2; send += 1) await store.acceptSend(tenant.send())
      const [first] = await claim(store)
      assert.ok(first)
      await settle(store, first, { kind: 'sent', chat: first.chat, text: null })
      // Of a claim that is no longer valid.
      await settle(
        store,
        { ...first, fence: first.fence - 1 },
        { kind: 'sent', chat: first.chat, text: null },
      )
      const fail = async (isKept: boolean) =>
        store.instanceTransaction(instanceId, async (tx) => {
          const failure = { reason: 'logged_out', error: 'x' } as const
          await store.appendEvents(tx, await failWaitingMessages(tx, instanceId, failure, NOON))
          if (!isKept) throw new Error('rolled back')
        })
      await assert.rejects(fail(false), /rolled back/)
      await fail(true)
      assert.deepEqual(
        counted.map(({ instanceId: of, metric, label }) => [of, metric, label]),
        [
          [instanceId, 'sent', undefined],
          [instanceId, 'failed', 'logged_out'],
        ],
      )
    })
  })
}
