// The worker that sends, on a store of each engine and a session that a test holds up.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { pino } from 'pino'
import { openStore } from '../../bench/open-store.ts'
import { engines, type Place } from '../../test/support/engines.ts'
import { until } from '../../test/support/linked.ts'
import { NetworkError, type NetworkSession, type SendResult } from '../network/network.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import { findMessage } from '../store/queries/messages.ts'
import type { Store } from '../store/store.ts'
import { startSendWorker } from './send-worker.ts'

const RESTRICTED_CODE = 463

const startOn = (store: Store, session: NetworkSession, hurriesOf = () => 0) =>
  startSendWorker({
    store,
    clock: () => NOON,
    logger: pino({ level: 'silent' }),
    perInstance: 5,
    live: () => session,
    addressOf: async (_instanceId, chat) => chat,
    media: () => assert.fail('there is no file'),
    onRestricted: async () => undefined,
    hurriesOf,
  })

for (const engine of engines) {
  describe(`the send worker on ${engine.name}`, () => {
    let place: Place
    let store: Store
    // For each its own: a worker takes up whatever is due, whoever left it there.
    beforeEach(async () => {
      place = await engine.place()
      store = await openStore(place)
    })
    afterEach(async () => {
      await store.close()
      await place.dispose()
    })

    /** Lets the network refuse a new chat after so many hurries. Returns when the message is due again. */
    async function refused(meanwhile: { hurries: number }): Promise<number | null> {
      const tenant = await makeTenant(store)
      const begun = Promise.withResolvers<void>()
      const answer = Promise.withResolvers<void>()
      let hurries = 0
      const session = {
        prepare: async () => new Uint8Array(1),
        async send() {
          begun.resolve()
          await answer.promise
          return { accepted: false, code: RESTRICTED_CODE }
        },
      } as unknown as NetworkSession
      await store.acceptSend(tenant.send())
      const worker = startOn(store, session, () => hurries)
      worker.wake()
      await begun.promise
      hurries += meanwhile.hurries
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
      /** What the network does with the message in that place. */
      send(place: number): Promise<SendResult>
      wrap?: (store: Store) => Store
    }

    /** A chat with four messages that need no typing, and a network that keeps to a script. */
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
      const worker = startOn(wrap(store), session)
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
      return { worker, sent, statuses, lane }
    }

    test('the next message of a chat does not wait until the word on the last is on disk', async () => {
      const next = Promise.withResolvers<void>()
      const { worker, sent, statuses } = await chatOfFour({
        async send(place) {
          if (place === 1) next.resolve()
          return { accepted: true }
        },
        wrap: (inner) => ({
          ...inner,
          async settleSend(request) {
            // Were it awaited first, this would wait for ever.
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

    test('a message that is put off ends the run: nothing overtakes it', async () => {
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

    test('a worker that stops sends what it is at, and leaves the rest of the run free for the next', async () => {
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

    test('a new chat that the network refuses waits', async () => {
      assert.equal(await refused({ hurries: 0 }), NOON + 5 * 60_000)
    })

    test('a restriction that ends while a message is being refused does not hold it any longer', async () => {
      assert.equal(await refused({ hurries: 1 }), NOON)
    })
  })
}
