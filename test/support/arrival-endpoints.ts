// One side of a conversation as the library builds it, with the keeper of arrivals on keys in memory.
import {
  type AuthenticationCreds,
  addTransactionCapability,
  Curve,
  generateSignalPubKey,
  initAuthCreds,
  type SignalAuthState,
} from 'baileys'
import type { Arrival, ArrivalGuard, Credentials } from '../../src/network/network.ts'
import { loadAuthState } from '../../src/whatsapp/library/auth-state.ts'
import { signalRepositoryMaker } from '../../src/whatsapp/library/open-library.ts'
import type { BinaryNode } from '../../src/whatsapp/library/protocol.ts'
import { createQuietLogger } from '../../src/whatsapp/library/quiet-logger.ts'
import { createWriteBarrier } from '../../src/whatsapp/library/write-barrier.ts'
import { serialized } from '../../src/whatsapp/library/write-queue.ts'
import { createArrivalKeeper } from '../../src/whatsapp/receiving/arrivals.ts'
import type { Unreadable } from '../../src/whatsapp/receiving/unreadable.ts'
import type { UnreadableReason } from '../../src/whatsapp/receiving/unreadable-rules.ts'

const logger = createQuietLogger({ debug: () => undefined }, () => undefined)
export const ALICE = '5511900000001@s.whatsapp.net'
export const BOB = '5511900000002@s.whatsapp.net'

export function memory() {
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
export async function endpoint(kept = memory(), login = initAuthCreds(), guard?: ArrivalGuard) {
  const { credentials, send } = kept.connect()
  const arrived: Arrival[] = []
  const note = async (arrival: Arrival) => void arrived.push(arrival)
  const failed: [id: string | undefined, reason: UnreadableReason][] = []
  const known = new Set<string>()
  const resolved: unknown[] = []
  const unreadable: Unreadable = {
    load: async () => undefined,
    failed: async ({ attrs }, reason) => void failed.push([attrs.id, reason]),
    arrived: (id) => void resolved.push(id),
    start: () => undefined,
    stop: () => undefined,
  }
  const keeper = createArrivalKeeper({
    credentials,
    onArrived: note,
    isKnown: async (id) => known.has(id),
    isAddressed: ({ from = '', participant }) => !from.endsWith('@g.us') || participant !== undefined,
    guard,
    unreadable: () => unreadable,
  })
  const { creds, keys } = await loadAuthState(credentials)
  Object.assign(creds, login)
  const auth = {
    creds,
    keys: addTransactionCapability(keys, logger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 }),
  } as unknown as SignalAuthState
  const repository = signalRepositoryMaker(keeper.keep)(auth, logger, async () => undefined)
  return { kept, arrived, failed, known, resolved, keeper, auth, repository, send }
}

/** Alice writes to Bob: the ciphertext, and its stanza. */
export async function conversation() {
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
