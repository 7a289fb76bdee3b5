// The clocks of this machine. No other file reads them, so that each part says which one it needs (decision 0115).
import { uptime } from 'node:os'

/** Milliseconds. */
export type Clock = () => number

/**
 * Unix time as this machine shows it. It may be wrong, and may be set while the process runs: for log lines, times of files and times
 * that are only shown. The gateway's own clock is for times that are compared with each other.
 */
export const wallClock: Clock = () => Date.now()

/** Since the start of the process. It cannot be set, and stands still while the machine is suspended. */
export const monotonicClock: Clock = () => performance.now()

/** Since the machine was started, the time in which it was suspended included. A call takes some 20 µs. */
export const uptimeClock: Clock = () => uptime() * 1000

export interface MachineClocks {
  wall: Clock
  monotonic: Clock
  uptime: Clock
}

export const machineClocks: MachineClocks = {
  wall: wallClock,
  monotonic: monotonicClock,
  uptime: uptimeClock,
}

/** Below this the difference is the resolution of the clocks. */
const NOTED_MS = 500

export interface SuspensionMeter {
  /** How long the machine has been suspended since this process started. Cheap: it reads the uptime only if the other clocks disagree. */
  suspendedMs(): number
  /** As above, and reads the uptime in any case. */
  measure(): number
}

export function createSuspensionMeter({
  wall,
  monotonic,
  uptime: sinceBoot,
}: MachineClocks): SuspensionMeter {
  const base = sinceBoot() - monotonic()
  let difference = wall() - monotonic()
  let suspended = 0
  function measure(): number {
    difference = wall() - monotonic()
    const measured = sinceBoot() - monotonic() - base
    if (measured - suspended > NOTED_MS) suspended = measured
    return suspended
  }
  return {
    measure,
    suspendedMs: () => (Math.abs(wall() - monotonic() - difference) > NOTED_MS ? measure() : suspended),
  }
}
