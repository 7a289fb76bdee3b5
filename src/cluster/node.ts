// One life of this process among the processes on one database. It waits while another one is live, and renews its lease while it is
// live itself.
//
//   standby ──no other node is live──▶ live ──renewals fail for holdMs──▶ live, gate shut ──a renewal succeeds──▶ live
//                                       └──another node has taken over──▶ over
import type { Logger } from 'pino'
import type { Timer, Timers } from '../async/timers.ts'
import { goneNodes, type LeaseTimes, type Moment, type Observed, observe } from '../rules/lease.ts'
import type { Leases, NewNode, Renewal } from '../store/leases.ts'
import { createGate, type Gate } from './gate.ts'

/** How often a waiting node looks, at most. */
const STANDBY_POLL_MS = 1000
const FAILED_POLL_MS = 500
/** Renewals of several nodes do not stay in step. */
const JITTER = 0.1

export interface NodeParts {
  leases: Leases
  times: LeaseTimes
  node: NewNode
  /** Nodes whose process is known to have ended, because this one holds its data directory. */
  ended: number[]
  now: () => Moment
  timers: Timers
  random: () => number
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Another node has taken over: this process must end without writing anything. */
  onOver(): void
}

export interface ClusterNode {
  gate: Pick<Gate, 'isOpen' | 'onShut'>
  /** Resolves when this node is live. */
  live: Promise<void>
  /** Ends this life, so that another node can start at once. */
  leave(): Promise<void>
}

export async function startNode(parts: NodeParts): Promise<ClusterNode> {
  const { leases, times, node, now, logger } = parts
  const gate = createGate({ ...parts, holdMs: times.holdMs })
  const activate = createActivation(parts)
  const live = Promise.withResolvers<void>()
  let state: 'standby' | 'live' | 'over' = 'standby'

  async function renew(): Promise<void> {
    const sentAt = now()
    const renewal = await leases.renew(node.id, times.leaseMs)
    if (state === 'over') return
    if (renewal.status === 'dead') return end()
    const liveSince = state === 'live' ? sentAt : await activate(renewal)
    if (liveSince) {
      gate.renewed(liveSince)
      state = 'live'
      live.resolve()
    }
  }
  function end(): void {
    state = 'over'
    gate.lock()
    logger.error('cluster: another node has taken over; this process ends')
    parts.onOver()
  }
  const poll = createPoll(parts, renew, () => state)

  await leases.register(node, times.leaseMs)
  await poll.start()
  return {
    gate,
    live: live.promise,
    async leave() {
      const wasOver = state === 'over'
      state = 'over'
      gate.lock()
      await poll.stop()
      if (!wasOver) await leases.leave(node.id).catch(() => undefined)
      await leases.close()
    },
  }
}

/** Makes a waiting node live if no other one is. Resolves with the moment from which its lease counts. */
function createActivation({ leases, times, node, ended, now, logger }: NodeParts) {
  let observed: Observed = new Map()
  return async ({ others, databaseNow }: Renewal): Promise<Moment | undefined> => {
    const { monotonicMs: nowMs } = now()
    observed = observe(observed, others, nowMs)
    const gone = goneNodes(observed, { databaseNow, nowMs, observeMs: times.observeMs })
    if (!others.every(({ id }) => gone.includes(id) || ended.includes(id))) return undefined
    const sentAt = now()
    if (!(await leases.activate(node.id, times.leaseMs, { gone, ended }))) return undefined
    if (others.length > 0)
      logger.warn({ from: others.map(({ name }) => name) }, 'cluster: this node has taken over')
    return sentAt
  }
}

/** Renews again and again, until the node is over. */
function createPoll(
  { times, timers, random, logger }: NodeParts,
  renew: () => Promise<void>,
  state: () => 'standby' | 'live' | 'over',
) {
  let timer: Timer | undefined
  let running: Promise<void> = Promise.resolve()
  async function run(): Promise<void> {
    const isRenewed = await renew().then(
      () => true,
      (err: unknown) => {
        logger.warn({ err }, 'cluster: could not renew the lease; retrying')
        return false
      },
    )
    if (state() === 'over') return
    const usualMs = state() === 'live' ? times.renewMs : Math.min(times.renewMs, STANDBY_POLL_MS)
    const pauseMs = isRenewed ? usualMs * (1 - JITTER + 2 * JITTER * random()) : FAILED_POLL_MS
    timer = timers.setTimeout(() => void start(), pauseMs)
    timer.unref()
  }
  const start = (): Promise<void> => (running = run())
  return {
    start,
    async stop() {
      timers.clearTimeout(timer)
      await running
    },
  }
}
