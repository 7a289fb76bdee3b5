// The passkey step of linking. The network demands it in place of the end of a pairing; this exchange leads through it and waits for
// the owner in between. Options, assertion, nonces, keys and secrets stay in memory, and none of them is logged.
import { randomBytes } from 'node:crypto'
import type { Timers } from '../../kernel/async/timers.ts'
import { withTimeout } from '../../kernel/async/waiting.ts'
import { NetworkError } from '../../network/network.ts'
import type { PasskeyAssertion, PasskeyCalls, PasskeyEnd, PasskeyStep } from '../../network/passkey.ts'
import type { PairingSocket } from '../library/pairing-socket.ts'
import { type BinaryNode, getBinaryNodeChild } from '../library/protocol.ts'
import { toNetworkError } from '../sending/refusals.ts'
import {
  type CompanionIdentity,
  commitmentOf,
  comparisonCode,
  createEphemeralKeys,
  decodePrimaryIdentity,
  type EphemeralKeys,
  encodeIdentity,
  encodePrologue,
  encryptionKeyOf,
  handoffProof,
  IV_BYTES,
  KEY_BYTES,
  type PrimaryIdentity,
  sealPairingRequest,
} from './passkey-keys.ts'
import {
  demandedAt,
  OPTIONS_TAG,
  optionsIn,
  ownerMsOf,
  type PasskeyOptions,
  textIn,
} from './passkey-options.ts'

const ANSWER_MS = 15_000
/** From the accepted assertion to the answer of the phone, and from the last request to the linked device. */
const PHONE_MS = 60_000
/** The phone accepts a proof for this long after the network has demanded the passkey. */
const PROOF_MS = 5 * 60_000
const MAX_REF_BYTES = 1024
/** How often the network may start the step again on one connection: each time the owner is asked. */
const MAX_ATTEMPTS = 10

export interface PasskeyParts {
  pairing: Pick<PairingSocket, 'advSecret' | 'publicKeys' | 'deviceType'>
  /** Sends a request about linking. Rejects when the network refuses it. */
  ask(type: 'get' | 'set', topic: BinaryNode): Promise<BinaryNode>
  report(step: PasskeyStep): void
  /** The step has ended without a linked device: closes the connection. */
  end(reason: PasskeyEnd): void
  clock: () => number
  timers: Timers
  log: { debug(message: string): void }
}

export interface PasskeyExchange extends PasskeyCalls {
  /** The network demands a passkey, or demands it again with other options. */
  onRequest(stanza: BinaryNode): void
  /** The phone has accepted the assertion. */
  onContinuation(stanza: BinaryNode): void
  /** The device is linked, or the connection is closed. */
  finish(): void
  /** From the first request to the end. */
  isActive(): boolean
}

/** One request of the network and what follows it. A second request starts another one. */
interface Attempt {
  startedAt: number
  options: PasskeyOptions | undefined
  ownerMs: number
  isAssertionUsed: boolean
  timer: ReturnType<Timers['setTimeout']> | undefined
  /** Of the phone. It may arrive before the network has confirmed the assertion. */
  primary: PromiseWithResolvers<PrimaryIdentity>
  /** Set while the owner compares the code. */
  confirm: (() => void) | undefined
}

/** What this client has sent with the assertion. */
interface Prologue {
  keys: EphemeralKeys
  nonce: Buffer
  identity: CompanionIdentity
  hasProof: boolean
}

interface State {
  parts: PasskeyParts
  attempt: Attempt | undefined
  attempts: number
  /** Of the code that the phone has read. The pairing gets another one, and a second request still needs this one. */
  readSecret: Buffer | undefined
}

