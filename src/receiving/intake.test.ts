import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { type Fault, faultyStore } from '../../test/contract/faulty-store.ts'
import { engines } from '../../test/support/engines.ts'
import { listWaitingArrivals } from '../instances/session-key-queries.ts'
import { StoreError } from '../kernel/store-error.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { NetworkSession } from '../network/network.ts'
import { makeTenant } from '../store/conformance/tenant.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import type { Store } from '../store/store.ts'
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
    const storeLocation = await sqlite.createLocation()
    const store = await openSqliteStore(storeLocation.directory, {})
    try {
      const { instanceId } = await makeTenant(store)
      const vault = await openVault(store.db, randomBytes(32))
      const arrival = { instance_id: instanceId, name: 'a', sealed: Buffer.from('x'), received_at: 1 }
      const fault: Fault = { error: undefined, hold: undefined }
      await work({
        fault,
        async take(session, pausing) {
          let times = 0
          const deps = {
            store: faultyStore(store, fault),
            vault,
            clock: Date.now,
            wakeSending: () => undefined,
          }
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
      await storeLocation.dispose()
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

describe('arrivals that come while a commit is running', () => {
  const CHAT = '5511912345678@s.whatsapp.net'
  const ANA = { jid: CHAT, lid: null, phone: '5511912345678', pushName: 'Ana' }
  /** The payload is the id of the message; an id with an arrow is a reaction to the message after it. */
  const toMessage = (payload: string): ReceivedMessage => {
    const [id = '', targetId] = payload.split('>')
    return {
      id,
      chat: CHAT,
      addressedAs: { chat: CHAT, participant: null },
      from: ANA,
      fromMe: false,
      sentAtMs: Number(id.replace(/\D/g, '')) * 1000,
      type: targetId === undefined ? 'text' : 'reaction',
      text: id,
      media: null,
      quoted: null,
      interactiveReplyId: null,
      content: {},
      ...(targetId === undefined ? {} : { target: { messageId: targetId, author: null, isOurs: null } }),
    }
  }

  async function onStore(
    work: (stage: {
      store: Store
      /** The calls of recordReports(), as names of arrivals. */
      calls: string[]
      /** How often the row of the instance was read. */
      reads(): number
      /** What the next call of recordReports() fails with. */
      failNext(error: Error): void
      takeAll(names: string[]): Promise<void>
      stored(): Promise<string[]>
      /** Stored messages at each reading of an arrival that refers to one. */
      storedWhenRead: number[]
    }) => Promise<void>,
  ): Promise<void> {
    const storeLocation = await sqlite.createLocation()
    const store = await openSqliteStore(storeLocation.directory, {})
    try {
      const { instanceId } = await makeTenant(store)
      const vault = await openVault(store.db, randomBytes(32))
      const calls: string[] = []
      let failure: Error | undefined
      let reads = 0
      const counted = new Proxy(store.db, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property)
          if (typeof value !== 'function') return value
          return (...args: unknown[]) => {
            if (property === 'selectFrom' && args[0] === 'instances') reads += 1
            return Reflect.apply(value, target, args) as unknown
          }
        },
      })
      const watched: Store = {
        ...store,
        db: counted,
        async recordReports(reports) {
          calls.push(reports.map(({ arrival }) => arrival?.name).join(' '))
          const error = failure
          failure = undefined
          if (error) throw error
          return store.recordReports(reports)
        },
      }
      const storedWhenRead: number[] = []
      const session = {
        async interpret(payload) {
          const message = toMessage(Buffer.from(payload).toString())
          if (message.target)
            storedWhenRead.push((await store.db.selectFrom('messages').select('id').execute()).length)
          return { messages: [message], people: [], chats: [], isHistory: false }
        },
      } as Partial<NetworkSession> as NetworkSession
      const deps = { store: watched, vault, clock: Date.now, wakeSending: () => undefined }
      const intake = createIntake(deps, instanceId, pino({ level: 'silent' }), async () => undefined)
      await intake.catchUp(() => session)
      await work({
        store,
        calls,
        storedWhenRead,
        reads: () => reads,
        failNext: (error) => (failure = error),
        async takeAll(names) {
          const arrivals = names.map((name, index) => ({
            name,
            sealed: Buffer.from('x'),
            receivedAt: index,
          }))
          await store.saveSession({ instanceId, fence: 0, keys: [], arrivals })
          await Promise.all(
            names.map((name) => intake.take({ name, payload: Buffer.from(name) }, () => session)),
          )
        },
        async stored() {
          const rows = await store.db.selectFrom('messages').select('id').orderBy('row_id').execute()
          assert.deepEqual(await listWaitingArrivals(store.db, instanceId), [])
          return rows.map(({ id }) => id)
        },
      })
    } finally {
      await store.close()
      await storeLocation.dispose()
    }
  }

  test('are recorded together and in order, and the instance is read once', async () => {
    await onStore(async ({ calls, reads, takeAll, stored }) => {
      await takeAll(['m1', 'm2', 'm3', 'm4'])
      await takeAll(['m5'])
      assert.deepEqual(calls, ['m1 m2 m3 m4', 'm5'])
      assert.deepEqual(await stored(), ['m1', 'm2', 'm3', 'm4', 'm5'])
      assert.equal(reads(), 1)
    })
  })

  test('a reaction is recorded after the messages before it, and finds its target', async () => {
    await onStore(async ({ calls, takeAll, stored }) => {
      await takeAll(['m1', 'm2', 'm3>m2', 'm4', 'm5'])
      assert.deepEqual(calls, ['m1 m2', 'm3>m2', 'm4 m5'])
      assert.deepEqual(await stored(), ['m1', 'm2', 'm3', 'm4', 'm5'])
    })
  })

  test('what refers to a message is read when those before it are stored: it may be encrypted with their secret', async () => {
    await onStore(async ({ takeAll, storedWhenRead }) => {
      await takeAll(['m1', 'm2', 'm3>m2', 'm4>m1'])
      assert.deepEqual(storedWhenRead, [0, 2, 3])
    })
  })

  test('are recorded one by one, in order, if that fails', async () => {
    await onStore(async ({ calls, failNext, takeAll, stored }) => {
      failNext(new StoreError('unavailable', 'locked'))
      await takeAll(['m1', 'm2', 'm3'])
      assert.deepEqual(calls, ['m1 m2 m3', 'm1', 'm2', 'm3'])
      assert.deepEqual(await stored(), ['m1', 'm2', 'm3'])
    })
  })
})
