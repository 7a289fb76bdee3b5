// What ends the process or is refused by the store is set aside once, with an event, and nothing else waits for it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { engines } from '../../test/support/engines.ts'
import { lateReader } from '../../test/support/late-reader.ts'
import { chatIds } from '../chats/rules.ts'
import { claimInstance } from '../instances/instance-queries.ts'
import { findArrival, listWaitingArrivals, readSessionKeys } from '../instances/session-key-queries.ts'
import { StoreError } from '../kernel/store-error.ts'
import type { Interpretation, NetworkSession } from '../network/network.ts'
import { makeTenant } from '../store/conformance/tenant.ts'
import { openPostgresStore } from '../store/engines/postgres/open.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { instanceScope, openVault } from '../store/vault.ts'
import {
  type CrashWatch,
  createArrivalGuard,
  createArrivalTurns,
  type GuardDeps,
  readMark,
  TURN_TIMES,
  weighed,
} from './arrival-guard.ts'
import { openCredentials } from './credentials.ts'
import { createIntake } from './intake.ts'
import { createSessionRecorder, type RecorderDeps } from './recorder.ts'
import { recordDeaths } from './set-aside-queries.ts'

const log = pino({ level: 'silent' })
const NAME = '5511912345678@s.whatsapp.net||3EB0|0|digest'
const STANZA = '5511912345678@s.whatsapp.net||3EB0'
const NOTHING: Interpretation = { messages: [], people: [], chats: [], isHistory: false }

interface TestStage {
  store: Store
  instanceId: number
  deps: GuardDeps & Pick<RecorderDeps, 'wakeSending'>
  setAside(): Promise<string[]>
  events(): Promise<unknown[]>
}

