// Reads a login and its keys as other programs store them with the library and its published Signal package, and converts them to the
// stored form of ours. Everything that is read here is foreign: each kind of key has its form, its sizes and its limits.
import { Curve, generateSignalPubKey, initAuthCreds, proto } from 'baileys'
import { SenderKeyRecord, SessionRecord } from 'libsignal'
import { z } from 'zod'
import type { KeyChange, OwnAccount } from '../../network/network.ts'
import { encodeKey } from './key-codec.ts'
import { jidDecode } from './protocol.ts'

/** A text without anything of the login or the key in it. */
export class ForeignKeyError extends Error {}

export interface ForeignLogin {
  account: OwnAccount
  /** Of the linked device; the phone is 0. */
  device: number
  creds: KeyChange
}

const MAX_TEXT = 1024
const MAX_ENTRIES = 100_000
const MAX_NUMBER = 0xff_ff_ff_ff

const bytes = (...lengths: number[]) =>
  z.custom<Uint8Array>(
    (value) => value instanceof Uint8Array && lengths.includes(value.length),
    `expected ${lengths.join(' or ')} bytes`,
  )
const someBytes = (most: number) =>
  z.custom<Uint8Array>(
    (value) => value instanceof Uint8Array && value.length <= most,
    `expected at most ${most} bytes`,
  )
const number = z.number().int().min(0).max(MAX_NUMBER)
const text = z.string().max(MAX_TEXT)
const base64 = text.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'expected base64')
/** Messages of the protocol write their bytes as base64. */
const protocolBytes = z.union([base64, someBytes(MAX_TEXT)])
const keyPair = z.object({ public: bytes(32), private: bytes(32) })

const CREDS = z.object({
  noiseKey: keyPair,
  signedIdentityKey: keyPair,
  signedPreKey: z.object({
    keyPair,
    signature: bytes(64),
    keyId: number,
    timestampS: z.number().optional().catch(undefined),
  }),
  registrationId: number,
  advSecretKey: base64,
  me: z.object({ id: text, lid: text.optional(), name: text.optional().catch(undefined) }),
  account: z.object({
    details: protocolBytes,
    accountSignatureKey: protocolBytes,
    accountSignature: protocolBytes,
    deviceSignature: protocolBytes,
  }),
  firstUnuploadedPreKeyId: number,
  nextPreKeyId: number,
  signalIdentities: z
    .array(z.object({ identifier: z.object({ name: text, deviceId: number }), identifierKey: bytes(32, 33) }))
    .max(100)
    .optional()
    .catch(undefined),
  myAppStateKeyId: text.optional().catch(undefined),
  lastAccountSyncTimestamp: z.number().optional().catch(undefined),
  platform: text.optional().catch(undefined),
  accountSyncCounter: number.optional().catch(undefined),
  accountSettings: z.object({ unarchiveChats: z.boolean() }).optional().catch(undefined),
  registered: z.boolean().optional().catch(undefined),
  lastPropHash: text.optional().catch(undefined),
  routingInfo: someBytes(MAX_TEXT).optional().catch(undefined),
})

/** Throws a `ForeignKeyError` if the text is not a complete login. */
export function readForeignLogin(stored: string): ForeignLogin {
  const value = parse(stored)
  const linked = z.object({ me: z.object({}), account: z.object({}) })
  if (!linked.safeParse(value).success) throw new ForeignKeyError('creds: not linked with a phone')
  const creds = fit('creds', CREDS, value)
  const own = jidDecode(creds.me.id)
  if (!own || own.server !== 's.whatsapp.net' || !/^\d{5,20}$/.test(own.user))
    throw new ForeignKeyError('creds.me.id: expected the jid of a phone number')
  requireFittingKeys(creds)
  const { lid, name } = creds.me
  const given = Object.fromEntries(Object.entries(creds).filter(([, field]) => field !== undefined))
  return {
    account: {
      number: own.user,
      lid: jidDecode(lid)?.user ?? null,
      name: name === undefined || name === '~' ? null : name,
    },
    device: own.device ?? 0,
    creds: { kind: 'creds', name: 'creds', value: encodeKey('creds', { ...initAuthCreds(), ...given }) },
  }
}

/** A login with keys of two devices would be refused by the network, or by every contact. */
function requireFittingKeys({ signedIdentityKey, signedPreKey }: z.output<typeof CREDS>): void {
  const probe = Buffer.alloc(32, 1)
  if (!Curve.verify(signedIdentityKey.public, probe, Curve.sign(signedIdentityKey.private, probe)))
    throw new ForeignKeyError('creds.signedIdentityKey: the two keys do not belong together')
  const signed = generateSignalPubKey(signedPreKey.keyPair.public)
  if (!Curve.verify(signedIdentityKey.public, signed, signedPreKey.signature))
    throw new ForeignKeyError('creds.signedPreKey: its signature is not of the identity key')
}

type Convert = (value: unknown) => unknown

