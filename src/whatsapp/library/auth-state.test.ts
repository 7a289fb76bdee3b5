import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AuthenticationCreds, proto, type SignalDataSet } from 'baileys'
import { SessionRecord } from 'libsignal'
import { promisesSettled } from '../../../test/support/manual-time.ts'
import type { Arrival, Credentials, KeyChange } from '../../network/network.ts'
import { ARRIVAL_KIND, loadAuthState } from './auth-state.ts'
import { createWriteBarrier } from './write-barrier.ts'

/** Credentials in memory that count reads and writes. */
function memoryCredentials() {
  const kept = new Map<string, Uint8Array>()
  const script = {
    kept,
    reads: [] as string[],
    writes: [] as { keys: KeyChange[]; arrivals: Arrival[] }[],
    failure: undefined as Error | undefined,
    /** Holds reads back until it resolves. */
    reading: Promise.resolve(),
    /** Holds writes back until it resolves. */
    writing: Promise.resolve(),
    /** Failures reported by the write barrier. */
    failures: [] as unknown[],
  }
  const credentials: Credentials = {
    async read(kind, names) {
      const found = new Map<string, Uint8Array>()
      for (const name of names) {
        script.reads.push(`${kind}/${name}`)
        const value = kept.get(`${kind}/${name}`)
        if (value) found.set(name, value)
      }
      await script.reading
      return found
    },
    async write(keys, arrivals) {
      await script.writing
      if (script.failure) throw script.failure
      script.writes.push({ keys, arrivals })
      for (const { kind, name, value } of keys) {
        if (value === null) kept.delete(`${kind}/${name}`)
        else kept.set(`${kind}/${name}`, value)
      }
    },
    findArrival: async () => undefined,
  }
  const barrier = createWriteBarrier((error) => script.failures.push(error))
  const sent: unknown[] = []
  const socket = { send: (data: unknown) => void sent.push(data), close: () => undefined }
  barrier.guard(socket)
  const send = (data: unknown) => socket.send(data)
  return Object.assign(script, { credentials: barrier.watch(credentials), sent, send })
}

const NO_KEY = Buffer.alloc(0)
/** A record that a text tells apart from others. */
const record = (text: string): SessionRecord =>
  new SessionRecord([
    {
      registrationId: 1,
      remoteIdentityKey: NO_KEY,
      baseKey: Buffer.from(text),
      isOurs: true,
      createdAt: 0,
      usedAt: 0,
      closedAt: null,
      rootKey: NO_KEY,
      ownRatchet: { pubKey: NO_KEY, privKey: NO_KEY },
      remoteRatchetKey: NO_KEY,
      previousCounter: 0,
      sending: null,
      receiving: [],
      pendingPreKey: null,
    },
  ])
const sessions = (values: Record<string, SessionRecord>) => ({ session: values }) as unknown as SignalDataSet
const session = (text: string): SignalDataSet => sessions({ 'a.0': record(text) })
const textIn = (found: Record<string, unknown>): string | undefined =>
  SessionRecord.deserialize(found['a.0']).openSession()?.baseKey.toString()

