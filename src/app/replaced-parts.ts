// The parts of the gateway that tests replace.
import type { MachineClocks } from '../kernel/async/clock.ts'
import type { Timers } from '../kernel/async/timers.ts'
import type { ResolveHost } from '../kernel/outbound/resolver.ts'
import type { LiveSessions, Network } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { DriverTimes } from '../whatsapp/settings.ts'

export interface ReplacedParts {
  /** Replaces the sessions that the settings select. */
  createSessions?: (store: Store) => LiveSessions
  /** Wraps the store, for example to make it fail. */
  wrapStore?: (store: Store) => Store
  /** Wraps the network, for example to make it fail. */
  wrapNetwork?: (network: Network) => Network
  clock?: () => number
  /** Replaces the clocks of the machine. */
  machine?: MachineClocks
  /** Replaces the name servers of the outbound client. */
  resolver?: ResolveHost
  /** Replaces the timers of the outbound client. */
  outboundTimers?: Timers
  /** Replaces timeouts and intervals of the network driver. */
  times?: DriverTimes
  /** Replaces `LEASE_SECONDS`, which has a lower limit. */
  leaseSeconds?: number
}
