// The passkey step of linking, as the network and the phone take it. The stanzas are known from clients; what the network checks, and
// its error codes, are inferred (docs/sandbox.md).
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { aesDecryptGCM, bytesToCrockford, Curve, hkdf, proto } from 'baileys'
import type { LinkingVariant } from '../../src/contract/sandbox-linking.ts'
import { lidJid } from '../model/address.ts'
import { ORIGIN, type Passkey, RELYING_PARTY, sha256, USER_PRESENT, USER_VERIFIED } from '../model/passkey.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account, Device } from '../model/world.ts'
import { writeAccount } from '../store/documents.ts'
import { bytesOf, childBytes, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import type { Connection } from './connection.ts'
import { takeLinkingFault } from './fault-state.ts'
import { notify } from './notify.ts'
import { link } from './pairing.ts'
import type { Companion } from './pairing-requests.ts'
import { type Ceremony, endCeremony } from './passkey-ceremonies.ts'
import type { SandboxState } from './sandbox-state.ts'

const KEY_BYTES = 32
const CODE_BYTES = 5
/** Older than the phone accepts a proof. */
const LATE_MS = 6 * 60_000

/** A request of the client that the network does not accept. */
export class StepRefused extends Error {}

/** Links the client, or demands the passkey of the phone first. Null: the device does not exist yet. */
export async function completePairing(
  state: SandboxState,
  connection: Connection,
  account: Account,
  companion: Companion,
): Promise<Device | null> {
  if (takeLinkingFault(state.faults, account.number, 'early_success'))
    connection.send(stanza('success', { t: nowSeconds(), lid: lidJid(account), display_name: account.name }))
  if (!account.passkey?.demanded) return link(state, connection, account, companion)
  demandPasskey(state, connection, account, companion)
  return null
}

function demandPasskey(
  state: SandboxState,
  connection: Connection,
  account: Account,
  companion: Companion,
): void {
  const ceremony: Ceremony = {
    account,
    companion,
    step: 'requested',
    challenge: randomBytes(KEY_BYTES).toString('base64url'),
    expiresAt: Date.now() + state.limits.passkeyMs,
    ref: undefined,
    prologue: undefined,
    proven: false,
    primary: undefined,
    code: null,
  }
  state.ceremonies.byConnection.set(connection, ceremony)
  state.ceremonies.latest.set(account.number, ceremony)
  noteChange(state, ceremony)
  const content = hasFault(state, ceremony, 'options_missing') ? [] : [optionsOf(state, ceremony)]
  const isLate = hasFault(state, ceremony, 'late_request')
  notify(connection, 'passkey_prologue_request', content, nowSeconds(isLate ? -LATE_MS : 0))
  if (hasFault(state, ceremony, 'drop_after_request')) connection.close()
}

/** The options as they were captured from the network. */
export const optionsOf = ({ limits }: Pick<SandboxState, 'limits'>, { challenge }: Ceremony): Stanza =>
  stanza(
    'passkey_request_options',
    {},
    Buffer.from(
      JSON.stringify({
        challenge,
        timeout: limits.passkeyMs,
        rpId: RELYING_PARTY,
        allowCredentials: [],
        userVerification: 'required',
        extensions: { uvm: true },
      }),
    ),
  )

export function issueRef(ceremony: Ceremony): Stanza {
  ceremony.ref = randomBytes(24).toString('base64')
  return stanza('ref', {}, Buffer.from(ceremony.ref))
}

/** The client sends the assertion together with its key for the rest of the step. */
export function acceptPrologue(
  state: SandboxState,
  connection: Connection,
  ceremony: Ceremony,
  node: Stanza,
): void {
  const { passkey } = ceremony.account
  if (ceremony.step !== 'requested' || !passkey) throw new StepRefused('no assertion is expected')
  if (Date.now() > ceremony.expiresAt) throw new StepRefused('too late')
  const fault = assertionFault(passkey, {
    credentialId: childBytes(node, 'credential_id'),
    json: childBytes(node, 'webauthn_assertion'),
    challenge: ceremony.challenge,
  })
  if (fault) throw new StepRefused(fault)
  const payload = childBytes(node, 'prologue_payload')
  ceremony.prologue = readPrologue(connection, ceremony, payload)
  ceremony.proven = isProven(ceremony, payload, childBytes(node, 'pairing_handoff_proof'))
  ceremony.step = 'accepted'
  writeAccount(state.database, ceremony.account)
  noteChange(state, ceremony)
  afterAnswer(state, () => continueOnPhone(state, connection, ceremony))
}

function readPrologue(connection: Connection, ceremony: Ceremony, payload: Buffer): Ceremony['prologue'] {
  const { companionEphemeralIdentity, commitment } = decode(proto.ProloguePayload, payload)
  const identity = Buffer.from(companionEphemeralIdentity ?? [])
  const { publicKey, deviceType, ref } = decode(proto.CompanionEphemeralIdentity, identity)
  const registered = decode(
    proto.DeviceProps,
    Buffer.from(connection.registration?.deviceProps ?? []),
  ).platformType
  if (publicKey?.length !== KEY_BYTES || commitment?.hash?.length !== KEY_BYTES)
    throw new StepRefused('the keys have another length')
  if (deviceType !== registered) throw new StepRefused('the device type is not the registered one')
  if (!ref || ref !== ceremony.ref) throw new StepRefused('the reference is not the issued one')
  ceremony.ref = undefined
  return {
    identity,
    publicKey: Buffer.from(publicKey),
    deviceType: Number(deviceType),
    ref,
    commitment: Buffer.from(commitment.hash),
  }
}

/** Without a proof the owner has to compare the code. A wrong one is refused. */
function isProven({ companion }: Ceremony, payload: Buffer, proof: Buffer): boolean {
  if (proof.length === 0) return false
  const key = hkdf(companion.advSecret, KEY_BYTES, { info: 'shortcake-passkey-handoff-v1' })
  const expected = createHmac('sha256', key).update(payload).digest()
  if (proof.length !== expected.length || !timingSafeEqual(proof, expected))
    throw new StepRefused('the proof is wrong')
  return true
}

function continueOnPhone(state: SandboxState, connection: Connection, ceremony: Ceremony): void {
  if (hasFault(state, ceremony, 'continuation_withheld')) return
  if (hasFault(state, ceremony, 'second_request')) {
    demandPasskey(state, connection, ceremony.account, ceremony.companion)
    return
  }
  if (hasFault(state, ceremony, 'drop_before_continuation')) {
    connection.close()
    return
  }
  ceremony.primary = { keys: Curve.generateKeyPair(), nonce: randomBytes(KEY_BYTES) }
  const { keys, nonce } = ceremony.primary
  const identity = proto.PrimaryEphemeralIdentity.encode({ publicKey: keys.public, nonce }).finish()
  notify(connection, 'crsc_continuation', [stanza('primary_ephemeral_identity', {}, identity)])
}

/** The client shows the nonce that it committed to. From here on both sides can show the code. */
export function acceptNonce(state: SandboxState, ceremony: Ceremony, node: Stanza): void {
  const { prologue, primary } = ceremony
  if (ceremony.step !== 'accepted' || !prologue || !primary) throw new StepRefused('no nonce is expected')
  const nonce = bytesOf(node)
  if (
    nonce.length !== KEY_BYTES ||
    !sha256(Buffer.concat([prologue.identity, nonce])).equals(prologue.commitment)
  )
    throw new StepRefused('the nonce is not the one of the commitment')
  const hash = sha256(Buffer.concat([nonce, Buffer.from(primary.keys.public)]))
  const bytes = Buffer.from(
    hash.subarray(0, CODE_BYTES).map((byte, index) => byte ^ (primary.nonce[index] ?? 0)),
  )
  const code = bytesToCrockford(bytes)
  ceremony.code = `${code.slice(0, 4)}-${code.slice(4)}`
  ceremony.step = 'compared'
  noteChange(state, ceremony)
}

/** The client has confirmed: it sends the keys that the phone signs. */
export function acceptPairingRequest(
  state: SandboxState,
  connection: Connection,
  ceremony: Ceremony,
  node: Stanza,
): void {
  if (ceremony.step !== 'compared') throw new StepRefused('no pairing is expected')
  const request = openRequest(ceremony, bytesOf(node))
  const registeredIdentity = Buffer.from(connection.registration?.eIdent ?? [])
  if (!connection.clientKey.equals(request.noiseKey) || !registeredIdentity.equals(request.identityKey))
    throw new StepRefused('the keys are not those of this connection')
  if (request.advSecret.length !== KEY_BYTES) throw new StepRefused('the secret has another length')
  const { identityKey, advSecret } = request
  afterAnswer(state, () => {
    link(state, connection, ceremony.account, { identityKey, advSecret }).then(
      () => {
        ceremony.step = 'linked'
        noteChange(state, ceremony)
      },
      (error: unknown) => {
        endCeremony(state.ceremonies, connection)
        if (!(error instanceof Refusal)) state.log.error('linking failed', { error: String(error) })
      },
    )
  })
}

function openRequest({ prologue, primary }: Ceremony, bytes: Buffer) {
  if (!prologue || !primary) throw new StepRefused('no pairing is expected')
  const { encryptedPayload, iv } = decode(proto.EncryptedPairingRequest, bytes)
  const shared = Curve.sharedKey(primary.keys.private, prologue.publicKey)
  const key = hkdf(shared, KEY_BYTES, {
    salt: Buffer.from(`Companion Pairing ${prologue.deviceType} with ref ${prologue.ref}`),
    info: 'Pairing Information Encryption Key',
  })
  try {
    const plain = aesDecryptGCM(
      encryptedPayload ?? Buffer.alloc(0),
      key,
      iv ?? Buffer.alloc(0),
      Buffer.alloc(0),
    )
    const { companionPublicKey, companionIdentityKey, advSecret } = proto.PairingRequest.decode(plain)
    return {
      noiseKey: Buffer.from(companionPublicKey ?? []),
      identityKey: Buffer.from(companionIdentityKey ?? []),
      advSecret: Buffer.from(advSecret ?? []),
    }
  } catch {
    throw new StepRefused('the request cannot be decrypted')
  }
}

const hasFault = (state: SandboxState, { account }: Ceremony, variant: LinkingVariant): boolean =>
  takeLinkingFault(state.faults, account.number, variant)

function noteChange({ changes }: Pick<SandboxState, 'changes'>, { account }: Ceremony): void {
  changes.record({ about: 'world' }, [account.owner])
}

/** Runs when the answer to the current query is on its way. */
function afterAnswer({ database }: Pick<SandboxState, 'database'>, work: () => void): void {
  void database.committed().then(
    () => setImmediate(work),
    () => undefined,
  )
}

function decode<T>(message: { decode(bytes: Uint8Array): T }, bytes: Uint8Array): T {
  try {
    return message.decode(bytes)
  } catch {
    throw new StepRefused('not a message of the protocol')
  }
}

// Verifies the assertion of a passkey, as a relying party does.

interface GivenAssertion {
  credentialId: Buffer
  /** The JSON of the browser. */
  json: Buffer
  /** As it was sent, in base64url. */
  challenge: string
}

const FLAGS_AT = 32
const COUNTER_AT = 33
const AUTHENTICATOR_BYTES = 37

/** What is wrong with it; undefined if it is valid. A valid one moves the counter of the passkey on. */
export function assertionFault(passkey: Passkey, given: GivenAssertion): string | undefined {
  const { id, rawId, type, response } = read(given.json)
  const clientData = fromBase64Url(response?.['clientDataJSON'])
  const data = fromBase64Url(response?.['authenticatorData'])
  const client = read(clientData)
  const flags = data[FLAGS_AT] ?? 0
  const count = data.length < AUTHENTICATOR_BYTES ? 0 : data.readUInt32BE(COUNTER_AT)
  const handle = response?.['userHandle']
  const checks: [boolean, string][] = [
    [given.credentialId.equals(passkey.credentialId), 'credential'],
    [id === rawId && fromBase64Url(rawId).equals(passkey.credentialId), 'rawId'],
    [type === 'public-key' && client['type'] === 'webauthn.get', 'type'],
    [client['challenge'] === given.challenge, 'challenge'],
    [client['origin'] === ORIGIN, 'origin'],
    [data.subarray(0, FLAGS_AT).equals(sha256(RELYING_PARTY)), 'rpIdHash'],
    [(flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0, 'flags'],
    [count > passkey.seenCount, 'counter'],
    [handle === null || fromBase64Url(handle).equals(passkey.userHandle), 'userHandle'],
    [isSigned(passkey, data, clientData, fromBase64Url(response?.['signature'])), 'signature'],
  ]
  const fault = checks.find(([isValid]) => !isValid)
  if (fault) return fault[1]
  passkey.seenCount = count
  return undefined
}

function isSigned(passkey: Passkey, data: Buffer, clientData: Buffer, signature: Buffer): boolean {
  const key = createPrivateKey({ key: passkey.privateKey, format: 'der', type: 'pkcs8' })
  return verify('sha256', Buffer.concat([data, sha256(clientData)]), createPublicKey(key), signature)
}

interface Json {
  [name: string]: unknown
  response?: Record<string, unknown>
}

function read(bytes: Buffer): Json {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? (value as Json) : {}
  } catch {
    return {}
  }
}

const fromBase64Url = (text: unknown): Buffer =>
  Buffer.from(typeof text === 'string' ? text : '', 'base64url')