describe('auth state on the port’s credentials', () => {
  test('a new login stays in memory until it is saved: an incomplete pairing is never stored', async () => {
    const memory = memoryCredentials()
    const first = await loadAuthState(memory.credentials)
    first.creds.me = { id: '5511900000001@s.whatsapp.net', name: '~' }
    assert.deepEqual(memory.writes, [])
    const second = await loadAuthState(memory.credentials)
    assert.equal(second.creds.me, undefined)
    assert.notDeepEqual(second.creds.noiseKey, first.creds.noiseKey)
  })

  test('a saved login is read back unchanged', async () => {
    const memory = memoryCredentials()
    const { creds, saveCreds } = await loadAuthState(memory.credentials)
    creds.account = { details: Buffer.from([1, 2, 3]) }
    await saveCreds()
    const again = await loadAuthState(memory.credentials)
    const plain = ({ noiseKey, signedIdentityKey, account, registrationId }: AuthenticationCreds) => ({
      noise: Buffer.from(noiseKey.private).toString('hex'),
      identity: Buffer.from(signedIdentityKey.private).toString('hex'),
      details: Buffer.from(account?.details ?? []).toString('hex'),
      registrationId,
    })
    assert.deepEqual(plain(again.creds), plain(creds))
  })

  test('a key is read once and then cached, also a missing one', async () => {
    const memory = memoryCredentials()
    const writer = await loadAuthState(memory.credentials)
    await writer.keys.set(session('one'))
    await promisesSettled()
    const { keys } = await loadAuthState(memory.credentials)
    memory.reads.length = 0
    for (let round = 0; round < 2; round += 1) {
      const found = await keys.get('session', ['a.0', 'b.0'])
      assert.deepEqual(Object.keys(found), ['a.0'])
      assert.equal(textIn(found), 'one')
    }
    assert.deepEqual(memory.reads, ['session/a.0', 'session/b.0'])
  })

  test('null removes a key from disk and from the cache', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    await keys.set(session('one'))
    await keys.set({ session: { 'a.0': null } })
    assert.deepEqual(await keys.get('session', ['a.0']), {})
    await promisesSettled()
    assert.deepEqual(await keys.get('session', ['a.0']), {})
    assert.equal(memory.kept.size, 0)
  })

  test('a key that could not be written keeps its old value', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    const preKey = (text: string): SignalDataSet => ({
      'pre-key': { '7': { public: Buffer.from(text), private: Buffer.from(text) } },
    })
    await keys.set(preKey('one'))
    memory.failure = new Error('disk full')
    await assert.rejects(async () => keys.set(preKey('two')), memory.failure)
    assert.equal(Buffer.from((await keys.get('pre-key', ['7']))['7']?.public ?? []).toString(), 'one')
    assert.deepEqual(memory.failures, [memory.failure])
  })

  test('a ratchet step is visible at once, even with a full cache, while several writes are running', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    const disk = Promise.withResolvers<void>()
    memory.writing = disk.promise
    const textOf = async () => textIn(await keys.get('session', ['a.0']))
    for (const step of ['one', 'two']) {
      await keys.set(session(step))
      assert.equal(await textOf(), step)
    }
    for (let other = 0; other < 600; other += 1) await keys.get('session', [`${other}.1`])
    assert.equal(await textOf(), 'two')
    assert.deepEqual(memory.writes, [])
    disk.resolve()
    await promisesSettled()
    assert.equal(await textOf(), 'two')
    assert.equal(memory.writes.length, 2)
  })

  test('the record of who has a group key is written after the frame with the key is sent', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    const disk = Promise.withResolvers<void>()
    memory.writing = disk.promise
    await keys.set(session('one'))
    memory.writing = Promise.resolve()
    memory.send('the frame with the key')
    const noted = keys.set({ 'sender-key-memory': { 'group@g.us': { 'a.0': true } } })
    await promisesSettled()
    assert.deepEqual([memory.sent, memory.writes], [[], []])
    disk.resolve()
    await noted
    assert.deepEqual(memory.sent, ['the frame with the key'])
    assert.deepEqual(
      memory.writes.map((write) => write.keys.map(({ kind }) => kind)),
      [['session'], ['sender-key-memory']],
    )
    memory.failure = new Error('disk full')
    await keys.set(session('two'))
    memory.send('never')
    await promisesSettled()
    memory.failure = undefined
    await assert.rejects(async () => keys.set({ 'sender-key-memory': { 'group@g.us': { 'b.0': true } } }))
    assert.deepEqual(memory.sent, ['the frame with the key'])
  })

  test('the record of who has a group key is written only if the store has another one', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    const group = 'group@g.us'
    const note = (given: Record<string, boolean> | null) =>
      keys.set({ 'sender-key-memory': { [group]: given } })
    const stored = () => Buffer.from(memory.kept.get(`sender-key-memory/${group}`) ?? []).toString()
    await note({ 'a.0': true })
    await note({ 'a.0': true })
    assert.equal(memory.writes.length, 1)
    // The library changes the record that it has read, and writes it then.
    const read = (await keys.get('sender-key-memory', [group]))[group] as Record<string, boolean>
    read['b.0'] = true
    await note(read)
    assert.deepEqual([memory.writes.length, JSON.parse(stored())], [2, { 'a.0': true, 'b.0': true }])
    await note(null)
    await note({ 'a.0': true, 'b.0': true })
    assert.deepEqual([memory.writes.length, JSON.parse(stored())], [4, { 'a.0': true, 'b.0': true }])
    // The next connection.
    const next = (await loadAuthState(memory.credentials)).keys
    const found = await next.get('sender-key-memory', [group])
    await next.set({ 'sender-key-memory': found })
    assert.equal(memory.writes.length, 4)
  })

  test('a record of who has a group key whose write has failed is not taken as stored', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    const change = { 'sender-key-memory': { 'group@g.us': { 'a.0': true } } }
    memory.failure = new Error('disk full')
    await assert.rejects(async () => keys.set(change), memory.failure)
    await assert.rejects(async () => keys.set(change))
    assert.equal(memory.kept.size, 0)
  })

  test('a ratchet step that could not be written makes the barrier fail', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    await keys.set(session('one'))
    memory.failure = new Error('disk full')
    await keys.set(session('two'))
    await promisesSettled()
    assert.deepEqual(memory.failures, [memory.failure])
    assert.equal(textIn(await keys.get('session', ['a.0'])), 'one')
  })

  test('a slow read does not replace a value written meanwhile', async () => {
    const memory = memoryCredentials()
    await (await loadAuthState(memory.credentials)).keys.set(session('old'))
    await promisesSettled()
    const { keys } = await loadAuthState(memory.credentials)
    const slow = Promise.withResolvers<void>()
    memory.reading = slow.promise
    const reading = keys.get('session', ['a.0'])
    await keys.set(session('new'))
    slow.resolve()
    await reading
    assert.equal(textIn(await keys.get('session', ['a.0'])), 'new')
  })

  test('app state keys are read back as instances of the message class', async () => {
    const memory = memoryCredentials()
    const key = proto.Message.AppStateSyncKeyData.fromObject({ keyData: Buffer.from('bytes') })
    await (await loadAuthState(memory.credentials)).keys.set({ 'app-state-sync-key': { AAAA: key } })
    const { keys } = await loadAuthState(memory.credentials)
    const found = (await keys.get('app-state-sync-key', ['AAAA'])).AAAA
    assert.ok(found instanceof proto.Message.AppStateSyncKeyData)
    assert.equal(Buffer.from(found.keyData ?? []).toString(), 'bytes')
  })

  test('a received message and the keys it used up are stored in one write, for which only frames wait', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    const disk = Promise.withResolvers<void>()
    memory.writing = disk.promise
    const payload = Buffer.from('the message')
    const stored = Promise.withResolvers<void>()
    const used = { ...session('one'), 'pre-key': { '7': null } }
    await keys.set({ ...used, [ARRIVAL_KIND]: { 'x|y': { payload, stored } } } as unknown as SignalDataSet)
    memory.send('receipt')
    await promisesSettled()
    assert.deepEqual([memory.writes, memory.sent], [[], []])
    disk.resolve()
    await stored.promise
    await promisesSettled()
    assert.deepEqual(memory.sent, ['receipt'])
    assert.deepEqual(
      memory.writes.map((write) => write.keys.map(({ name }) => name)),
      [['a.0', '7']],
    )
    assert.deepEqual(
      memory.writes.flatMap((write) => write.arrivals.map(({ name }) => name)),
      ['x|y'],
    )
  })

  test('one-time keys are not cached, and keys in use stay in the cache', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    await keys.set(session('one'))
    const pair = { public: Buffer.from('public'), private: Buffer.from('private') }
    const ids = Array.from({ length: 812 }, (_, index) => String(index))
    await keys.set({ 'pre-key': Object.fromEntries(ids.map((id) => [id, pair])) })
    await promisesSettled()
    memory.reads.length = 0
    assert.equal(textIn(await keys.get('session', ['a.0'])), 'one')
    assert.deepEqual(memory.reads, [])
    assert.deepEqual((await keys.get('pre-key', ['811']))['811'], pair)
    assert.equal(keys.cached('pre-key', '811'), undefined)
  })

  test('the cache is bounded', async () => {
    const memory = memoryCredentials()
    const { keys } = await loadAuthState(memory.credentials)
    const names = Array.from({ length: 600 }, (_, index) => `${index}.0`)
    await keys.set(sessions(Object.fromEntries(names.map((name) => [name, record(name)]))))
    await promisesSettled()
    memory.reads.length = 0
    await keys.get('session', names.slice(-500))
    assert.equal(memory.reads.length, 0)
    await keys.get('session', names.slice(0, 100))
    assert.equal(memory.reads.length, 100)
  })
})
