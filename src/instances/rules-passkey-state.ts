// The passkey step of linking, as callers and the state of an instance show it.
import type { z } from 'zod'
import type { PasskeyState } from '../contract/passkey.ts'
import { iso } from '../kernel/time.ts'
import type { PasskeyEnd, PasskeyStep } from '../network/passkey.ts'
import type { StateEvent } from './rules-state.ts'

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
