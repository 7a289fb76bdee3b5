// Links a companion to an account. The phone signs the companion's identity, then the companion verifies that signature and
// signs too. The device exists only with both signatures. Pairing by QR code and pairing by typed code both end here.
import { Curve, hmacSign, proto, WA_ADV_ACCOUNT_SIG_PREFIX, WA_ADV_DEVICE_SIG_PREFIX } from 'baileys'
import { withTimeout } from '../../src/kernel/async/waiting.ts'
import { jidOf } from '../model/address.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account, Device } from '../model/world.ts'
import { isSignedBy } from '../wire/signatures.ts'
import {
  child,
  childBytes,
  nowSeconds,
  readUnsigned,
  SERVER_JID,
  type Stanza,
  stanza,
} from '../wire/stanza.ts'
import type { Connection } from './connection.ts'
import { linkDevice } from './devices.ts'
import { endStream } from './end-stream.ts'
import type { Companion } from './pairing-requests.ts'
import { setPushName } from './profile.ts'
import type { SandboxState } from './sandbox-state.ts'

export async function link(
  state: SandboxState,
  connection: Connection,
  account: Account,
  companion: Companion,
): Promise<Device> {
  const device = draftDevice(connection, account, companion)
  account.nextDeviceId += 1
  const details = proto.ADVDeviceIdentity.encode({
    rawId: account.phone.rawId,
    timestamp: Math.floor(Date.now() / 1000),
    keyIndex: device.keyIndex,
  }).finish()
  const answer = await answerWithin(
    connection.request(
      pairSuccess(
        account,
        device,
        connection.pushName ?? account.name,
        signForCompanion(account, companion, details),
      ),
    ),
    state.limits.pairingAnswerMs,
  )
  device.signedIdentity = checkCompanionSignature(account, companion, details, answer)
  setPushName(state, account, connection.pushName)
  await linkDevice(state, account, device)
  // The client reconnects with its new identity.
  endStream(connection, { code: '515' })
  return device
}

/** Rejects when the companion does not answer in time, for instance because it has disconnected. */
export const answerWithin = <T>(answer: Promise<T>, limitMs: number): Promise<T> =>
  withTimeout(answer, limitMs, () => new Refusal('pairing_failed', 'The client did not answer.'))

function draftDevice(connection: Connection, account: Account, companion: Companion): Device {
  const keys = connection.registration
  if (!keys) throw new Refusal('pairing_failed', 'The client did not ask to be paired.')
  const identityKey = Buffer.from(keys.eIdent ?? [])
  if (!identityKey.equals(companion.identityKey))
    throw new Refusal('pairing_failed', 'The identity in the code is not the one that the client has sent.')
  const value = Buffer.from(keys.eSkeyVal ?? [])
  const signature = Buffer.from(keys.eSkeySig ?? [])
  if (!isSignedBy(identityKey, signedForm(value), signature))
    throw new Refusal('pairing_failed', 'The client has not signed its pre-key with its identity.')
  return {
    number: account.number,
    id: account.nextDeviceId,
    keyIndex: account.nextDeviceId,
    ...describedBy(keys.deviceProps),
    noiseKey: connection.clientKey,
    identityKey,
    registrationId: readUnsigned(keys.eRegid ?? new Uint8Array()),
    signedPreKey: { id: readUnsigned(keys.eSkeyId ?? new Uint8Array()), value, signature },
    signedIdentity: Buffer.alloc(0),
    historyPushed: false,
  }
}

/** Signatures of public keys cover the key with its type byte. */
export function signedForm(publicKey: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([5]), publicKey])
}

function signForCompanion(account: Account, companion: Companion, details: Uint8Array): Uint8Array {
  const { identityKey } = account.phone
  const message = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, companion.identityKey])
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: identityKey.public,
    accountSignature: Curve.sign(identityKey.private, message),
  }).finish()
  // The secret is only in the code, so the HMAC proves to the companion that this phone has read the code.
  const hmac = hmacSign(Buffer.from(signed), companion.advSecret)
  return proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac }).finish()
}

function pairSuccess(account: Account, device: Device, name: string, signedIdentity: Uint8Array): Stanza {
  return stanza('iq', { from: SERVER_JID, type: 'set', t: nowSeconds() }, [
    stanza('pair-success', {}, [
      stanza('device-identity', {}, signedIdentity),
      stanza('biz', { name }),
      stanza('platform', { name: 'android' }),
      stanza('device', { jid: jidOf(account, 'pn', device.id), lid: jidOf(account, 'lid', device.id) }),
    ]),
  ])
}

function checkCompanionSignature(
  account: Account,
  companion: Companion,
  details: Uint8Array,
  answer: Stanza,
): Buffer {
  const accountKey = account.phone.identityKey.public
  const signed = proto.ADVSignedDeviceIdentity.decode(
    childBytes(child(answer, 'pair-device-sign'), 'device-identity'),
  )
  const message = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, details, companion.identityKey, accountKey])
  if (!isSignedBy(companion.identityKey, message, signed.deviceSignature ?? new Uint8Array()))
    throw new Refusal('pairing_failed', 'The client has not signed the device identity.')
  return Buffer.from(
    proto.ADVSignedDeviceIdentity.encode(Object.assign(signed, { accountSignatureKey: accountKey })).finish(),
  )
}

function describedBy(deviceProps: Uint8Array | null | undefined) {
  const { os, requireFullSync } = proto.DeviceProps.decode(deviceProps ?? new Uint8Array())
  return { platform: os || 'unknown', wantsFullHistory: requireFullSync === true }
}
