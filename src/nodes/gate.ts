// The gate to the network: open while this process holds its lease.
import type { Logger } from 'pino'
import type { Timer, Timers } from '../kernel/async/timers.ts'
import { isHeld, type Moment } from './rules-lease.ts'

export interface GateParts {
  /** How long a renewal keeps the gate open. */
  holdMs: number
  now: () => Moment
  timers: Timers
  logger: Pick<Logger, 'warn'>
}

export interface Gate {
  /** Whether frames may be sent: a comparison of clocks, so that it also holds in a process that was suspended. */
  isOpen(): boolean
  /** Runs `cut` when the gate shuts, until the returned function is called. */
  onShut(cut: () => void): () => void
  /** A renewal that was sent at this moment has succeeded. */
  renewed(sentAt: Moment): void
  /** Closes all connections to the network, which may be opened again at once. */
  cut(): void
  /** Shuts the gate for ever. */
  lock(): void
}

export function createGate({ holdMs, now, timers, logger }: GateParts): Gate {
  const cuts = new Set<() => void>()
  let renewal: Moment | undefined
  let isLocked = false
  let timer: Timer | undefined

  const isOpen = (): boolean => !isLocked && isHeld(renewal, now(), holdMs)
  function cutAll(): void {
    for (const cut of cuts) cut()
  }
  function shut(): void {
    if (isOpen()) return
    logger.warn('cluster: the lease could not be renewed; connections are closed until it is')
    cutAll()
  }
  return {
    isOpen,
    onShut(cut) {
      cuts.add(cut)
      return () => void cuts.delete(cut)
    },
    renewed(sentAt) {
      renewal = sentAt
      timers.clearTimeout(timer)
      timer = timers.setTimeout(shut, holdMs)
      timer.unref()
    },
    cut: cutAll,
    lock() {
      isLocked = true
      timers.clearTimeout(timer)
      cutAll()
    },
  }
}
