// The passkey step of linking: what callers see of it, its one-time link, and which assertion may be sent.

import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { PasskeyState } from '../contract/passkey.ts'
import { iso } from '../kernel/time.ts'
import type { AssertionFault, PasskeyAssertion, PasskeyEnd, PasskeyStep } from '../network/passkey.ts'
import type { StateEvent } from './rules.ts'

// The passkey step of linking, as callers and the state of an instance show it.

/** Without the challenge. */
export const shownPasskey = (step: PasskeyStep): z.output<typeof PasskeyState> => ({
  step: step.step,
  code: 'code' in step ? step.code : null,
  expiresAt: iso(step.expiresAt),
})

/** While a device is about to be linked, only the network has something to do: as after an assertion. */
export const PASSKEY_STATES = {
  assertion_needed: 'passkey_needed',
  assertion_sent: 'passkey_sent',
  confirmation_needed: 'passkey_code_shown',
  finishing: 'passkey_sent',
} as const satisfies Record<PasskeyStep['step'], StateEvent>

export const PASSKEY_ENDS = {
  disabled: 'passkey_disabled',
  expired: 'passkey_expired',
  refused: 'passkey_refused',
  unanswered: 'passkey_unanswered',
  lost: 'passkey_lost',
  cancelled: 'passkey_cancelled',
} as const satisfies Record<PasskeyEnd, StateEvent>

const STEP_REASONS: ReadonlySet<string | null> = new Set([
  'awaiting_passkey',
  'passkey_sent',
  'awaiting_passkey_confirmation',
])

/** Whether an instance with this reason of its state may have a passkey step. */
export const isPasskeyReason = (reason: string | null): boolean => STEP_REASONS.has(reason)

// The token of a one-time link: the instance, so that any node finds the one that serves it, and 256 random bits. Only its hash is kept.

const SECRET_BYTES = 32
const FORM = /^([1-9a-z][0-9a-z]{0,9})\.[\w-]{43}$/
/** How long a link can be used. */
export const PASSKEY_LINK_MS = 10 * 60_000

export const newLinkToken = (instanceId: number): string =>
  `${instanceId.toString(36)}.${randomBytes(SECRET_BYTES).toString('base64url')}`

/** Undefined for a text that is not a token. */
export function readLinkToken(token: string): { instanceId: number; tokenHash: string } | undefined {
  const instanceId = Number.parseInt(FORM.exec(token)?.[1] ?? '', 36)
  if (!Number.isSafeInteger(instanceId)) return undefined
  return { instanceId, tokenHash: createHash('sha256').update(token).digest('hex') }
}

// Whether an assertion may be sent to the network: made by the official page, for this challenge, by a person whom the authenticator
// has verified. The signature is checked by the network, which alone has the public key.

/** The only page that may ask for a passkey of the network. */
export const PASSKEY_ORIGIN = 'https://web.whatsapp.com'
const PASSKEY_SITE = 'whatsapp.com'

/** Of the decoded values. A credential id has at most 1023 bytes and a user handle at most 64 (WebAuthn). */
const LIMITS = {
  rawId: [1, 1023],
  clientDataJSON: [2, 4096],
  authenticatorData: [37, 4096],
  signature: [8, 1024],
  userHandle: [1, 64],
} as const

const FLAGS_AT = 32
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04

type Reason = AssertionFault['reason']
const fault = (reason: Reason, field: string): AssertionFault => ({ reason, field })

/** Null: the assertion may be sent. `options` is the JSON that the network sent with its demand. */
export function checkAssertion(
  assertion: PasskeyAssertion,
  options: Record<string, unknown>,
): AssertionFault | null {
  const { id, rawId, response } = assertion
  const clientData = decoded(response.clientDataJSON, 'clientDataJSON')
  const authenticatorData = decoded(response.authenticatorData, 'authenticatorData')
  if (!decoded(rawId, 'rawId')) return fault('passkey_malformed', 'rawId')
  if (id !== rawId) return fault('passkey_malformed', 'id')
  if (!clientData) return fault('passkey_malformed', 'response.clientDataJSON')
  if (!authenticatorData) return fault('passkey_malformed', 'response.authenticatorData')
  if (!decoded(response.signature, 'signature')) return fault('passkey_malformed', 'response.signature')
  if (response.userHandle !== null && !decoded(response.userHandle, 'userHandle'))
    return fault('passkey_malformed', 'response.userHandle')
  return checkClientData(clientData, options.challenge) ?? checkAuthenticatorData(authenticatorData)
}

/** Unpadded base64url in its only form, within the limits; undefined otherwise. */
function decoded(text: string, name: keyof typeof LIMITS): Buffer | undefined {
  const [min, max] = LIMITS[name]
  const bytes = Buffer.from(text, 'base64url')
  const isInLimits = bytes.length >= min && bytes.length <= max
  return isInLimits && bytes.toString('base64url') === text ? bytes : undefined
}

function checkClientData(bytes: Buffer, challenge: unknown): AssertionFault | null {
  const data = parsed(bytes)
  if (!data) return fault('passkey_malformed', 'response.clientDataJSON')
  if (data.type !== 'webauthn.get') return fault('passkey_wrong_type', 'response.clientDataJSON.type')
  // The network may pad the challenge; a browser never does.
  const expected = typeof challenge === 'string' ? challenge.replace(/=+$/, '') : undefined
  if (expected === undefined || data.challenge !== expected)
    return fault('passkey_wrong_challenge', 'response.clientDataJSON.challenge')
  if (data.origin !== PASSKEY_ORIGIN) return fault('passkey_wrong_origin', 'response.clientDataJSON.origin')
  // In a frame of another page, that page has asked for it.
  if (data.crossOrigin === true) return fault('passkey_wrong_origin', 'response.clientDataJSON.crossOrigin')
  return null
}

function checkAuthenticatorData(bytes: Buffer): AssertionFault | null {
  const field = 'response.authenticatorData'
  const site = createHash('sha256').update(PASSKEY_SITE).digest()
  if (!bytes.subarray(0, FLAGS_AT).equals(site)) return fault('passkey_wrong_site', field)
  const flags = bytes.readUInt8(FLAGS_AT)
  if ((flags & USER_PRESENT) === 0) return fault('passkey_without_presence', field)
  if ((flags & USER_VERIFIED) === 0) return fault('passkey_without_verification', field)
  return null
}

function parsed(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