const KINDS: Record<string, { name: RegExp; convert: Convert }> = {
  'pre-key': { name: /^\d{1,8}$/, convert: (value) => fit('pre-key', keyPair, value) },
  session: { name: /^[\w.-]{1,64}$/, convert: readSession },
  'sender-key': { name: /^[\w@.:-]{1,200}$/, convert: readSenderKey },
  'sender-key-memory': {
    name: /^[\w@.:-]{1,200}$/,
    convert: (value) => fit('sender-key-memory', limitedRecord(z.boolean()), value),
  },
  'app-state-sync-key': { name: /^[A-Za-z0-9+/=]{1,64}$/, convert: readSyncKey },
  'app-state-sync-version': {
    name: /^[a-z_]{1,40}$/,
    convert: (value) => fit('app-state-sync-version', SYNC_VERSION, value),
  },
  'lid-mapping': {
    name: /^[\w.:-]{1,64}$/,
    convert: (value) => fit('lid-mapping', z.string().regex(/^[\w.:-]{1,64}$/), value),
  },
  'device-list': {
    name: /^[\w.:-]{1,64}$/,
    convert: (value) => fit('device-list', z.array(z.string().max(64)).max(1000), value),
  },
  tctoken: {
    name: /^[\w@.:-]{1,100}$/,
    convert: (value) => fit('tctoken', TOKEN, value),
  },
  'identity-key': {
    name: /^[\w.:-]{1,64}$/,
    convert: (value) => fit('identity-key', bytes(32, 33), value),
  },
}

/** The kinds of keys that are taken. */
export const FOREIGN_KINDS: readonly string[] = Object.keys(KINDS)

/** Throws a `ForeignKeyError` if the text is not a key of this kind. */
export function readForeignKey(kind: string, name: string, stored: string): KeyChange {
  const form = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (!form) throw new ForeignKeyError('an unknown kind')
  if (!form.name.test(name)) throw new ForeignKeyError('an unknown form of name')
  try {
    return { kind, name, value: encodeKey(kind, form.convert(parse(stored))) }
  } catch (error) {
    // Readers of records meet anything: what they throw says nothing to a user.
    throw error instanceof ForeignKeyError ? error : new ForeignKeyError('cannot be read')
  }
}

const limitedRecord = <T extends z.ZodType>(value: T) =>
  z
    .record(z.string().max(200), value)
    .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, 'too many entries')

const SYNC_VERSION = z.object({
  version: number,
  hash: bytes(128),
  indexValueMap: limitedRecord(z.object({ valueMac: bytes(32) })),
})

const TOKEN = z.object({
  token: someBytes(1_000_000),
  timestamp: z.union([text, z.number()]).optional(),
  senderTimestamp: z.number().optional(),
})

const IDENTITY_BYTES = 33

function readSession(value: unknown): SessionRecord {
  const record = SessionRecord.deserialize(value)
  if (record.sessions.length === 0) throw new ForeignKeyError('has no session')
  for (const { remoteIdentityKey, baseKey, rootKey, ownRatchet, remoteRatchetKey } of record.sessions) {
    const isSound =
      [remoteIdentityKey, baseKey, ownRatchet.pubKey, remoteRatchetKey].every(
        ({ length }) => length === IDENTITY_BYTES,
      ) && [rootKey, ownRatchet.privKey].every(({ length }) => length === 32)
    if (!isSound) throw new ForeignKeyError('has keys of another length')
  }
  return record
}

/** Releases of the library store the list itself, or its JSON as bytes. */
function readSenderKey(value: unknown): SenderKeyRecord {
  const stored = Array.isArray(value) ? Buffer.from(JSON.stringify(value)) : value
  const record = SenderKeyRecord.deserialize(stored)
  if (record.keys.length === 0) throw new ForeignKeyError('has no key')
  if (record.keys.some(({ signingKey }) => signingKey.length !== IDENTITY_BYTES))
    throw new ForeignKeyError('has keys of another length')
  return record
}

function readSyncKey(value: unknown): proto.Message.AppStateSyncKeyData {
  const form = z.object({ keyData: protocolBytes, fingerprint: z.looseObject({}).optional() })
  fit('app-state-sync-key', form, value)
  const key = proto.Message.AppStateSyncKeyData.fromObject(value as Record<string, unknown>)
  if (key.keyData?.length !== 32) throw new ForeignKeyError('keyData: expected 32 bytes')
  return key
}

function fit<T extends z.ZodType>(what: string, form: T, value: unknown): z.output<T> {
  const result = form.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = [what, ...(issue?.path.slice(0, 3) ?? [])].join('.')
  throw new ForeignKeyError(
    `${path}: ${issue?.code === 'custom' ? issue.message : 'missing or of another type'}`,
  )
}

function parse(stored: string): unknown {
  try {
    return JSON.parse(stored, revive)
  } catch {
    throw new ForeignKeyError('not valid JSON')
  }
}

/** Bytes are written as base64 or as a list of numbers, by age of the program. */
function revive(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { type, data } = value as { type?: unknown; data?: unknown }
  if (type === 'Buffer') {
    if (typeof data === 'string') return Buffer.from(data, 'base64')
    if (Array.isArray(data)) return Buffer.from(data as number[])
  }
  return value
}
