// A phone's side of the Signal protocol. Sessions and sender keys are stored under hidden ids, for every form of address that a stanza uses.

import {
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeWAMessage,
  generateSignalPubKey,
  proto,
  unpadRandomMax16,
} from 'baileys'
import { withGroupCiphers } from '../../src/network/group-ciphers.ts'
import type { KeyBundle } from '../model/key-bundle.ts'
import type { Account } from '../model/world.ts'
import type { Database } from '../store/database.ts'
import { writeAccount } from '../store/documents.ts'
import { type Stanza, stanza } from '../wire/stanza.ts'
import { createKeyStore, type PhoneKeyStore } from './key-store.ts'

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
