// The passkey step of linking, as the account and the holder of a one-time link go through it.

import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { iso } from '../kernel/time.ts'
import type {
  AssertionOutcome,
  ConfirmationOutcome,
  LinkedPasskey,
  PasskeyAssertion,
  PasskeyStep,
} from '../network/passkey.ts'
import { currentPasskey, noneIfUnreachable } from './current-passkey.ts'
import { findInstanceById, type InstanceRow } from './instance-queries.ts'
import { requireInstance } from './instances.ts'
import { newLinkToken, PASSKEY_ORIGIN, readLinkToken, shownPasskey } from './rules-passkey.ts'

type PasskeyDeps = Pick<Deps, 'store' | 'sessions'>

/** With the challenge. */
export const passkeyDemand = (step: PasskeyStep | null) =>
  step && {
    ...shownPasskey(step),
    options: step.step === 'assertion_needed' ? (step.options as Record<string, never>) : null,
    origin: PASSKEY_ORIGIN,
  }

export async function readPasskey(deps: PasskeyDeps, caller: Caller, apiName: string) {
  const row = await requireInstance(deps, caller.account.id, apiName)
  return { row, step: await currentPasskey(deps, row) }
}

export async function answerPasskey(
  deps: PasskeyDeps,
  instanceId: number,
  assertion: PasskeyAssertion,
): Promise<PasskeyStep | null> {
  const outcome = await deps.sessions.answerPasskey(instanceId, assertion).catch(notExpectedIfUnreachable)
  if (outcome !== 'sent') throw refusalOf(outcome)
  return deps.sessions.passkey(instanceId).catch(noneIfUnreachable)
}

export async function confirmPasskey(
  deps: PasskeyDeps,
  instanceId: number,
  code: string,
): Promise<PasskeyStep | null> {
  const outcome = await deps.sessions.confirmPasskey(instanceId, code).catch(notExpectedIfUnreachable)
  if (outcome !== 'confirmed') throw refusalOf(outcome)
  return deps.sessions.passkey(instanceId).catch(noneIfUnreachable)
}

/** The instance is in its new state when this returns, so that pairing can start again. */
export async function cancelPasskey(deps: PasskeyDeps, instanceId: number): Promise<void> {
  const outcome = await deps.sessions.cancelPasskey(instanceId).catch(notExpectedIfUnreachable)
  if (outcome !== 'cancelled') throw refusalOf(outcome)
}

function notExpectedIfUnreachable(error: unknown): 'not_expected' {
  noneIfUnreachable(error)
  return 'not_expected'
}

const REFUSALS = {
  not_expected: 'passkey_not_expected',
  exhausted: 'passkey_attempts_used',
  other_code: 'passkey_other_code',
} as const

function refusalOf(
  outcome: Exclude<AssertionOutcome | ConfirmationOutcome, 'sent' | 'confirmed'>,
): GatewayError {
  if (typeof outcome === 'string') return new GatewayError(REFUSALS[outcome])
  return new GatewayError(outcome.reason, { field: outcome.field })
}

/** The token is shown once: only its hash is kept, by the session. */
export async function createPasskeyLink(deps: PasskeyDeps, caller: Caller, apiName: string) {
  const row = await requireInstance(deps, caller.account.id, apiName)
  const token = newLinkToken(row.id)
  const { tokenHash } = readLinkToken(token) as { tokenHash: string }
  const expiresAt = await deps.sessions.openPasskeyLink(row.id, tokenHash).catch(noneIfUnreachable)
  if (expiresAt === null) throw new GatewayError('passkey_not_expected')
  return { url: `${caller.origin}/passkey#${token}`, expiresAt: iso(expiresAt) }
}

export interface FollowedLink {
  row: InstanceRow
  linked: LinkedPasskey
}

/** A wrong token and an unknown instance are refused alike. */
export async function followPasskeyLink(
  deps: PasskeyDeps & Pick<Deps, 'hold'>,
  token: string,
): Promise<FollowedLink> {
  if (deps.hold.heldBy() !== null) throw new GatewayError('gateway_held')
  const read = readLinkToken(token)
  const row = read && (await findInstanceById(deps.store.db, read.instanceId))
  const linked =
    row && (await deps.sessions.followPasskeyLink(row.id, read.tokenHash).catch(noneIfUnreachable))
  if (!row || !linked) throw new GatewayError('passkey_link_not_found')
  return { row, linked }
}
