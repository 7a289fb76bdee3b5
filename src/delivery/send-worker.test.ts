// The worker that sends, on a store of each engine and a session that a test holds up.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { openStore } from '../../bench/open-store.ts'
import { engines } from '../../test/support/engines.ts'
import type { NetworkSession } from '../network/network.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import { startSendWorker } from './send-worker.ts'

const RESTRICTED_CODE = 463

for (const engine of engines) {
  describe(`the send worker on ${engine.name}`, () => {
    const opened = (async () => {
      const place = await engine.place()
      return { place, store: await openStore(place) }
    })()
    after(async () => {
      const { place, store } = await opened
      await store.close()
      await place.dispose()
    })

    /** Lets the network refuse a new chat after so many hurries. Returns when the message is due again. */
    async function refused(meanwhile: { hurries: number }): Promise<number | null> {
      const { store } = await opened
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
      const worker = startSendWorker({
        store,
        clock: () => NOON,
        logger: pino({ level: 'silent' }),
        perInstance: 5,
        live: () => session,
        addressOf: async (_instanceId, chat) => chat,
        media: () => assert.fail('there is no file'),
        onRestricted: async () => undefined,
        hurriesOf: () => hurries,
      })
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

    test('a new chat that the network refuses waits', async () => {
      assert.equal(await refused({ hurries: 0 }), NOON + 5 * 60_000)
    })

    test('a restriction that ends while a message is being refused does not hold it any longer', async () => {
      assert.equal(await refused({ hurries: 1 }), NOON)
    })
  })
}
