// The signed pre-key is replaced after 27 days. Whatever the moment of a crash, first messages that name the new key or one of the
// three before it are decrypted.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  addTransactionCapability,
  type BinaryNode,
  Curve,
  generateSignalPubKey,
  type SignedKeyPair,
} from 'baileys'
import { type AuthState, loadAuthState } from './auth-state.ts'
import { signalRepositoryMaker } from './open-library.ts'
import { createQuietLogger } from './quiet-logger.ts'
import { rotateWhenDue } from './signed-pre-key.ts'
import type { HeldCredentials } from './write-barrier.ts'

const logger = createQuietLogger({ debug: () => undefined }, () => undefined)
const ME = '5511900000001@s.whatsapp.net'
const FRIEND = '5511900000002@s.whatsapp.net'
const DAY_MS = 24 * 60 * 60_000
const START_MS = Date.UTC(2026, 0, 1)

/** A store that survives the connections, with a log of what happened in which order. */
function createStore() {
  const rows = new Map<string, Uint8Array>()
  const log: string[] = []
  const script = { rows, log, now: START_MS, isRefused: false, isFullDisk: false, announced: [] as string[] }
  const write: HeldCredentials['write'] = async (changes) => {
    if (script.isFullDisk) throw new Error('disk full')
    for (const { kind, name, value } of changes) {
      log.push(`${value ? 'store' : 'delete'} ${kind} ${name}`)
      if (value) rows.set(`${kind}/${name}`, value)
      else rows.delete(`${kind}/${name}`)
    }
  }
  const credentials: HeldCredentials = {
    read: async (kind, names) =>
      new Map(
        names.flatMap((name) => {
          const value = rows.get(`${kind}/${name}`)
          return value ? [[name, value] as const] : []
        }),
      ),
    write,
    writeBehind: write,
    hold: () => undefined,
    findArrival: async () => undefined,
    framesFlushed: async () => undefined,
  }
  return Object.assign(script, { credentials })
}
type Store = ReturnType<typeof createStore>

/** A connection on this store: what a process that was killed does next. */
async function connect(store: Store) {
  const auth = await loadAuthState(store.credentials)
  const keys = addTransactionCapability(auth.keys, logger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 })
  const make = signalRepositoryMaker((_ciphertext, { transaction, decrypt }) => transaction(decrypt))
  const repository = make({ creds: auth.creds, keys }, logger, async () => undefined)
  const query = async ({ content }: BinaryNode): Promise<unknown> => {
    const [rotate] = content as [BinaryNode]
    const [skey] = rotate.content as [BinaryNode]
    const [, value] = skey.content as [BinaryNode, BinaryNode]
    store.log.push(`${rotate.tag} ${skey.tag}`)
    store.announced.push(Buffer.from(value.content as Uint8Array).toString('hex'))
    if (store.isRefused) throw new Error('refused')
    return undefined
  }
  const rotate = () => rotateWhenDue({ auth, query, clock: () => store.now })
  return { auth, repository, rotate }
}

const publicKey = ({ keyPair }: SignedKeyPair): string => Buffer.from(keyPair.public).toString('hex')

/** A first message to this login, with the keys that it has now. */
async function firstMessage({ creds }: AuthState, text: string): Promise<Uint8Array> {
  const { repository } = await connect(createStore())
  await repository.injectE2ESession({
    jid: ME,
    session: {
      registrationId: creds.registrationId,
      identityKey: generateSignalPubKey(creds.signedIdentityKey.public),
      signedPreKey: {
        keyId: creds.signedPreKey.keyId,
        publicKey: generateSignalPubKey(creds.signedPreKey.keyPair.public),
        signature: creds.signedPreKey.signature,
      },
    },
  })
  return (await repository.encryptMessage({ jid: ME, data: Buffer.from(text) })).ciphertext
}

async function read(
  connection: Awaited<ReturnType<typeof connect>>,
  ciphertext: Uint8Array,
): Promise<string> {
  const options = { jid: FRIEND, type: 'pkmsg' as const, ciphertext }
  return Buffer.from(await connection.repository.decryptMessage(options)).toString()
}

/** A login whose key is 27 days old. */
async function due(): Promise<{ store: Store; connection: Awaited<ReturnType<typeof connect>> }> {
  const store = createStore()
  const connection = await connect(store)
  await connection.rotate()
  store.now += 27 * DAY_MS
  store.log.length = 0
  return { store, connection }
}

