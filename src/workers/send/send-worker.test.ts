// The send worker on a store of each engine, with a session that follows a script.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { pino } from 'pino'
import { openStore } from '../../../bench/open-store.ts'
import { engines, type Place } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/linked.ts'
import { NetworkError, type NetworkSession, RESTRICTED_CODE, type SendResult } from '../../network/network.ts'
import { makeTenant, NOON } from '../../store/conformance/tenant.ts'
import { findMessage } from '../../store/queries/messages.ts'
import type { Store } from '../../store/store.ts'
import { type SendWorkerDeps, startSendWorker } from './send-worker.ts'

const startOn = (
  store: Store,
  session: NetworkSession,
  wakeCount = () => 0,
  observe: SendWorkerDeps['observe'] = () => undefined,
) =>
  startSendWorker({
    store,
    clock: () => NOON,
    logger: pino({ level: 'silent' }),
    perInstance: 5,
    openSession: () => session,
    addresses: { addressOf: async (_instanceId, chat) => chat, forget: async () => undefined },
    previewOf: async () => undefined,
    media: () => () => assert.fail('the message has no file'),
    onRestricted: async () => undefined,
    onSent: async () => undefined,
    observe,
    wakeCount,
  })

for (const engine of engines) {
  describe(`the send worker on ${engine.name}`, () => {
    let place: Place
    let store: Store
    // A store per test: the worker claims everything that is due.
    beforeEach(async () => {
      place = await engine.place()
      store = await openStore(place)
    })
    afterEach(async () => {
      await store.close()
      await place.dispose()
    })

    /** The network refuses a new chat after `wakes` wakes during the send. Returns when the message is due again. */
    async function refused(meanwhile: { wakes: number }): Promise<number | null> {
      const tenant = await makeTenant(store)
      const begun = Promise.withResolvers<void>()
      const answer = Promise.withResolvers<void>()
      let wakeCount = 0
      const session = {
        prepare: async () => new Uint8Array(1),
        async send() {
          begun.resolve()
          await answer.promise
          return { accepted: false, code: RESTRICTED_CODE, refusal: 'restricted' }
        },
      } as unknown as NetworkSession
      await store.acceptSend(tenant.send())
      const worker = startOn(store, session, () => wakeCount)
      worker.wake()
      await begun.promise
      wakeCount += meanwhile.wakes
      const stopped = worker.stop()
      answer.resolve()
      await stopped
      const lane = await store.db
        .selectFrom('lanes')
        .select('due_at')
        .where('instance_id', '=', tenant.instanceId)
        .executeTakeFirstOrThrow()
      return lane.due_at
    }

    interface Script {
      /** What the network answers to the message at that place. */
      send(place: number): Promise<SendResult>
      wrap?: (store: Store) => Store
    }

    /** A chat with four messages without a typing delay, and a scripted network. */
    async function chatOfFour({ send, wrap = (each) => each }: Script) {
      const tenant = await makeTenant(store)
      const ids: string[] = []
      for (let count = 0; count < 4; count += 1) {
        const wanted = tenant.send({ chat: 'a' })
        ids.push(wanted.messageId)
        await store.acceptSend(wanted)
      }
      const sent: number[] = []
      const session = {
        prepare: async () => new Uint8Array(1),
        send({ messageId }: { messageId: string }) {
          const place = ids.indexOf(messageId)
          sent.push(place)
          return send(place)
        },
      } as unknown as NetworkSession
      const observed: string[] = []
      const worker = startOn(wrap(store), session, undefined, (outcome, seconds, reason) => {
        assert.ok(seconds >= 0)
        observed.push(reason === undefined ? outcome : `${outcome} ${reason}`)
      })
      const statuses = async () => {
        const rows = await Promise.all(ids.map((id) => findMessage(store.db, tenant.accountId, id)))
        return rows.map((row) => row?.status)
      }
      const lane = () =>
        store.db
          .selectFrom('lanes')
          .select(['due_at', 'locked_until'])
          .where('instance_id', '=', tenant.instanceId)
          .executeTakeFirstOrThrow()
      return { worker, sent, statuses, lane, observed }
    }

    test('the next message of a chat is sent before the outcome of the last one is on disk', async () => {
      const next = Promise.withResolvers<void>()
      const { worker, sent, statuses } = await chatOfFour({
        async send(place) {
          if (place === 1) next.resolve()
          return { accepted: true }
        },
        wrap: (inner) => ({
          ...inner,
          async settleSend(request) {
            // If the worker awaited this before the next send, the test would never end.
            await next.promise
            return inner.settleSend(request)
          },
        }),
      })
      await until(
        'all sent',
        async () => (await statuses()).every((status) => status === 'sent') || undefined,
      )
      await worker.stop()
      assert.deepEqual(sent, [0, 1, 2, 3])
    })

    test('a message that is retried later ends the run: no message overtakes it', async () => {
      const failed = Promise.withResolvers<void>()
      const { worker, sent, statuses, lane } = await chatOfFour({
        async send(place) {
          if (place === 0) return { accepted: true }
          failed.resolve()
          throw new NetworkError('unavailable', 'the connection closed')
        },
      })
      await failed.promise
      await until('a free lane', async () => (await lane()).locked_until === null || undefined)
      await worker.stop()
      assert.deepEqual(sent, [0, 1])
      assert.deepEqual(await statuses(), ['sent', 'sending', 'sending', 'sending'])
      assert.ok(((await lane()).due_at ?? 0) > NOON)
    })

    test('each try is observed with its outcome, and a failure with its reason', async () => {
      const { worker, lane, observed } = await chatOfFour({
        async send(place) {
          if (place === 0) return { accepted: true }
          if (place === 1) return { accepted: false, refusal: 'permanent', code: 479 }
          throw new NetworkError('unavailable', 'the connection closed')
        },
      })
      await until('three tries', async () => observed[2])
      await until('a free lane', async () => (await lane()).locked_until === null || undefined)
      await worker.stop()
      assert.deepEqual(observed, ['sent', 'failed rejected_by_network', 'retry'])
    })

    test('a stopping worker finishes the current message and frees the lane for the next process', async () => {
      const begun = Promise.withResolvers<void>()
      const answer = Promise.withResolvers<void>()
      const { worker, sent, statuses, lane } = await chatOfFour({
        async send() {
          begun.resolve()
          await answer.promise
          return { accepted: true }
        },
      })
      await begun.promise
      const stopped = worker.stop()
      answer.resolve()
      await stopped
      assert.deepEqual(sent, [0])
      assert.deepEqual(await statuses(), ['sent', 'sending', 'sending', 'sending'])
      assert.deepEqual(await lane(), { due_at: NOON, locked_until: null })
    })

    test('a new chat that the network refuses is held back', async () => {
      assert.equal(await refused({ wakes: 0 }), NOON + 5 * 60_000)
    })

    test('a message is due at once if the restriction ends while it is being refused', async () => {
      assert.equal(await refused({ wakes: 1 }), NOON)
    })
  })
}