export function createPasskeyExchange(parts: PasskeyParts): PasskeyExchange {
  const { pairing, timers, log } = parts
  const state: State = { parts, attempt: undefined, attempts: 0, readSecret: undefined }
  return {
    onRequest(stanza) {
      timers.clearTimeout(state.attempt?.timer)
      state.readSecret ??= pairing.advSecret
      state.attempts += 1
      if (state.attempts > MAX_ATTEMPTS) return endStep(state, 'refused')
      const attempt = newAttempt(demandedAt(stanza, parts.clock()))
      state.attempt = attempt
      inBackground(runStep(state, attempt, () => requestAssertion(state, attempt, stanza)))
    },
    onContinuation(stanza) {
      const content = getBinaryNodeChild(stanza, 'primary_ephemeral_identity')?.content
      const primary = content instanceof Uint8Array ? decodePrimaryIdentity(content) : undefined
      if (primary && state.attempt?.isAssertionUsed) state.attempt.primary.resolve(primary)
      else log.debug('driver: ignored an answer of a phone to a passkey')
    },
    async answerPasskey(assertion) {
      const { attempt } = state
      if (!attempt?.options || attempt.isAssertionUsed)
        throw new NetworkError('unavailable', 'no assertion of a passkey is expected')
      if (!answersOptions(assertion, attempt.options))
        throw new NetworkError('unavailable', 'the assertion does not answer the current options')
      attempt.isAssertionUsed = true
      timers.clearTimeout(attempt.timer)
      await runStep(state, attempt, async () => {
        const prologue = await sendAssertion(state, attempt, assertion)
        parts.report({ step: 'assertion_sent', expiresAt: endLater(state, attempt, PHONE_MS, 'unanswered') })
        inBackground(runStep(state, attempt, () => complete(state, attempt, prologue)))
      })
    },
    async confirmPasskey() {
      const confirm = state.attempt?.confirm
      if (!state.attempt || !confirm) throw new NetworkError('unavailable', 'no confirmation is expected')
      state.attempt.confirm = undefined
      confirm()
    },
    finish() {
      timers.clearTimeout(state.attempt?.timer)
      state.attempt = undefined
    },
    isActive: () => state.attempt !== undefined,
  }
}

const newAttempt = (startedAt: number): Attempt => ({
  startedAt,
  options: undefined,
  ownerMs: 0,
  isAssertionUsed: false,
  timer: undefined,
  primary: Promise.withResolvers(),
  confirm: undefined,
})

async function requestAssertion(state: State, attempt: Attempt, stanza: BinaryNode): Promise<void> {
  const { parts } = state
  const options = optionsIn(stanza) ?? optionsIn(await ask(parts, 'get', { tag: OPTIONS_TAG, attrs: {} }))
  if (state.attempt !== attempt) return
  if (!options) throw new NetworkError('refused', 'the options of the passkey are not valid')
  attempt.options = options
  attempt.ownerMs = ownerMsOf(options)
  const expiresAt = endLater(state, attempt, attempt.ownerMs, 'expired')
  parts.report({ step: 'assertion_needed', options, expiresAt })
}

async function sendAssertion(state: State, attempt: Attempt, assertion: PasskeyAssertion): Promise<Prologue> {
  const { parts, readSecret } = state
  const ref = textIn(await ask(parts, 'get', { tag: 'ref', attrs: {} }), 'ref', MAX_REF_BYTES)
  checkCurrent(state, attempt)
  if (ref === undefined) throw new NetworkError('refused', 'the reference of the network is not valid')
  const keys = createEphemeralKeys()
  const nonce = randomBytes(KEY_BYTES)
  const identity = { publicKey: keys.public, deviceType: parts.pairing.deviceType, ref }
  const encoded = encodeIdentity(identity)
  const payload = encodePrologue(encoded, commitmentOf(encoded, nonce))
  const isInTime = parts.clock() - attempt.startedAt <= PROOF_MS
  const proof = readSecret && isInTime ? handoffProof(readSecret, payload) : undefined
  await ask(parts, 'set', {
    tag: 'passkey_prologue',
    attrs: {},
    content: [
      bytes('credential_id', Buffer.from(assertion.rawId, 'base64url')),
      bytes('webauthn_assertion', Buffer.from(assertionJson(assertion))),
      bytes('prologue_payload', payload),
      ...(proof ? [bytes('pairing_handoff_proof', proof)] : []),
    ],
  })
  checkCurrent(state, attempt)
  return { keys, nonce, identity, hasProof: proof !== undefined }
}