for (const engine of engines) {
  async function onStore(work: (stage: TestStage) => Promise<void>): Promise<void> {
    const storeLocation = await engine.createLocation()
    const store =
      storeLocation.databaseUrl === undefined
        ? await openSqliteStore(storeLocation.directory, {})
        : await openPostgresStore(storeLocation.databaseUrl, {})
    try {
      const { instanceId } = await makeTenant(store)
      const vault = await openVault(store.db, randomBytes(32))
      await work({
        store,
        instanceId,
        deps: { store, vault, clock: Date.now, wakeSending: () => undefined },
        async setAside() {
          const rows = await store.db.selectFrom('set_aside').selectAll().orderBy('id').execute()
          return rows.map(({ what, reason }) => `${what} ${reason}`)
        },
        async events() {
          const rows = await store.db
            .selectFrom('events')
            .select('data')
            .where('name', '=', 'messages.set_aside')
            .execute()
          return rows.map(({ data }) => {
            const { at: _at, ...facts } = JSON.parse(data) as Record<string, unknown>
            return facts
          })
        },
      })
    } finally {
      await store.close()
      await storeLocation.dispose()
    }
  }
  const stores = (store: Store, instanceId: number, name: string) =>
    store.db
      .insertInto('inbox')
      .values({ instance_id: instanceId, name, sealed: Buffer.from('x'), received_at: 1, processed_at: null })
      .execute()

  describe(`arrivals that cannot be processed on ${engine.name}`, () => {
    test('one during which the process died twice is set aside with an event, and not interpreted', async () => {
      await onStore(async ({ store, instanceId, deps, setAside, events }) => {
        for (const run of ['a', 'a', 'b'])
          await recordDeaths(store.db, run, weighed([{ instanceId, name: STANZA }], 'own'), 1)
        const guard = createArrivalGuard(deps, instanceId, log)
        await guard.refresh()
        const session = {
          interpret: () => assert.fail('it must not be interpreted'),
        } as unknown as NetworkSession
        const intake = createIntake(deps, instanceId, log, async () => undefined, guard)
        await intake.catchUp(() => session)
        await stores(store, instanceId, NAME)
        await intake.take({ name: NAME, payload: Buffer.from('x') }, () => session)
        assert.deepEqual(await listWaitingArrivals(store.db, instanceId), [])
        assert.deepEqual(await setAside(), ['message ended_process'])
        const facts = {
          what: 'message',
          reason: 'ended_process',
          messageId: '3EB0',
          ...chatIds('5511912345678@s.whatsapp.net'),
        }
        assert.deepEqual(await events(), [facts])
        // Delivered again, because the acknowledgement was lost.
        await guard.setAside({ name: STANZA, payload: Buffer.from('x'), reason: 'ended_process' })
        assert.deepEqual(await events(), [facts])
      })
    })

    test('a death counts once, and one death does not stop an arrival', async () => {
      await onStore(async ({ store, instanceId, deps, setAside }) => {
        const death = weighed(
          [
            { instanceId, name: STANZA },
            { instanceId: 999_999, name: STANZA },
          ],
          'own',
        )
        for (const run of ['a', 'a']) await recordDeaths(store.db, run, death, 1)
        const guard = createArrivalGuard(deps, instanceId, log)
        await guard.refresh()
        assert.deepEqual([guard.isSuspect(NAME), guard.isFatal(NAME)], [true, false])
        const session = { interpret: async () => NOTHING } as Partial<NetworkSession> as NetworkSession
        const intake = createIntake(deps, instanceId, log, async () => undefined, guard)
        await intake.catchUp(() => session)
        await stores(store, instanceId, NAME)
        await intake.take({ name: NAME, payload: Buffer.from('x') }, () => session)
        assert.deepEqual([await listWaitingArrivals(store.db, instanceId), await setAside()], [[], []])
      })
    })

    test('one whose report the store refuses is set aside after three tries', async () => {
      await onStore(async ({ store, instanceId, deps, setAside }) => {
        let tries = 0
        const refusing: Store = {
          ...store,
          async recordReports() {
            tries += 1
            throw new StoreError('refused', 'a NUL')
          },
        }
        const session = { interpret: async () => NOTHING } as Partial<NetworkSession> as NetworkSession
        const intake = createIntake({ ...deps, store: refusing }, instanceId, log, async () => undefined)
        await intake.catchUp(() => session)
        await stores(store, instanceId, NAME)
        await intake.take({ name: NAME, payload: Buffer.from('x') }, () => session)
        assert.deepEqual([await listWaitingArrivals(store.db, instanceId), tries], [[], 3])
        assert.deepEqual(await setAside(), ['message refused_by_store'])
      })
    })

    test('one that cannot be read is set aside after three tries', async () => {
      await onStore(async ({ store, instanceId, deps, setAside }) => {
        let tries = 0
        const session = {
          async interpret() {
            tries += 1
            throw new TypeError('unexpected content')
          },
        } as Partial<NetworkSession> as NetworkSession
        const intake = createIntake(deps, instanceId, log, async () => undefined)
        await intake.catchUp(() => session)
        await stores(store, instanceId, NAME)
        await intake.take({ name: NAME, payload: Buffer.from('x') }, () => session)
        assert.deepEqual(await listWaitingArrivals(store.db, instanceId), [])
        assert.ok(tries >= 3)
        assert.deepEqual(await setAside(), ['message malformed'])
      })
    })

    test('a refused key is set aside; the arrival and the other keys of the write are stored', async () => {
      await onStore(async ({ store, instanceId, deps, setAside }) => {
        const fence = await claimInstance(store.db, instanceId)
        const refused = 'a\0b'
        // SQLite takes it, so the refusal is simulated there.
        const strict: Store = {
          ...store,
          saveSession: (write) =>
            engine.name === 'sqlite' && write.keys.some(({ name }) => name === refused)
              ? Promise.reject(new StoreError('refused', 'a NUL'))
              : store.saveSession(write),
        }
        const own = { ...deps, store: strict }
        const credentials = await openCredentials(
          own,
          instanceId,
          fence,
          createArrivalGuard(own, instanceId, log),
          lateReader,
        )
        const value = Buffer.from('x')
        await credentials.write(
          [
            { kind: 'session', name: 'good', value },
            { kind: 'sender-key', name: refused, value },
          ],
          [{ name: NAME, payload: value }],
        )
        assert.ok(await findArrival(store.db, instanceId, NAME))
        assert.equal((await readSessionKeys(store.db, instanceId, 'session', ['good'])).length, 1)
        assert.deepEqual(await setAside(), ['key refused_by_store'])
      })
    })

    test('a notice that the store refuses is set aside, and the session goes on', async () => {
      await onStore(async ({ store, instanceId, deps, setAside, events }) => {
        const refusing: Store = {
          ...store,
          recordReports: () => Promise.reject(new StoreError('refused', 'too long')),
        }
        const recorder = createSessionRecorder(
          {
            ...deps,
            store: refusing,
            logger: log,
            onEvidence: () => undefined,
            wakeSending: () => undefined,
          },
          instanceId,
        )
        const person = { jid: '1@lid', lid: '1@lid', phone: null, pushName: 'Ana' }
        await recorder.record({ kind: 'people', people: [person] }, () => undefined)
        assert.deepEqual(await setAside(), ['notice refused_by_store'])
        assert.equal((await events()).length, 1)
      })
    })
  })

  describe(`arrivals that were in progress when a process died on ${engine.name}`, () => {
    const [honest, fatal] = ['a||1', 'b||2']
    const watched = (marks: CrashWatch['marks']): CrashWatch => ({
      marks,
      turns: createArrivalTurns({ ...TURN_TIMES, quietMs: 0 }),
    })

    test('are handled one at a time, and no other one meanwhile', async () => {
      await onStore(async ({ store, instanceId, deps }) => {
        const names = [honest, fatal]
        const both = names.map((name) => ({ instanceId, name }))
        await recordDeaths(store.db, 'run', weighed(both, 'unknown'), 1)
        const set: string[] = []
        const marks = { set: (text: string) => (set.push(text), () => void set.splice(set.indexOf(text), 1)) }
        const guard = createArrivalGuard({ ...deps, crashWatch: watched(marks) }, instanceId, log)
        await guard.refresh()
        const seen: string[][] = []
        const work = async () => {
          seen.push([...set])
          await new Promise(setImmediate)
          seen.push([...set])
        }
        await Promise.all([...names, 'c||3'].map((name) => guard.run([name], work)))
        const [first, second, other] = [...names, 'c||3'].map((name) => [`${instanceId} ${name}`])
        assert.deepEqual(seen, [other, other, first, first, second, second])
        assert.deepEqual(readMark(`${instanceId} a||1`), { instanceId, name: 'a||1' })
      })
    })

    test('an honest one is not set aside, however often it was in progress together with a fatal one', async () => {
      await onStore(async ({ store, instanceId, deps }) => {
        const guard = createArrivalGuard(deps, instanceId, log)
        const die = (run: string, ...names: string[]) =>
          recordDeaths(
            store.db,
            run,
            weighed(
              names.map((name) => ({ instanceId, name })),
              'own',
            ),
            1,
          )
        for (const run of ['a', 'b', 'c']) await die(run, honest, fatal)
        await guard.refresh()
        assert.deepEqual([honest, fatal].map(guard.isSuspect), [true, true])
        assert.deepEqual([honest, fatal].map(guard.isFatal), [false, false])
        await die('d', fatal)
        await guard.refresh()
        assert.deepEqual([honest, fatal].map(guard.isFatal), [false, true])
        // Another fatal one, which no process knew.
        await die('e', honest, 'c||3')
        await guard.refresh()
        assert.equal(guard.isFatal(honest), false)
      })
    })

    test('wait behind the other chats of their instance, and each chat keeps its order', async () => {
      await onStore(async ({ store, instanceId, deps }) => {
        const names = ['a||1', 'b||1', 'a||2', 'c||1', 'b||2']
        for (const [at, name] of names.entries())
          await store.saveSession({
            instanceId,
            fence: await claimInstance(store.db, instanceId),
            keys: [],
            arrivals: [{ name, sealed: await sealedFor(deps, instanceId, name), receivedAt: at + 1 }],
          })
        await recordDeaths(store.db, 'run', weighed([{ instanceId, name: 'a||1' }], 'unknown'), 1)
        const crashWatch = watched({ set: () => () => undefined })
        const guard = createArrivalGuard({ ...deps, crashWatch }, instanceId, log)
        await guard.refresh()
        const seen: string[] = []
        const intake = createIntake(deps, instanceId, log, async () => undefined, guard)
        const session = reading(seen)
        await intake.catchUp(() => session)
        assert.deepEqual(seen, ['b||1', 'c||1', 'b||2', 'a||1', 'a||2'])
      })
    })

    test('what a lost node has left is tried alone by the next one', async () => {
      await onStore(async ({ store, instanceId, deps }) => {
        const fence = await claimInstance(store.db, instanceId)
        const arrivals = [{ name: fatal, sealed: await sealedFor(deps, instanceId, fatal), receivedAt: 1 }]
        await store.saveSession({ instanceId, fence, keys: [], arrivals })
        const turns: string[] = []
        const crashWatch: CrashWatch = {
          marks: { set: () => () => undefined },
          turns: {
            together: (work) => (turns.push('together'), work()),
            alone: (work) => (turns.push('alone'), work()),
          },
        }
        const guard = createArrivalGuard({ ...deps, crashWatch }, instanceId, log)
        const intake = createIntake({ ...deps, nodeId: 7 }, instanceId, log, async () => undefined, guard)
        const session = reading([])
        await intake.catchUp(() => session)
        await stores(store, instanceId, honest)
        await intake.take({ name: honest, payload: Buffer.from(honest) }, () => session)
        assert.deepEqual([turns[0], turns.at(-1), guard.isFatal(fatal)], ['alone', 'together', false])
      })
    })
  })
}

