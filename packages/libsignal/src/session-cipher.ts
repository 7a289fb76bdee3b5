// Encrypts and decrypts the messages of one device, with the sessions in a storage. A step that fails stores nothing.
import { createEffortLimit, type Effort, type EffortLimit } from './effort.ts'
import { MessageCounterError, PreKeyError, SessionError, UntrustedIdentityKeyError } from './errors.ts'
import { beginIncoming } from './key-agreement.ts'
import { checkVersion, decryptMessage, encryptMessage, type Incoming, readMessage } from './message.ts'
import { PreKeyWhisperMessage, type PreKeyWhisperMessageFields } from './protobufs.ts'
import type { ProtocolAddress } from './protocol-address.ts'
import { type Budget, findChain, MAX_SKIPPED } from './ratchet.ts'
import type { Session } from './session.ts'
import { SessionRecord } from './session-record.ts'
import type { SignalStorage } from './storage.ts'

/** The types of a message in the protocol. */
const ORDINARY = 1
const WITH_PRE_KEY = 3

/** One limit per storage: the network library creates a cipher for each message. */
const limits = new WeakMap<SignalStorage, EffortLimit>()

export class SessionCipher {
  readonly #storage: SignalStorage
  readonly #address: ProtocolAddress

  constructor(storage: SignalStorage, address: ProtocolAddress) {
    this.#storage = storage
    this.#address = address
  }

  async encrypt(data: Uint8Array): Promise<{ type: number; body: Buffer; registrationId: number }> {
    const record = await this.#load()
    if (!record) throw new SessionError('No sessions')
    const session = record.openSession()
    if (!session) throw new SessionError('No open session')
    await this.#checkIdentity(session.remoteIdentityKey)
    const sender = {
      identityKey: (await this.#storage.getOurIdentity()).pubKey,
      registrationId: await this.#storage.getOurRegistrationId(),
    }
    const { session: stepped, body } = encryptMessage(session, data, sender)
    await this.#store(record.with(stepped))
    const type = session.pendingPreKey ? WITH_PRE_KEY : ORDINARY
    return { type, body, registrationId: session.registrationId }
  }

  decryptWhisperMessage(data: Uint8Array): Promise<Buffer> {
    return limitOf(this.#storage).run(this.#address.id, async (effort) => {
      const message = readMessage(data)
      const record = await this.#load()
      if (!record) throw new SessionError('No session record')
      const { pubKey } = await this.#storage.getOurIdentity()
      const { session, plain } = decryptWithAny(record, message, pubKey, effort)
      await this.#checkIdentity(session.remoteIdentityKey)
      await this.#store(record.with(session))
      return plain
    })
  }

  decryptPreKeyWhisperMessage(data: Uint8Array): Promise<Buffer> {
    return limitOf(this.#storage).run(this.#address.id, async ({ steps }) => {
      checkVersion(data)
      const fields = PreKeyWhisperMessage.decode(data.subarray(1))
      const message = readMessage(fields.message)
      await this.#checkIdentity(fields.identityKey)
      const record = (await this.#load()) ?? new SessionRecord()
      const known = record.begunBy(fields.baseKey)
      const begun = known ? record : record.open(await this.#begin(fields), Date.now())
      const session = begun.begunBy(fields.baseKey) as Session
      const { pubKey } = await this.#storage.getOurIdentity()
      const budget = budgetFor(steps)
      const { session: stepped, plain } = decryptMessage(session, message, pubKey, Date.now(), budget)
      await this.#store(begun.with(stepped))
      if (!known && fields.preKeyId !== undefined) await this.#storage.removePreKey(fields.preKeyId)
      return plain
    })
  }

  async hasOpenSession(): Promise<boolean> {
    return (await this.#load())?.haveOpenSession() ?? false
  }

  async #begin(fields: PreKeyWhisperMessageFields): Promise<Session> {
    const { preKeyId, signedPreKeyId, identityKey, baseKey, registrationId } = fields
    // The library numbers its pre-keys from 1; some senders write 0 for none.
    const preKey = preKeyId === undefined ? null : ((await this.#storage.loadPreKey(preKeyId)) ?? null)
    if (preKeyId && !preKey) throw new PreKeyError('Invalid PreKey ID')
    const signedPreKey = await this.#storage.loadSignedPreKey(signedPreKeyId)
    if (!signedPreKey) throw new PreKeyError('Missing SignedPreKey')
    return beginIncoming(
      {
        ownIdentity: await this.#storage.getOurIdentity(),
        signedPreKey,
        preKey,
        // Copies: the originals are parts of the whole message.
        identityKey: Buffer.from(identityKey),
        baseKey: Buffer.from(baseKey),
        registrationId,
      },
      Date.now(),
    )
  }

  async #checkIdentity(identityKey: Uint8Array): Promise<void> {
    if (!(await this.#storage.isTrustedIdentity(this.#address.id, identityKey)))
      throw new UntrustedIdentityKeyError(this.#address.toString())
  }

  async #load(): Promise<SessionRecord | null | undefined> {
    return this.#storage.loadSession(this.#address.toString())
  }

  async #store(record: SessionRecord): Promise<void> {
    await this.#storage.storeSession(this.#address.toString(), record)
  }
}

function limitOf(storage: SignalStorage): EffortLimit {
  const known = limits.get(storage)
  if (known) return known
  const created = createEffortLimit()
  limits.set(storage, created)
  return created
}

/** Tries the sessions that have the chain of the message first, then the open one, then the ones used last. */
export function decryptWithAny(
  record: SessionRecord,
  message: Incoming,
  ownIdentityKey: Buffer,
  { steps, sessions }: Effort,
  budget: Budget = budgetFor(steps),
): { session: Session; plain: Buffer } {
  const order = record.sessions.toSorted(
    (a, b) => rankOf(b, message) - rankOf(a, message) || b.usedAt - a.usedAt,
  )
  for (const session of order.slice(0, sessions)) {
    try {
      return decryptMessage(session, message, ownIdentityKey, Date.now(), budget)
    } catch (error) {
      // This session has the chain of the message, so that no other session can have it.
      if (error instanceof MessageCounterError) throw error
    }
  }
  throw new SessionError('No matching sessions found for message')
}

const budgetFor = (steps: number): Budget => ({ left: Math.min(steps, MAX_SKIPPED) })

const rankOf = (session: Session, { ephemeralKey }: Incoming): number =>
  (findChain(session, ephemeralKey) ? 2 : 0) + (session.closedAt === null ? 1 : 0)
