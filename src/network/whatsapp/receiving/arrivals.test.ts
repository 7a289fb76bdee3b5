import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type AuthenticationCreds,
  addTransactionCapability,
  Curve,
  generateSignalPubKey,
  initAuthCreds,
  type SignalAuthState,
} from 'baileys'
import { promisesSettled } from '../../../../test/support/manual-time.ts'
import type { Arrival, Credentials } from '../../network.ts'
import { loadAuthState } from '../library/auth-state.ts'
import type { BinaryNode } from '../library/protocol.ts'
import { createQuietLogger } from '../library/quiet-logger.ts'
import { signalRepositoryMaker } from '../library/signal-repository.ts'
import { createWriteBarrier } from '../library/write-barrier.ts'
import { serialized } from '../library/write-queue.ts'
import { createArrivalKeeper, decodeArrival } from './arrivals.ts'

const logger = createQuietLogger({ debug: () => undefined }, () => undefined)
const ALICE = '5511900000001@s.whatsapp.net'
const BOB = '5511900000002@s.whatsapp.net'

function memory() {
  const keys = new Map<string, Uint8Array>()
  const inbox = new Map<string, Uint8Array>()
  const script = {
    keys,
    inbox,
    failure: undefined as Error | undefined,
    /** Failures that the write barrier reported. */
    failures: [] as unknown[],
    writes: 0,
    lookups: 0,
    /** Holds writes back until it resolves. */
    writing: Promise.resolve(),
    /** Frames that have left. */
    sent: [] as unknown[],
  }
  const credentials: Credentials = {
    read: async (kind, names) =>
      new Map(
        names.flatMap((name) => {
          const value = keys.get(`${kind}/${name}`)
          return value ? [[name, value] as const] : []
        }),
      ),
    async write(changes, arrivals) {
      await script.writing
      if (script.failure) throw script.failure
      script.writes += 1
      for (const { kind, name, value } of changes) {
        if (value) keys.set(`${kind}/${name}`, value)
        else keys.delete(`${kind}/${name}`)
      }
      for (const { name, payload } of arrivals) inbox.set(name, payload)
    },
    async findArrival(name) {
      script.lookups += 1
      return inbox.get(name)
    },
  }
  const connect = () => {
    const barrier = createWriteBarrier((error) => script.failures.push(error))
    const socket = { send: (frame: unknown) => void script.sent.push(frame), close: () => undefined }
    barrier.guard(socket)
    return {
      credentials: barrier.watch(serialized(credentials)),
      send: (frame: unknown) => socket.send(frame),
    }
  }
  return Object.assign(script, { connect })
}

/** One side of a conversation, as the library builds it. */
async function endpoint(kept = memory(), login = initAuthCreds()) {
  const { credentials, send } = kept.connect()
  const arrived: Arrival[] = []
  const note = async (arrival: Arrival) => void arrived.push(arrival)
  const keeper = createArrivalKeeper(credentials, note)
  const { creds, keys } = await loadAuthState(credentials)
  Object.assign(creds, login)
  const auth = {
    creds,
    keys: addTransactionCapability(keys, logger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 }),
  } as unknown as SignalAuthState
  const repository = signalRepositoryMaker(keeper.keep)(auth, logger, async () => undefined)
  return { kept, arrived, keeper, auth, repository, send }
}

