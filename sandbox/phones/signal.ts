// A phone's side of the Signal protocol. Sessions and sender keys are stored under hidden ids, for every form of address that a stanza uses.
import {
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeWAMessage,
  generateSignalPubKey,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStoreWithTransaction,
  unpadRandomMax16,
} from 'baileys'
import { SenderKeyRecord, SessionRecord } from 'libsignal'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { withGroupCiphers } from '../../src/network/group-ciphers.ts'
import type { KeyBundle } from '../model/key-bundle.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account } from '../model/world.ts'
import type { Database } from '../store/database.ts'
import { writeAccount } from '../store/documents.ts'
import { readPhoneKey, writePhoneKey } from '../store/phone-keys.ts'
import { type Stanza, stanza } from '../wire/stanza.ts'

export interface PhoneSignal {
  readonly keys: PhoneKeyStore
  /** The public keys of this phone, with a new one-time key. */
  takeBundle(): KeyBundle
  hasSession(jid: string): Promise<boolean>
  startSession(jid: string, bundle: KeyBundle): Promise<void>
  encrypt(jid: string, message: proto.IMessage, attributes?: Record<string, string>): Promise<Stanza>
  /** As `encrypt`, for bytes that need not be a message. */
  encryptBytes(jid: string, bytes: Uint8Array): Promise<Stanza>
  encryptForGroup(group: string, ownJid: string, message: proto.IMessage): Promise<GroupCiphertext>
  /** Decrypts one part of a stanza, and stores the sender key that it may contain. */
  decrypt(part: Stanza, author: string, group: string | undefined): Promise<proto.Message>
}

interface GroupCiphertext {
  part: Stanza
  distribution: proto.Message.ISenderKeyDistributionMessage
}

type Logger = Parameters<typeof DEFAULT_CONNECTION_CONFIG.makeSignalRepository>[1]

const noLog = () => {}
const SILENT: Logger = {
  level: 'silent',
  child: () => SILENT,
  trace: noLog,
  debug: noLog,
  info: noLog,
  warn: noLog,
  error: noLog,
}

export function createSignal(database: Database, account: Account): PhoneSignal {
  const keys = createKeyStore(database, account.number)
  const { identityKey, signedPreKey, registrationId } = account.phone
  const creds = { signedIdentityKey: identityKey, signedPreKey, registrationId }
  const made = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys }, SILENT)
  const repository = withGroupCiphers(made, keys)
  return {
    keys,
    takeBundle: () => createBundle(database, account, keys),
    hasSession: async (jid) => (await repository.validateSession(jid)).exists,
    startSession: (jid, bundle) => repository.injectE2ESession({ jid, session: toSession(bundle) }),
    async encrypt(jid, message, attributes) {
      const { type, ciphertext } = await repository.encryptMessage({ jid, data: encodeWAMessage(message) })
      return stanza('enc', { v: '2', type, ...attributes }, ciphertext)
    },
    async encryptBytes(jid, bytes) {
      const { type, ciphertext } = await repository.encryptMessage({ jid, data: bytes })
      return stanza('enc', { v: '2', type }, ciphertext)
    },
    async encryptForGroup(group, ownJid, message) {
      const { ciphertext, senderKeyDistributionMessage } = await repository.encryptGroupMessage({
        group,
        meId: ownJid,
        data: encodeWAMessage(message),
      })
      return {
        part: stanza('enc', { v: '2', type: 'skmsg' }, ciphertext),
        distribution: { groupId: group, axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage },
      }
    },
    async decrypt(part, author, group) {
      const ciphertext = part.content as Uint8Array
      const type = part.attrs['type']
      const padded =
        type === 'skmsg'
          ? await repository.decryptGroupMessage({ group: group ?? '', authorJid: author, msg: ciphertext })
          : await repository.decryptMessage({
              jid: author,
              type: type === 'pkmsg' ? 'pkmsg' : 'msg',
              ciphertext,
            })
      const message = proto.Message.decode(unpadRandomMax16(padded))
      const distribution = message.senderKeyDistributionMessage
      if (distribution)
        await repository.processSenderKeyDistributionMessage({ authorJid: author, item: distribution })
      return message
    },
  }
}

