// The network's word on an account that may answer people but not write first.
import type { ReachoutTimelockState } from 'baileys'

/** What the network's own web client assumes where no end is given. An end that has passed is none either. */
const UNKNOWN_END_MS = 60_000

export function endOfRestriction(
  { isActive, timeEnforcementEnds }: ReachoutTimelockState,
  nowMs: number,
): number | null {
  if (!isActive) return null
  const endsAt = timeEnforcementEnds?.getTime() ?? 0
  return endsAt > nowMs ? endsAt : nowMs + UNKNOWN_END_MS
}