/** From the answer of the phone to the last request. The linked device ends the step from outside. */
async function complete(state: State, attempt: Attempt, prologue: Prologue): Promise<void> {
  const { parts } = state
  const primary = await attempt.primary.promise
  parts.timers.clearTimeout(attempt.timer)
  await ask(parts, 'set', bytes('companion_nonce', prologue.nonce))
  checkCurrent(state, attempt)
  const code = comparisonCode(prologue.nonce, primary)
  if (!prologue.hasProof) await confirmation(state, attempt, code)
  checkCurrent(state, attempt)
  parts.report({ step: 'finishing', code, expiresAt: endLater(state, attempt, PHONE_MS, 'unanswered') })
  await requestPairing(parts, prologue, primary)
}

/** Without the proof, only the owner can tell that the phone talks to this client. */
function confirmation(state: State, attempt: Attempt, code: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  attempt.confirm = resolve
  const expiresAt = endLater(state, attempt, attempt.ownerMs, 'expired')
  state.parts.report({ step: 'confirmation_needed', code, expiresAt })
  return promise
}

async function requestPairing(
  parts: PasskeyParts,
  { keys, identity }: Prologue,
  primary: PrimaryIdentity,
): Promise<void> {
  const { pairing } = parts
  const advSecret = randomBytes(KEY_BYTES)
  const key = encryptionKeyOf(keys, primary.publicKey, identity)
  const { noise: noiseKey, identity: identityKey } = pairing.publicKeys
  const sealed = sealPairingRequest(key, { noiseKey, identityKey, advSecret }, randomBytes(IV_BYTES))
  // Before the answer: the network may confirm the pairing in the same turn, and the library verifies it with this secret.
  pairing.advSecret = advSecret
  await ask(parts, 'set', bytes('encrypted_pairing_request', sealed))
}

async function ask(parts: PasskeyParts, type: 'get' | 'set', topic: BinaryNode): Promise<BinaryNode> {
  const late = () => new NetworkError('timeout', 'the network did not answer')
  try {
    return await withTimeout(parts.ask(type, topic), ANSWER_MS, late, parts.timers)
  } catch (error) {
    throw toNetworkError(error)
  }
}

/** Runs a part of the step. Its failure ends the step, unless the network has started it again meanwhile. */
async function runStep(state: State, attempt: Attempt, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (state.attempt === attempt) {
      const kind = error instanceof NetworkError ? error.kind : 'unexpected'
      state.parts.log.debug(`driver: the passkey step failed: ${kind}`)
      endStep(state, endOf(error))
    }
    throw error
  }
}

/** The failure has ended the step by then. */
const inBackground = (work: Promise<void>): void => void work.catch(() => undefined)

function checkCurrent(state: State, attempt: Attempt): void {
  if (state.attempt !== attempt)
    throw new NetworkError('unavailable', 'the network demands the passkey again, or the link has ended')
}

function endLater(state: State, attempt: Attempt, ms: number, reason: PasskeyEnd): number {
  const { timers, clock } = state.parts
  timers.clearTimeout(attempt.timer)
  attempt.timer = timers.setTimeout(() => endStep(state, reason), ms)
  return clock() + ms
}

function endStep(state: State, reason: PasskeyEnd): void {
  state.parts.timers.clearTimeout(state.attempt?.timer)
  state.attempt = undefined
  state.parts.end(reason)
}

const bytes = (tag: string, content: Uint8Array): BinaryNode => ({ tag, attrs: {}, content })

/** The owner may have answered options that the network has replaced meanwhile. */
function answersOptions({ response }: PasskeyAssertion, { challenge }: PasskeyOptions): boolean {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
    return (JSON.parse(text) as { challenge?: unknown } | null)?.challenge === challenge
  } catch {
    return false
  }
}

/** Only the fields that are known to be accepted. */
const assertionJson = ({ id, rawId, type, response }: PasskeyAssertion): string => {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return JSON.stringify({
    id,
    rawId,
    type,
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  })
}

const ENDS: Partial<Record<NetworkError['kind'], PasskeyEnd>> = { timeout: 'unanswered', unavailable: 'lost' }

/** Any other error: an answer of the network that cannot be used. */
const endOf = (error: unknown): PasskeyEnd =>
  (error instanceof NetworkError ? (error.code === null ? ENDS[error.kind] : undefined) : undefined) ??
  'refused'
