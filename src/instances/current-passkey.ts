// The passkey step of an instance, as the state and the login code of an instance show it.
import type { z } from 'zod'
import type { Deps } from '../context.ts'
import type { PasskeyState } from '../contract/passkey.ts'
import { NetworkError } from '../network/network.ts'
import type { PasskeyStep } from '../network/passkey.ts'
import type { InstanceRow } from './instance-queries.ts'
import { isPasskeyReason, shownPasskey } from './rules-passkey.ts'

/** The step of an instance, if its state says that there may be one: most instances are never asked. */
export async function currentPasskey(
  { sessions }: Pick<Deps, 'sessions'>,
  row: InstanceRow,
): Promise<PasskeyStep | null> {
  if (!isPasskeyReason(row.state_reason)) return null
  return sessions.passkey(row.id).catch(noneIfUnreachable)
}

/** Without the node that serves the instance there is no connection that the step could go on with. */
export function noneIfUnreachable(error: unknown): null {
  if (error instanceof NetworkError && error.kind === 'unavailable') return null
  throw error
}

type Shown = z.output<typeof PasskeyState> | null
export const shownOrNull = (step: PasskeyStep | null): Shown => step && shownPasskey(step)
