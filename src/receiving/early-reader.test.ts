// Messages that are stored with the keys that decrypted them: which are, in which order, and what happens otherwise.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { engines } from '../../test/support/engines.ts'
import { claimInstance } from '../instances/instance-queries.ts'
import { listWaitingArrivals } from '../instances/session-key-queries.ts'
import { StoreError } from '../kernel/store-error.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { Interpretation, NetworkSession } from '../network/network.ts'
import { makeTenant } from '../store/conformance/tenant.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { openVault } from '../store/vault.ts'
import { createArrivalGuard } from './arrival-guard.ts'
import { openCredentials } from './credentials.ts'
import { createIntake } from './intake.ts'

const [sqlite] = engines as [(typeof engines)[number]]
const CHAT = '5511912345678@s.whatsapp.net'
const log = pino({ level: 'silent' })

const messageOf = (id: string): ReceivedMessage => ({
  id,
  chat: CHAT,
  addressedAs: { chat: CHAT, participant: null },
  from: { jid: CHAT, lid: null, phone: '5511912345678', pushName: 'Ana' },
  fromMe: false,
  sentAtMs: 1000,
  type: 'text',
  text: id,
  media: null,
  quoted: null,
  interactiveReplyId: null,
  content: {},
})

/** The payload is the id of the message. One that begins with "-" has no message, and "later" takes a transfer. */
function read(payload: Uint8Array): Interpretation {
  const id = Buffer.from(payload).toString()
  const messages = id.startsWith('-') ? [] : [messageOf(id)]
  return { messages, people: [], chats: [], isHistory: false }
}

interface Stage {
  /** Stores arrivals as the driver does: in one write, and reports each when it is stored. */
  arrive(...ids: string[]): Promise<void>
  /** The two halves of that. */
  write(...ids: string[]): Promise<void>
  report(...ids: string[]): Promise<void>
  /** How often arrivals were read. */
  reads(): number
  /** The writes so far: `stored` are messages that were stored with their keys, `waited` are arrivals. */
  writes: string[]
  stored(): Promise<string[]>
  refuseNext(): void
  /** Opens the session, which processes what has arrived before. */
  open(): Promise<void>
}

async function onStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const location = await sqlite.createLocation()
  const store = await openSqliteStore(location.directory, {})
  try {
    const { instanceId } = await makeTenant(store)
    const fence = await claimInstance(store.db, instanceId)
    const writes: string[] = []
    let refusals = 0
    const watched: Store = {
      ...store,
      async saveReceived(write) {
        // As often as the write is repeated.
        if (refusals > 0) {
          refusals -= 1
          throw new StoreError('refused', 'refused')
        }
        const ids = write.reports.flatMap(({ messages }) => messages.map(({ row }) => row.id))
        writes.push([`stored ${ids.join()}`, ...write.arrivals.map(({ name }) => `waited ${name}`)].join(' '))
        return store.saveReceived(write)
      },
      async saveSession(write) {
        for (const { name } of write.arrivals) writes.push(`waited ${name}`)
        return store.saveSession(write)
      },
    }
    const deps = {
      store: watched,
      vault: await openVault(store.db, randomBytes(32)),
      clock: Date.now,
      wakeSending: () => undefined,
    }
    let reads = 0
    const session = {
      async interpret(payload) {
        reads += 1
        return read(payload)
      },
      async interpretNow(payload) {
        reads += 1
        return Buffer.from(payload).toString() === 'later' ? undefined : read(payload)
      },
    } as Partial<NetworkSession> as NetworkSession
    const guard = createArrivalGuard(deps, instanceId, log)
    const intake = createIntake(deps, instanceId, log, async () => undefined, guard)
    const credentials = await openCredentials(deps, instanceId, fence, guard, intake.earlyReader())
    const arrivalOf = (id: string) => ({ name: id, payload: Buffer.from(id) })
    const write = (...ids: string[]) =>
      credentials.write([{ kind: 'session', name: 'a', value: Buffer.from('k') }], ids.map(arrivalOf))
    const report = async (...ids: string[]) =>
      void (await Promise.all(ids.map((id) => intake.take(arrivalOf(id), () => session))))
    await work({
      writes,
      write,
      report,
      reads: () => reads,
      async arrive(...ids) {
        await write(...ids)
        await report(...ids)
      },
      async stored() {
        assert.deepEqual(await listWaitingArrivals(store.db, instanceId), [])
        const rows = await store.db.selectFrom('messages').select('id').orderBy('row_id').execute()
        return rows.map(({ id }) => id)
      },
      refuseNext: () => (refusals = 3),
      open: () => intake.catchUp(() => session),
    })
  } finally {
    await store.close()
    await location.dispose()
  }
}

describe('received messages', () => {
  test('are stored in one commit with their keys, without the arrival', async () => {
    await onStage(async ({ open, arrive, writes, stored, reads }) => {
      await open()
      await arrive('m1')
      await arrive('m2', 'm3')
      assert.deepEqual(writes, ['stored m1', 'stored m2,m3'])
      assert.equal(reads(), 3, 'each is read once')
      assert.deepEqual(await stored(), ['m1', 'm2', 'm3'])
    })
  })

  test('wait for those of an earlier connection, and until the session is open', async () => {
    await onStage(async ({ open, arrive, writes, stored }) => {
      await arrive('m1')
      await open()
      await arrive('m2')
      assert.deepEqual(writes, ['waited m1', 'stored m2'])
      assert.deepEqual(await stored(), ['m1', 'm2'])
    })
  })

  test('do not overtake an arrival that is read later', async () => {
    for (const slow of ['later', '-1'])
      await onStage(async ({ open, arrive, writes, stored }) => {
        await open()
        await arrive('m1', slow, 'm2')
        await arrive('m3')
        assert.deepEqual(writes, [`stored m1 waited ${slow} waited m2`, 'stored m3'])
        assert.deepEqual(await stored(), ['m1', ...(slow === 'later' ? [slow] : []), 'm2', 'm3'])
      })
  })

  test('do not overtake an arrival that the driver has not reported yet', async () => {
    await onStage(async ({ open, write, report, writes, stored }) => {
      await open()
      await write('later')
      await write('m2')
      await report('later', 'm2')
      await write('m3')
      assert.deepEqual(writes, ['waited later', 'waited m2', 'stored m3'])
      assert.deepEqual(await stored(), ['later', 'm2', 'm3'])
    })
  })

  test('that the store refuses are stored as arrivals, which are then processed', async () => {
    await onStage(async ({ open, arrive, writes, refuseNext, stored }) => {
      await open()
      refuseNext()
      await arrive('m1', 'm2')
      assert.deepEqual(writes, ['waited m1', 'waited m2'])
      await arrive('m3')
      assert.deepEqual(await stored(), ['m1', 'm2', 'm3'])
    })
  })
})