/** Alice writes to Bob: the ciphertext, and its stanza. */
async function conversation() {
  const [alice, bob] = [await endpoint(), await endpoint()]
  const preKey = Curve.generateKeyPair()
  await bob.auth.keys.set({ 'pre-key': { '7': preKey } })
  await alice.repository.injectE2ESession({
    jid: BOB,
    session: {
      registrationId: bob.auth.creds.registrationId,
      identityKey: generateSignalPubKey(bob.auth.creds.signedIdentityKey.public),
      signedPreKey: {
        keyId: bob.auth.creds.signedPreKey.keyId,
        publicKey: generateSignalPubKey(bob.auth.creds.signedPreKey.keyPair.public),
        signature: bob.auth.creds.signedPreKey.signature,
      },
      preKey: { keyId: 7, publicKey: generateSignalPubKey(preKey.public) },
    },
  })
  const write = async (id: string, text: string) => {
    const { type, ciphertext } = await alice.repository.encryptMessage({ jid: BOB, data: Buffer.from(text) })
    const stanza: BinaryNode = {
      tag: 'message',
      attrs: { from: ALICE, id, type: 'text', t: '1' },
      content: [{ tag: 'enc', attrs: { type, v: '2' }, content: ciphertext }],
    }
    const readBy = (reader: Pick<typeof bob, 'keeper' | 'repository'>) => {
      reader.keeper.noteStanza(stanza)
      return reader.repository.decryptMessage({ jid: ALICE, type, ciphertext })
    }
    return {
      stanza,
      readBy,
      read: () => bob.repository.decryptMessage({ jid: ALICE, type, ciphertext }),
    }
  }
  /** Bob connects again, with what is stored. */
  const reconnect = () => endpoint(bob.kept, bob.auth.creds as AuthenticationCreds)
  return { alice, bob, write, reconnect }
}