async function sealedFor({ store, vault }: GuardDeps, instanceId: number, name: string): Promise<Buffer> {
  const box = await vault.box(store.db, instanceScope(instanceId))
  const cell = { table: 'inbox', column: 'sealed', row: `${instanceId}/${name}` }
  return Buffer.from(box.seal(cell, Buffer.from(name)))
}

/** A session that notes what it interprets. */
const reading = (seen: string[]): NetworkSession =>
  ({
    async interpret(payload) {
      seen.push(Buffer.from(payload).toString())
      return NOTHING
    },
  }) as Partial<NetworkSession> as NetworkSession

test('two deaths by the fault of the process count as five of unknown cause', () => {
  const weightOf = (cause: 'own' | 'unknown', deaths: number) =>
    Array.from({ length: deaths }, () => weighed([{ instanceId: 1, name: STANZA }], cause))
      .flat()
      .reduce((sum, { weight }) => sum + weight, 0)
  assert.equal(weightOf('own', 2), weightOf('unknown', 5))
  assert.ok(weightOf('unknown', 4) < weightOf('own', 2))
})

test('the parts of one message are one arrival, and alone', () => {
  const part = { instanceId: 1, name: STANZA }
  assert.deepEqual(weighed([part, part], 'own'), [{ ...part, weight: 5, isAlone: true }])
  const other = { instanceId: 2, name: STANZA }
  assert.deepEqual(
    weighed([part, other], 'own').map(({ isAlone }) => isAlone),
    [false, false],
  )
})

test('a mark that is damaged is ignored', () => {
  for (const text of ['', 'x', '1', '-1 a', '1 a b']) assert.equal(readMark(text), undefined)
})
