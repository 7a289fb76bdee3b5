import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { type Fault, faultyStore } from '../../test/contract/faulty-store.ts'
import { engines } from '../../test/support/engines.ts'
import type { NetworkSession } from '../network/network.ts'
import { makeTenant } from '../store/conformance/tenant.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import { listWaitingArrivals } from '../store/queries/session-keys.ts'
import { StoreError } from '../store/store-error.ts'
import { openVault } from '../store/vault.ts'
import { createIntake } from './intake.ts'

const [sqlite] = engines as [(typeof engines)[number]]

describe('arrivals while the store is unavailable', () => {
  async function onStore(
    work: (stage: {
      fault: Fault
      /** Processes one arrival; `pausing` is called at each pause. */
      take(session: () => NetworkSession | undefined, pausing: (times: number) => void): Promise<void>
      waiting(): Promise<number>
    }) => Promise<void>,
  ): Promise<void> {
    const place = await sqlite.place()
    const store = await openSqliteStore(place.directory, {})
    try {
      const { instanceId } = await makeTenant(store)
      const vault = await openVault(store.db, randomBytes(32))
      const arrival = { instance_id: instanceId, name: 'a', sealed: Buffer.from('x'), received_at: 1 }
      const fault: Fault = { error: undefined, hold: undefined }
      await work({
        fault,
        async take(session, pausing) {
          let times = 0
          const deps = { store: faultyStore(store, fault), vault, clock: Date.now }
          const log = pino({ level: 'silent' })
          const intake = createIntake(deps, instanceId, log, async () => pausing((times += 1)))
          await intake.catchUp(session)
          await store.db
            .insertInto('inbox')
            .values({ ...arrival, processed_at: null })
            .execute()
          fault.error = new StoreError('unavailable', 'locked')
          await intake.take({ name: 'a', payload: Buffer.from('x') }, session)
        },
        waiting: async () => (await listWaitingArrivals(store.db, instanceId)).length,
      })
    } finally {
      await store.close()
      await place.dispose()
    }
  }
  const session = {
    interpret: async () => ({ messages: [], people: [], chats: [], isHistory: false }),
  } as Partial<NetworkSession> as NetworkSession

  test('are processed when the store is available again, after any number of retries', async () => {
    await onStore(async ({ fault, take, waiting }) => {
      await take(
        () => session,
        (times) => {
          if (times === 50) fault.error = undefined
        },
      )
      assert.equal(await waiting(), 0)
    })
  })

  test('stay for the next connection if theirs closes meanwhile', async () => {
    await onStore(async ({ take, waiting }) => {
      let isLive = true
      await take(
        () => (isLive ? session : undefined),
        (times) => {
          if (times === 5) isLive = false
        },
      )
      assert.equal(await waiting(), 1)
    })
  })
})