describe('a received message', () => {
  test('is stored in one write with the keys it used up, before it is reported and before its receipt leaves', async () => {
    const { bob, write } = await conversation()
    const { readBy } = await write('A1', 'hello')
    const before = bob.kept.writes
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    assert.equal(Buffer.from(await readBy(bob)).toString(), 'hello')
    bob.send('receipt')
    await promisesSettled()
    assert.deepEqual([bob.kept.writes, bob.arrived, bob.kept.sent], [before, [], []])
    disk.resolve()
    await promisesSettled()
    assert.deepEqual([bob.kept.writes, bob.kept.sent], [before + 1, ['receipt']])
    assert.equal(bob.kept.keys.has('pre-key/7'), false, 'the one-time key is used up')
    const [arrival] = bob.arrived as [Arrival]
    assert.deepEqual(bob.kept.inbox.get(arrival.name), arrival.payload)
    const { attrs, plain } = decodeArrival(arrival.payload)
    assert.deepEqual([attrs.id, attrs.from, plain.toString()], ['A1', ALICE, 'hello'])
    assert.equal(bob.kept.lookups, 0)
  })

  test('is decrypted while those before it are written; those that wait share one write and keep their order', async () => {
    const { bob, write } = await conversation()
    const disk = Promise.withResolvers<void>()
    const before = bob.kept.writes
    bob.kept.writing = disk.promise
    for (const id of ['A1', 'A2', 'A3', 'A4']) {
      const { readBy } = await write(id, id)
      assert.equal(Buffer.from(await readBy(bob)).toString(), id)
    }
    disk.resolve()
    await promisesSettled()
    assert.equal(bob.kept.writes, before + 2)
    assert.deepEqual(
      bob.arrived.map(({ payload }) => decodeArrival(payload).attrs.id),
      ['A1', 'A2', 'A3', 'A4'],
    )
  })

  test('that may be opened once, and only on the phone, is stored without content before it is acknowledged', async () => {
    const bob = await endpoint()
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    const placeholder: BinaryNode = { tag: 'unavailable', attrs: { type: 'view_once' } }
    bob.keeper.noteStanza({
      tag: 'message',
      attrs: { from: ALICE, id: 'A1', t: '1' },
      content: [placeholder],
    })
    bob.send('ack')
    await promisesSettled()
    assert.deepEqual([bob.arrived, bob.kept.sent], [[], []])
    disk.resolve()
    await promisesSettled()
    const [arrival] = bob.arrived as [Arrival]
    assert.deepEqual([bob.kept.inbox.get(arrival.name), bob.kept.sent], [arrival.payload, ['ack']])
    const { attrs, plain, isViewOnce } = decodeArrival(arrival.payload)
    assert.deepEqual([attrs.id, plain.length, isViewOnce], ['A1', 0, true])
    // The library does not ask the phone for a message of this type.
    assert.equal(placeholder.attrs.type, 'view_once_unavailable_fanout')
  })

  test('that is unavailable for another reason is left to the library, which asks the phone for it', async () => {
    const bob = await endpoint()
    const placeholder: BinaryNode = { tag: 'unavailable', attrs: {} }
    bob.keeper.noteStanza({
      tag: 'message',
      attrs: { from: ALICE, id: 'A1', t: '1' },
      content: [placeholder],
    })
    await promisesSettled()
    assert.deepEqual([bob.arrived, placeholder.attrs], [[], {}])
  })

  test('that is delivered again is read from the store, and not reported again', async () => {
    const { bob, write, reconnect } = await conversation()
    const { readBy } = await write('A1', 'hello')
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    await readBy(bob)
    assert.equal(Buffer.from(await readBy(bob)).toString(), 'hello', 'while it is being stored')
    disk.resolve()
    await promisesSettled()
    const { writes } = bob.kept
    assert.equal(Buffer.from(await readBy(bob)).toString(), 'hello', 'on the same connection')
    const again = await reconnect()
    assert.equal(Buffer.from(await readBy(again)).toString(), 'hello', 'on the next connection')
    await promisesSettled()
    assert.deepEqual([bob.kept.writes, bob.kept.lookups], [writes, 2])
    assert.deepEqual([bob.arrived.length, again.arrived.length], [1, 0])
  })

  test('that cannot be stored is not acknowledged, nor any after it, and the next connection can decrypt all of them', async () => {
    const { bob, write, reconnect } = await conversation()
    const full = new Error('disk full')
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    bob.kept.failure = full
    const messages = [await write('A1', 'one'), await write('A2', 'two'), await write('A3', 'three')]
    for (const { readBy } of messages.slice(0, 2)) {
      await readBy(bob)
      bob.send('receipt')
    }
    disk.resolve()
    await promisesSettled()
    bob.kept.failure = undefined
    await messages[2]?.readBy(bob).catch(() => undefined)
    bob.send('receipt')
    await promisesSettled()
    assert.deepEqual(bob.kept.failures, [full])
    assert.deepEqual([bob.arrived, bob.kept.sent, bob.kept.inbox.size], [[], [], 0])
    assert.equal(bob.kept.keys.has('pre-key/7'), true)
    const again = await reconnect()
    const texts: string[] = []
    for (const { readBy } of messages) texts.push(Buffer.from(await readBy(again)).toString())
    assert.deepEqual(texts, ['one', 'two', 'three'])
  })

  test('waits if too many before it are in progress', async () => {
    const { bob, write } = await conversation()
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    for (let count = 1; count <= 500; count += 1) await (await write(`A${count}`, 'one of many')).readBy(bob)
    let isDecrypted = false
    const { readBy } = await write('A501', 'one too many')
    const reading = readBy(bob).then(() => (isDecrypted = true))
    for (let turn = 0; turn < 50; turn += 1) await promisesSettled()
    assert.equal(isDecrypted, false)
    disk.resolve()
    await reading
    await promisesSettled()
    assert.equal(bob.arrived.length, 501)
  })

  test('with two parts in one stanza is two arrivals', async () => {
    const { bob, write } = await conversation()
    const [one, two] = [await write('A1', 'one'), await write('A1', 'two')]
    const parts = [one, two].flatMap(({ stanza }) => stanza.content as BinaryNode[])
    bob.keeper.noteStanza({ ...one.stanza, content: parts })
    await one.read()
    await two.read()
    await promisesSettled()
    assert.equal(new Set(bob.arrived.map(({ name }) => name)).size, 2)
    assert.equal(bob.kept.inbox.size, 2)
  })

  test('whose stanza was not noted is decrypted but not stored', async () => {
    const { bob, write } = await conversation()
    const { read } = await write('A1', 'hello')
    assert.equal(Buffer.from(await read()).toString(), 'hello')
    assert.deepEqual([bob.arrived.length, bob.kept.inbox.size], [0, 0])
  })
})
