// Pairing by code: the client shows eight characters, and a person types them into the phone. Both sides encrypt their
// ephemeral keys with the code, so that only a phone that knows the code derives the same secret.
import { randomBytes } from 'node:crypto'
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
  hkdf,
  jidDecode,
  type KeyPair,
} from 'baileys'
import type { LinkingVariant } from '../../src/contract/sandbox-linking.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account, Device } from '../model/world.ts'
import { childBytes, type Stanza, stanza } from '../wire/stanza.ts'
import type { Connection } from './connection.ts'
import { takeLinkingFault } from './fault-state.ts'
import { notify } from './notify.ts'
import { answerWithin } from './pairing.ts'
import type { CodeRequest, CodeRequests, Companion } from './pairing-requests.ts'
import { completePairing } from './passkey-steps.ts'
import type { SandboxState } from './sandbox-state.ts'

/** A key that is encrypted with a code: salt, initialisation vector, encrypted key. */
const SALT_END = 32
const IV_END = 48

/** Those that are known to be accepted. */
const SYSTEMS = new Set(['Mac OS', 'Windows', 'Linux', 'Android', 'iOS', 'Ubuntu', 'Fedora'])

/** The client asks to be paired with a number and sends its key, encrypted with the code that it shows. */
export function requestCode(
  state: Pick<SandboxState, 'codeRequests' | 'limits' | 'world' | 'faults'>,
  connection: Connection,
  node: Stanza,
): Stanza | 'bad-request' | undefined {
  const number = jidDecode(node.attrs['jid'])?.user ?? ''
  if (!state.world.accounts.has(number)) return undefined
  if (takeLinkingFault(state.faults, number, 'code_refused') || !hasRealSystem(node)) return 'bad-request'
  const reference = randomBytes(16)
  state.codeRequests.set(number, {
    connection,
    wrappedEphemeral: childBytes(node, 'link_code_pairing_wrapped_companion_ephemeral_pub'),
    reference,
    expiresAt: Date.now() + state.limits.pairingCodeMs,
    finish: undefined,
  })
  return stanza('link_code_companion_reg', { stage: 'companion_hello' }, [
    stanza('link_code_pairing_ref', {}, reference),
  ])
}

/** The name of the client is `Browser (System)`, and the network knows the systems. */
function hasRealSystem(node: Stanza): boolean {
  const [, system] =
    /^[^()]+ \(([^()]+)\)$/.exec(childBytes(node, 'companion_platform_display').toString()) ?? []
  return system !== undefined && SYSTEMS.has(system)
}

/** Handles the client's answer to the phone's hello. */
export function finishCode(requests: CodeRequests, connection: Connection, node: Stanza): void {
  for (const request of requests.values()) if (request.connection === connection) request.finish?.(node)
}

export function withdrawCodeRequests(requests: CodeRequests, connection: Connection): void {
  for (const [number, request] of requests) if (request.connection === connection) requests.delete(number)
}

/** A person types the code into the phone. Only the code that the client shows leads to the same secret. Null: the device is linked after the passkey. */
export async function enterCode(
  state: SandboxState,
  account: Account,
  typed: string,
): Promise<Device | null> {
  const request = state.codeRequests.get(account.number)
  if (!request) throw new Refusal('code_not_requested', 'No client has requested a code for this number.')
  if (Date.now() > request.expiresAt) {
    state.codeRequests.delete(account.number)
    throw new Refusal('code_expired', 'The code has expired.')
  }
  disturb(state, account, request)
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  const companionEphemeral = await unwrap(request.wrappedEphemeral, code)
  const ephemeral = Curve.generateKeyPair()
  const answer = await answerWithin(
    sendPrimaryHello(account, request, await wrap(ephemeral, code)),
    state.limits.pairingAnswerMs,
  )
  const companion = openBundle(account, ephemeral, companionEphemeral, answer)
  state.codeRequests.delete(account.number)
  return completePairing(state, request.connection, account, companion)
}

/** What the network may send to the client instead of the hello of the phone, or before it. */
function disturb({ faults, codeRequests }: SandboxState, account: Account, request: CodeRequest): void {
  const has = (variant: LinkingVariant) => takeLinkingFault(faults, account.number, variant)
  const reference = stanza('link_code_pairing_ref', {}, request.reference)
  if (has('hello_without_key')) sendNews(request, { stage: 'primary_hello' }, [reference])
  const isForced = has('code_refresh_by_owner')
  if (!isForced && !has('code_refresh')) return
  codeRequests.delete(account.number)
  const attributes = isForced ? { force_manual_refresh: 'true' } : {}
  sendNews(request, { stage: 'refresh_code', ...attributes }, [reference])
  throw new Refusal('code_expired', 'The network has replaced the code. Type the new one.')
}

function sendNews({ connection }: CodeRequest, attributes: Record<string, string>, content: Stanza[]): void {
  notify(connection, 'link_code_companion_reg', [stanza('link_code_companion_reg', attributes, content)])
}

/** Sends the phone's hello and resolves with the client's answer. */
function sendPrimaryHello(account: Account, request: CodeRequest, wrapped: Buffer): Promise<Stanza> {
  const { promise, resolve } = Promise.withResolvers<Stanza>()
  request.finish = resolve
  sendNews(request, { stage: 'primary_hello' }, [
    stanza('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrapped),
    stanza('primary_identity_pub', {}, account.phone.identityKey.public),
    stanza('link_code_pairing_ref', {}, request.reference),
  ])
  return promise
}

/** Decrypts the client's bundle, which works only if both sides used the same code, and derives the pairing secret. */
function openBundle(
  account: Account,
  ephemeral: KeyPair,
  companionEphemeral: Buffer,
  answer: Stanza,
): Companion {
  const bundle = childBytes(answer, 'link_code_pairing_wrapped_key_bundle')
  const identityKey = childBytes(answer, 'companion_identity_public')
  const shared = Curve.sharedKey(ephemeral.private, companionEphemeral)
  const key = hkdf(shared, 32, {
    salt: bundle.subarray(0, SALT_END),
    info: 'link_code_pairing_key_bundle_encryption_key',
  })
  const plain = tryDecrypt(bundle, Buffer.from(key))
  if (!plain?.subarray(0, 32).equals(identityKey))
    throw new Refusal('wrong_code', 'This is not the code that the client shows.')
  const random = plain.subarray(64, 96)
  const identityShared = Curve.sharedKey(account.phone.identityKey.private, identityKey)
  const advSecret = hkdf(Buffer.concat([shared, identityShared, random]), 32, { info: 'adv_secret' })
  return { identityKey, advSecret: Buffer.from(advSecret) }
}

function tryDecrypt(bundle: Buffer, key: Buffer): Buffer | undefined {
  try {
    const iv = bundle.subarray(SALT_END, SALT_END + 12)
    return aesDecryptGCM(bundle.subarray(SALT_END + 12), key, iv, Buffer.alloc(0))
  } catch {
    return undefined
  }
}

async function wrap(ephemeral: KeyPair, code: string): Promise<Buffer> {
  const salt = randomBytes(SALT_END)
  const iv = randomBytes(IV_END - SALT_END)
  const encrypted = aesEncryptCTR(ephemeral.public, await derivePairingCodeKey(code, salt), iv)
  return Buffer.concat([salt, iv, encrypted])
}

async function unwrap(wrapped: Buffer, code: string): Promise<Buffer> {
  const key = await derivePairingCodeKey(code, wrapped.subarray(0, SALT_END))
  return aesDecryptCTR(wrapped.subarray(IV_END), key, wrapped.subarray(SALT_END, IV_END))
}