describe('when the signed pre-key is replaced', () => {
  test('the age counts from the first connection, and nothing is announced before 27 days', async () => {
    const store = createStore()
    const { auth, rotate } = await connect(store)
    const before = publicKey(auth.creds.signedPreKey)
    await rotate()
    assert.equal(auth.creds.signedPreKey.timestampS, START_MS / 1000)
    assert.deepEqual(store.log, ['store creds creds'])
    store.now += 27 * DAY_MS - 1000
    await rotate()
    assert.deepEqual(store.announced, [])
    assert.equal(publicKey((await connect(store)).auth.creds.signedPreKey), before)
  })

  test('both keys are stored before the new one is announced, and the login after the network has accepted it', async () => {
    const { store, connection } = await due()
    const { creds } = connection.auth
    await connection.rotate()
    assert.deepEqual(store.log, [
      'store signed-pre-key 1',
      'store signed-pre-key 2',
      'rotate skey',
      'store creds creds',
    ])
    assert.deepEqual(store.announced, [publicKey(creds.signedPreKey)])
    assert.equal(creds.signedPreKey.keyId, 2)
    const { keyPair, signature } = creds.signedPreKey
    assert.ok(Curve.verify(creds.signedIdentityKey.public, generateSignalPubKey(keyPair.public), signature))
    await connection.rotate()
    assert.equal(store.announced.length, 1)
  })

  test('an announcement that failed is repeated with the same key', async () => {
    const { store, connection } = await due()
    store.isRefused = true
    await assert.rejects(connection.rotate(), /refused/)
    assert.equal(connection.auth.creds.signedPreKey.keyId, 1)
    store.isRefused = false
    await connection.rotate()
    assert.equal(store.announced[1], store.announced[0])
  })

  test('a clock that was far ahead does not keep the key for ever', async () => {
    const { store, connection } = await due()
    store.now -= 90 * DAY_MS
    await connection.rotate()
    assert.equal(connection.auth.creds.signedPreKey.keyId, 2)
  })
})

describe('first messages around a rotation', () => {
  test('one that names the key before is decrypted afterwards, also by the next process', async () => {
    const { store, connection } = await due()
    const [late, later] = [
      await firstMessage(connection.auth, 'late'),
      await firstMessage(connection.auth, 'later'),
    ]
    await connection.rotate()
    assert.equal(await read(connection, late), 'late')
    assert.equal(await read(await connect(store), later), 'later')
  })

  test('one that names the new key is decrypted after a crash between announcement and login; the same key is announced again', async () => {
    const { store, connection } = await due()
    const write = store.credentials.write
    store.credentials.write = async (changes, arrivals) => {
      if (changes.some(({ kind }) => kind === 'creds')) throw new Error('killed')
      return write(changes, arrivals)
    }
    await assert.rejects(connection.rotate(), /killed/)
    // In memory the login has the new key: it is what the network gives to contacts from now on.
    const message = await firstMessage(connection.auth, 'with the new key')
    store.credentials.write = write

    const next = await connect(store)
    assert.equal(next.auth.creds.signedPreKey.keyId, 1)
    assert.equal(await read(next, message), 'with the new key')
    await next.rotate()
    assert.equal(store.announced[1], store.announced[0])
    assert.equal(publicKey(next.auth.creds.signedPreKey), store.announced[0])
  })

  test('the three keys before the current one are kept, and then deleted', async () => {
    const { store, connection } = await due()
    const messages: Uint8Array[] = []
    for (let count = 0; count < 4; count += 1) {
      messages.push(await firstMessage(connection.auth, `${count}`))
      await connection.rotate()
      store.now += 27 * DAY_MS
    }
    await assert.rejects(read(connection, messages[0] as Uint8Array))
    for (const index of [1, 2, 3])
      assert.equal(await read(connection, messages[index] as Uint8Array), `${index}`)
    assert.ok(!store.rows.has('signed-pre-key/1'))
  })

  test('nothing is announced while the new key cannot be stored', async () => {
    const { store, connection } = await due()
    store.isFullDisk = true
    await assert.rejects(connection.rotate(), /disk full/)
    assert.deepEqual(store.announced, [])
  })
})
