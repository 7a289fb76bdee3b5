// The claims of the send worker on SQLite, where the commit that accepts a send can claim it.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { temporaryDirectory } from '../../test/support/engines.ts'
import { until } from '../../test/support/linked.ts'
import { sendWorkerDeps } from '../../test/support/send-worker-deps.ts'
import { findMessage } from '../messages/message-queries.ts'
import type { NetworkSession } from '../network/network.ts'
import { makeTenant, type Tenant } from '../store/conformance/tenant.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import type { ClaimOffer } from '../store/operations/claim-offer.ts'
import type { Store } from '../store/store.ts'
import { startSendWorker } from './worker.ts'

type SendOffer = ClaimOffer<'claimSends'>

describe('claims of the send worker on sqlite', () => {
  let directory: string
  let store: Store
  let tenant: Tenant
  beforeEach(async () => {
    directory = await temporaryDirectory()
    store = await openSqliteStore(directory)
    tenant = await makeTenant(store)
  })
  afterEach(async () => {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  })

  /** A worker whose first poll is over, and the ids of the messages that it has sent. */
  async function runningWorker(changed: (offer: SendOffer) => Partial<SendOffer> = () => ({})) {
    const sent: string[] = []
    let polls = 0
    const polled = Promise.withResolvers<void>()
    const session = {
      prepare: async () => new Uint8Array(1),
      async send({ messageId }: { messageId: string }) {
        sent.push(messageId)
        return { accepted: true }
      },
    } as unknown as NetworkSession
    const worker = startSendWorker({
      ...sendWorkerDeps(store, session),
      store: {
        ...store,
        async claimSends(request) {
          polls += 1
          const claimed = await store.claimSends(request)
          polled.resolve()
          return claimed
        },
        offerClaim: ((name: 'claimSends', offer: SendOffer) =>
          store.offerClaim?.(name, { ...offer, ...changed(offer) })) as NonNullable<Store['offerClaim']>,
      },
      // A message that no commit claims and no wake-up finds is not sent during the test.
      maxSleepMs: () => 3_600_000,
    })
    await polled.promise
    return { worker, sent, polls: () => polls }
  }

  async function accept(chat: string): Promise<string> {
    const wanted = tenant.send({ chat })
    await store.acceptSend(wanted)
    return wanted.messageId
  }

  const isSent = async (id: string) =>
    (await findMessage(store.db, tenant.accountId, id))?.status === 'sent' || undefined
  const untilSent = (id: string) => until('the message is sent', () => isSent(id))
  const lockedLanes = () =>
    store.db.selectFrom('lanes').select('key').where('locked_until', 'is not', null).execute()

  test('messages that are accepted while the worker runs are sent without a claim of their own', async () => {
    const { worker, sent, polls } = await runningWorker()
    const ids = [await accept('a'), await accept('b'), await accept('a')]
    await until('all sent', async () => (await Promise.all(ids.map(isSent))).every(Boolean) || undefined)
    await worker.stop()
    assert.deepEqual([sent, polls()], [ids, 1])
  })

  test('a message that its commit does not claim is claimed by a poll', async () => {
    const { worker, sent, polls } = await runningWorker(() => ({ wants: () => undefined }))
    const id = await accept('a')
    await untilSent(id)
    await worker.stop()
    assert.deepEqual(sent, [id])
    assert.ok(polls() > 1)
  })

  test('a message whose claim is lost with its commit is claimed again, and sent once', async () => {
    let failures = 1
    const { worker, sent, polls } = await runningWorker((offer) => ({
      take(claimed, request) {
        if (claimed.length > 0 && failures-- > 0) offer.failed?.()
        else offer.take(claimed, request)
      },
    }))
    const first = await accept('a')
    await untilSent(first)
    const next = await accept('b')
    await untilSent(next)
    await worker.stop()
    assert.deepEqual([sent, polls()], [[first, next], 2])
  })

  test('a worker that stops during such a commit leaves no lane locked', async () => {
    const requested = Promise.withResolvers<void>()
    const { worker, sent } = await runningWorker((offer) => ({
      wants() {
        requested.resolve()
        return offer.wants()
      },
    }))
    const accepting = accept('a')
    await requested.promise
    await Promise.all([worker.stop(), accepting])
    assert.deepEqual([sent, await lockedLanes()], [[], []])
    const { worker: next, sent: sentNext } = await runningWorker()
    await untilSent(await accepting)
    await next.stop()
    assert.deepEqual(sentNext, [await accepting])
  })
})