/** Phones create a one-time key per request, so unlike linked devices they never run out of them. */
function createBundle(database: Database, account: Account, keys: PhoneKeyStore): KeyBundle {
  const { identityKey, signedPreKey, registrationId } = account.phone
  const id = account.phone.nextPreKeyId++
  const pair = Curve.generateKeyPair()
  keys.write('pre-key', String(id), pair)
  writeAccount(database, account)
  return {
    registrationId,
    identityKey: identityKey.public,
    signedPreKey: {
      id: signedPreKey.keyId,
      value: signedPreKey.keyPair.public,
      signature: signedPreKey.signature,
    },
    preKey: { id, value: pair.public },
    signedIdentity: undefined,
  }
}

function toSession({ registrationId, identityKey, signedPreKey, preKey }: KeyBundle) {
  return {
    registrationId,
    identityKey: generateSignalPubKey(identityKey),
    signedPreKey: {
      keyId: signedPreKey.id,
      publicKey: generateSignalPubKey(signedPreKey.value),
      signature: signedPreKey.signature,
    },
    ...(preKey && { preKey: { keyId: preKey.id, publicKey: generateSignalPubKey(preKey.value) } }),
  }
}

// The Signal keys of one phone. Changes are buffered until `save`, so that the ratchet, the message that it decrypted and the
// removal from the queue are committed in one transaction.

interface PhoneKeyStore extends SignalKeyStoreWithTransaction {
  /** Writes the changes since the last `save` or `discard`. */
  save(): void
  discard(): void
  /** After a rollback: keys are read again, and the changes of the work in progress can no longer be saved. */
  invalidate(): void
  /** Writes at once, without buffering. */
  write(type: keyof SignalDataTypeMap, id: string, value: unknown): void
}

function createKeyStore(database: Database, number: string): PhoneKeyStore {
  const known = new Map<string, unknown>()
  const changed = new Map<string, { type: string; id: string; value: unknown }>()
  let isStale = false
  const read = (type: string, id: string): unknown => {
    const name = `${type} ${id}`
    const change = changed.get(name)
    if (change) return change.value
    if (!known.has(name)) known.set(name, fromStored(type, readPhoneKey(database, number, type, id)))
    return known.get(name)
  }
  const write = (type: string, id: string, value: unknown) => {
    known.set(`${type} ${id}`, value ?? null)
    writePhoneKey(database, number, type, id, toStored(value))
  }
  return {
    get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        const value = read(type, id)
        if (value !== null && value !== undefined) found[id] = value as SignalDataTypeMap[T]
      }
      return found
    },
    set(data: SignalDataSet) {
      for (const [type, values] of Object.entries(data))
        for (const [id, value] of Object.entries(values))
          changed.set(`${type} ${id}`, { type, id, value: value ?? null })
    },
    // The phone's mutex makes each piece of work a transaction.
    isInTransaction: () => true,
    transaction: (work) => work(),
    save() {
      if (isStale) throw new Refusal('storage_full', sentenceOf('storage_full'))
      for (const { type, id, value } of changed.values()) write(type, id, value)
      changed.clear()
    },
    discard() {
      changed.clear()
      isStale = false
    },
    invalidate() {
      known.clear()
      isStale = true
    },
    write,
  }
}

/** Sessions and sender keys are objects in memory, and bytes in the database. */
const toStored = (value: unknown): unknown =>
  value instanceof SessionRecord || value instanceof SenderKeyRecord ? value.toBytes() : value

function fromStored(type: string, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (type === 'session') return SessionRecord.deserialize(value)
  return type === 'sender-key' ? SenderKeyRecord.deserialize(value) : value
}
