// The send worker on a store of each engine, with a session that follows a script.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { until } from '../../test/support/linked.ts'
import { manualTime } from '../../test/support/manual-time.ts'
import { openStore } from '../../test/support/open-store.ts'
import { RESTRICTED_CODE, sendWorkerDeps } from '../../test/support/send-worker-deps.ts'
import { findMessage } from '../messages/message-queries.ts'
import { NetworkError, type NetworkSession, type SendResult } from '../network/network.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import type { SendWorkerDeps } from './lane-run.ts'
import { startSendWorker } from './worker.ts'

const startOn = (
  store: Store,
  session: NetworkSession,
  wakeCount = () => 0,
  observe: SendWorkerDeps['observe'] = () => undefined,
  time: Pick<SendWorkerDeps, 'timers'> & { clock?: () => number } = {},
) => startSendWorker({ ...sendWorkerDeps(store, session), observe, wakeCount, ...time })

for (const engine of engines) {
  describe(`the send worker on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let store: Store
    // A store per test: the worker claims everything that is due.
    beforeEach(async () => {
      storeLocation = await engine.createLocation()
      store = await openStore(storeLocation)
    })
    afterEach(async () => {
      await store.close()
      await storeLocation.dispose()
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
      /** What the network answers to the message at that position. */
      send(position: number): Promise<SendResult>
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
          const position = ids.indexOf(messageId)
          sent.push(position)
          return send(position)
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
        async send(position) {
          if (position === 1) next.resolve()
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

    test('a lane with more messages than a run is emptied without a timer: its release claims the rest', async () => {
      const tenant = await makeTenant(store)
      for (let count = 0; count < 10; count += 1) await store.acceptSend(tenant.send())
      const all = Promise.withResolvers<void>()
      let sent = 0
      const session = {
        prepare: async () => new Uint8Array(1),
        async send() {
          sent += 1
          if (sent === 10) all.resolve()
          return { accepted: true }
        },
      } as unknown as NetworkSession
      // No poll comes from the clock.
      const worker = startOn(store, session, undefined, undefined, { timers: manualTime().timers })
      await all.promise
      await worker.stop()
    })

    test('a message that is retried later ends the run: no message overtakes it', async () => {
      const failed = Promise.withResolvers<void>()
      const { worker, sent, statuses, lane } = await chatOfFour({
        async send(position) {
          if (position === 0) return { accepted: true }
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
        async send(position) {
          if (position === 0) return { accepted: true }
          if (position === 1) return { accepted: false, refusal: 'permanent', code: 479 }
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

    const LOCK_MS = 180_000

    /** One message whose preparation ends when the test says so. `sent` has the name of the worker for each time that it leaves. */
    async function slowMessage() {
      const tenant = await makeTenant(store)
      const wanted = tenant.send()
      await store.acceptSend(wanted)
      const preparing = Promise.withResolvers<void>()
      const prepared = Promise.withResolvers<Uint8Array>()
      const sent: string[] = []
      const sessionOf = (name: string, prepare: NetworkSession['prepare']) =>
        ({
          prepare,
          async send() {
            sent.push(name)
            return { accepted: true }
          },
        }) as unknown as NetworkSession
      const slow = sessionOf('slow', (_chat, _content, _sources, signal) => {
        signal?.addEventListener('abort', () => prepared.reject(new Error('aborted')))
        preparing.resolve()
        return prepared.promise
      })
      const quick = sessionOf('quick', async () => new Uint8Array(1))
      const status = async () => (await findMessage(store.db, tenant.accountId, wanted.messageId))?.status
      return { slow, quick, sent, status, preparing: preparing.promise, prepared }
    }

    /** The store, and a function that resolves with the next claim. */
    function watchedClaims(inner: Store): { watched: Store; nextClaim(): Promise<void> } {
      let claimed = Promise.withResolvers<void>()
      const watched: Store = {
        ...inner,
        async claimSends(request) {
          const claims = await inner.claimSends(request)
          claimed.resolve()
          claimed = Promise.withResolvers<void>()
          return claims
        },
      }
      return { watched, nextClaim: () => claimed.promise }
    }

    test('a message that takes longer to prepare than its lock lasts leaves once', async () => {
      const { slow, quick, sent, status, preparing, prepared } = await slowMessage()
      const time = manualTime(NOON)
      const clock = { clock: time.now, timers: time.timers }
      const { watched, nextClaim } = watchedClaims(store)
      const first = startOn(watched, slow, undefined, undefined, clock)
      await preparing
      // Another process on the same database, and the same process, look for due lanes for half an hour.
      const other = startOn(watched, quick, undefined, undefined, clock)
      for (let minute = 0; minute < 30; minute += 1) {
        await time.advance(60_000)
        for (const worker of [first, other]) {
          const claim = nextClaim()
          worker.wake()
          await claim
        }
      }
      assert.deepEqual(sent, [])
      prepared.resolve(new Uint8Array(1))
      await until('sent', async () => (await status()) === 'sent' || undefined)
      await Promise.all([first.stop(), other.stop()])
      assert.deepEqual(sent, ['slow'])
    })

    test('the lock of a process that hangs expires, and what it prepared does not leave any more', async () => {
      const { slow, quick, sent, status, preparing, prepared } = await slowMessage()
      let now = NOON
      const ended = Promise.withResolvers<void>()
      // Its timers never run.
      const { timers } = manualTime()
      const first = startOn(store, slow, undefined, () => ended.resolve(), { clock: () => now, timers })
      await preparing
      now += LOCK_MS
      const other = startOn(store, quick, undefined, undefined, { clock: () => now })
      await until('sent', async () => (await status()) === 'sent' || undefined)
      prepared.resolve(new Uint8Array(1))
      await ended.promise
      await Promise.all([first.stop(), other.stop()])
      assert.deepEqual(sent, ['quick'])
    })

    test('a preparation that never ends does not keep its lock for ever', async () => {
      const { slow, quick, sent, status, preparing, prepared } = await slowMessage()
      prepared.promise.catch(() => undefined)
      const time = manualTime(NOON)
      const first = startOn(store, slow, undefined, undefined, { clock: time.now, timers: time.timers })
      await preparing
      await time.advance(61 * 60_000)
      await assert.rejects(prepared.promise, 'the preparation is aborted')
      await first.stop()
      const later = time.now() + LOCK_MS
      const other = startOn(store, quick, undefined, undefined, { clock: () => later })
      await until('sent', async () => (await status()) === 'sent' || undefined)
      await other.stop()
      assert.deepEqual(sent, ['quick'])
    })

    test('a message does not leave twice because the store was unavailable for longer than its lock lasts', async () => {
      const { quick, sent, status } = await slowMessage()
      let now = NOON
      let isAway = false
      const failed = Promise.withResolvers<void>()
      const failing: Store = {
        ...store,
        async settleSend(request) {
          if (sent.length > 0 && now === NOON) isAway = true
          if (!isAway) return store.settleSend(request)
          failed.resolve()
          throw new Error('away')
        },
        renewClaim: (renewal) => (isAway ? Promise.reject(new Error('away')) : store.renewClaim(renewal)),
        claimSends: (request) => (isAway ? Promise.reject(new Error('away')) : store.claimSends(request)),
      }
      const worker = startOn(failing, quick, undefined, undefined, { clock: () => now })
      await failed.promise
      now += 2 * LOCK_MS
      worker.wake()
      isAway = false
      worker.wake()
      await until('sent', async () => (await status()) === 'sent' || undefined)
      await worker.stop()
      assert.deepEqual(sent, ['quick'])
    })

    test('a message that is deleted after its forward was accepted is not forwarded, and a reply does not quote it', async () => {
      const tenant = await makeTenant(store)
      const original = tenant.send({ chat: 'a' })
      const target = { messageId: original.messageId, direction: 'outgoing' }
      const content = (refers: object) => JSON.stringify({ message: 'the deleted text', ...refers })
      const forward = tenant.send({ chat: 'b', content: content({ forwardOf: target }) })
      const edit = tenant.send({ chat: 'a', kind: 'edit', content: content({ target }) })
      const reply = tenant.send({ chat: 'a', content: content({ quoted: target }) })
      const deletion = tenant.send({ chat: 'a', kind: 'delete', content: JSON.stringify({ target }) })
      for (const each of [original, forward, edit, reply, deletion]) await store.acceptSend(each)
      await store.db
        .updateTable('messages')
        .set({ status: 'sent' })
        .where('id', '=', original.messageId)
        .execute()
      const sent = new Map<string, unknown>()
      let quoted: unknown
      const session = {
        async prepare(_chat: string, _content: unknown, context: { quoted?: unknown }) {
          quoted = context.quoted
          return new Uint8Array(1)
        },
        async send({ messageId }: { messageId: string }) {
          sent.set(messageId, quoted)
          return { accepted: true }
        },
      } as unknown as NetworkSession
      const worker = startOn(store, session)
      worker.wake()
      const outcomeOf = async ({ messageId }: { messageId: string }) => {
        const row = await findMessage(store.db, tenant.accountId, messageId)
        return row?.status === 'sent' ? 'sent' : (row?.failure_reason ?? undefined)
      }
      const outcomes = await Promise.all(
        [forward, edit, reply, deletion].map((each) => until('an outcome', () => outcomeOf(each))),
      )
      await worker.stop()
      assert.deepEqual(outcomes, ['target_deleted', 'target_deleted', 'sent', 'sent'])
      assert.deepEqual([sent.has(forward.messageId), sent.has(edit.messageId)], [false, false])
      assert.equal(sent.get(reply.messageId), undefined)
    })

    test('a new chat that the network refuses is deferred', async () => {
      assert.equal(await refused({ wakes: 0 }), NOON + 5 * 60_000)
    })

    test('a message is due at once if the restriction ends while it is being refused', async () => {
      assert.equal(await refused({ wakes: 1 }), NOON)
    })
  })
}
