import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  addTransactionCapability,
  type BinaryNode,
  Curve,
  generateSignalPubKey,
  initAuthCreds,
  type SignalAuthState,
} from 'baileys'
import type { Arrival, Credentials } from '../network.ts'
import { createArrivalKeeper, decodeArrival } from './arrivals.ts'
import { loadAuthState } from './auth-state.ts'
import { createQuietLogger } from './quiet-logger.ts'
import { createWriteBarrier } from './write-barrier.ts'

const logger = createQuietLogger({ debug: () => undefined })
const ALICE = '5511900000001@s.whatsapp.net'
const BOB = '5511900000002@s.whatsapp.net'

function memory() {
  const keys = new Map<string, Uint8Array>()
  const inbox = new Map<string, Uint8Array>()
  const script = { keys, inbox, failure: undefined as Error | undefined, writes: 0 }
  const credentials: Credentials = {
    read: async (kind, names) =>
      new Map(
        names.flatMap((name) => {
          const value = keys.get(`${kind}/${name}`)
          return value ? [[name, value] as const] : []
        }),
      ),
    async write(changes, arrivals) {
      if (script.failure) throw script.failure
      script.writes += 1
      for (const { kind, name, value } of changes) {
        if (value) keys.set(`${kind}/${name}`, value)
        else keys.delete(`${kind}/${name}`)
      }
      for (const { name, payload } of arrivals) inbox.set(name, payload)
    },
    findArrival: async (name) => inbox.get(name),
  }
  const barrier = createWriteBarrier(() => undefined)
  return Object.assign(script, { credentials: barrier.watch(credentials) })
}

/** One side of a conversation, as the library builds it. */
async function endpoint() {
  const kept = memory()
  const arrived: Arrival[] = []
  const keeper = createArrivalKeeper(kept.credentials, (arrival) => arrived.push(arrival))
  const { creds, keys } = await loadAuthState(kept.credentials)
  Object.assign(creds, initAuthCreds())
  const auth = {
    creds,
    keys: addTransactionCapability(keys, logger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 }),
  } as unknown as SignalAuthState
  const repository = keeper.makeSignalRepository(auth, logger, async () => undefined)
  return { kept, arrived, keeper, auth, repository }
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
    return { stanza, read: () => bob.repository.decryptMessage({ jid: ALICE, type, ciphertext }) }
  }
  return { alice, bob, write }
}

describe('a received message', () => {
  test('is stored in one write with the keys it used up, before it is reported', async () => {
    const { bob, write } = await conversation()
    const { stanza, read } = await write('A1', 'hello')
    bob.keeper.noteStanza(stanza)
    const before = bob.kept.writes
    assert.equal(Buffer.from(await read()).toString(), 'hello')
    assert.equal(bob.kept.writes, before + 1)
    assert.equal(bob.kept.keys.has('pre-key/7'), false, 'the one-time key is used up')
    const [arrival] = bob.arrived as [Arrival]
    assert.deepEqual(bob.kept.inbox.get(arrival.name), arrival.payload)
    const { attrs, plain } = decodeArrival(arrival.payload)
    assert.deepEqual([attrs.id, attrs.from, plain.toString()], ['A1', ALICE, 'hello'])
  })

  test('that is delivered again is read from the store, and not reported again', async () => {
    const { bob, write } = await conversation()
    const { stanza, read } = await write('A1', 'hello')
    bob.keeper.noteStanza(stanza)
    await read()
    const { writes } = bob.kept
    assert.equal(Buffer.from(await read()).toString(), 'hello')
    assert.equal(bob.kept.writes, writes)
    assert.equal(bob.arrived.length, 1)
  })

  test('that cannot be stored is not decrypted: nothing is reported, and the keys are unchanged', async () => {
    const { bob, write } = await conversation()
    const { stanza, read } = await write('A1', 'hello')
    bob.keeper.noteStanza(stanza)
    bob.kept.failure = new Error('disk full')
    await assert.rejects(read(), /disk full/)
    assert.deepEqual([bob.arrived.length, bob.kept.inbox.size], [0, 0])
    assert.equal(bob.kept.keys.has('pre-key/7'), true)
    bob.kept.failure = undefined
    assert.equal(Buffer.from(await read()).toString(), 'hello')
  })

  test('with two parts in one stanza is two arrivals', async () => {
    const { bob, write } = await conversation()
    const [one, two] = [await write('A1', 'one'), await write('A1', 'two')]
    const parts = [one, two].flatMap(({ stanza }) => stanza.content as BinaryNode[])
    bob.keeper.noteStanza({ ...one.stanza, content: parts })
    await one.read()
    await two.read()
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
