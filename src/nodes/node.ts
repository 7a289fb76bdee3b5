// One life of this process among the nodes on one database. Without a URL it waits while another node is live; with one it works
// beside the others. While it is live it renews its lease, and declares nodes dead that no longer renew theirs.
//
//   standby ──need not wait──▶ live ──renewals fail for holdMs──▶ live, gate shut ──a renewal succeeds──▶ live
//                               └──another node has declared it dead──▶ over
import type { Logger } from 'pino'
import { commitLoss, type KnownServer } from '../instances/rules.ts'
import type { Timer, Timers } from '../kernel/async/timers.ts'
import type { Leases, LostCommits, NewNode, PeerNode, Renewal } from '../store/leases.ts'
import { goneNodes, isHeld, type LeaseTimes, type Moment, type Observed, observe } from './rules.ts'

/** How often a waiting node polls, at most. */
const STANDBY_POLL_MS = 1000
const FAILED_POLL_MS = 500
/** Renewals of several nodes do not stay in step. */
const JITTER = 0.1

export interface NodeParts extends Pick<ServerWatchParts, 'onCommitsLost'> {
  leases: Leases
  times: LeaseTimes
  node: NewNode
  /** Nodes whose process is known to have ended, because this one holds its data directory. */
  ended: number[]
  now: () => Moment
  timers: Timers
  random: () => number
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** How many instances this node serves. */
  countInstances(): number
  /** After each renewal of a live node: the other nodes, and what is left to take. */
  onRenewed(view: ClusterView): void
  /** Another node has taken over: this process must end without writing anything. */
  onOver(): void
  /** This node has declared others dead. For the metrics. */
  onTakeovers?(count: number): void
}

/** The cluster as a renewal has found it. */
export interface ClusterView {
  others: PeerNode[]
  untaken: number
  /** This node hands over its instances: the operator has asked for it, or it stops. */
  isDraining: boolean
  /** The clock of the database, between these two moments on the monotonic clock. */
  time: { databaseMs: number; sentMs: number; answeredMs: number }
}

export interface RunningNode {
  gate: Pick<Gate, 'isOpen' | 'onShut'>
  /** On the clock of the database. */
  startedAt: number
  /** Resolves when this node is live. */
  live: Promise<void>
  /** Polls the cluster at once, because it has changed. */
  poll(): void
  /** How long ago the last successful renewal was sent; undefined before the first. */
  renewedMsAgo(): number | undefined
  /** A draining node hands over its instances and takes none. */
  setDraining(isDraining: boolean): Promise<void>
  /** Ends this life, so that another node can start at once. */
  leave(): Promise<void>
}

export async function startNode(parts: NodeParts): Promise<RunningNode> {
  const { leases, times, node, now, logger } = parts
  const gate = createGate({ ...parts, holdMs: times.holdMs })
  const observer = createObserver(parts)
  const noteConnection = createConnectionNote(logger)
  const watchServer = createServerWatch(parts, gate)
  const live = Promise.withResolvers<void>()
  let state: 'standby' | 'live' | 'over' = 'standby'
  let renewedAt: Moment | undefined

  async function renew(): Promise<void> {
    const sentAt = now()
    const renewal = await leases.renew(node.id, times.leaseMs, parts.countInstances())
    const answeredMs = now().monotonicMs
    if (state === 'over') return
    await watchServer(renewal)
    if (renewal.status === 'dead') return end()
    noteConnection(renewal)
    const gone = observer.goneAmong(renewal)
    // A renewal finds a waiting node live if the answer to its activation was lost.
    const isLive = state === 'live' || renewal.status !== 'standby'
    const liveSince = isLive ? sentAt : await activate(parts, renewal, gone)
    if (!liveSince) return
    renewedAt = liveSince
    gate.renewed(liveSince)
    const dead = state === 'live' ? await endNodes(parts, renewal, gone) : gone
    state = 'live'
    live.resolve()
    const time = { databaseMs: renewal.databaseNow, sentMs: sentAt.monotonicMs, answeredMs }
    parts.onRenewed(viewOf(renewal, dead, time))
  }
  function end(): void {
    state = 'over'
    gate.lock()
    logger.error('cluster: another node has taken over; this process ends')
    parts.onOver()
  }
  const poll = createPoll(parts, renew, () => state)

  const startedAt = await leases.register(node, times.leaseMs)
  await poll.start()
  return {
    gate,
    startedAt,
    live: live.promise,
    poll: poll.wake,
    renewedMsAgo: () => renewedAt && now().monotonicMs - renewedAt.monotonicMs,
    setDraining: (isDraining) => leases.setDraining(node.id, isDraining),
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

/** Logs when the lease has no connection of its own, and when it has one again. */
function createConnectionNote(logger: NodeParts['logger']): (renewal: Renewal) => void {
  let wasShared = false
  return ({ isShared = false }) => {
    if (isShared && !wasShared)
      logger.warn(
        'cluster: the database accepts no connection for the lease; it is renewed over one of the pool',
      )
    if (!isShared && wasShared) logger.info('cluster: the lease has a connection of its own again')
    wasShared = isShared
  }
}

/** Follows the leases of the other nodes from renewal to renewal. */
function createObserver({ times, now }: Pick<NodeParts, 'times' | 'now'>) {
  let observed: Observed = new Map()
  return {
    goneAmong({ others, databaseNow }: Renewal): number[] {
      const { monotonicMs: nowMs } = now()
      observed = observe(observed, others, nowMs)
      return goneNodes(observed, { databaseNow, nowMs, observeMs: times.observeMs })
    },
  }
}

/** Makes a waiting node live if it need not wait any more. Resolves with the moment from which its lease counts. */
async function activate(
  { leases, times, node, ended, now, logger, onTakeovers }: NodeParts,
  { others }: Renewal,
  gone: number[],
): Promise<Moment | undefined> {
  const isWorking = ({ id }: PeerNode) => !gone.includes(id) && !ended.includes(id)
  if (others.some((other) => isWorking(other) && (node.url === null || other.url === null))) return undefined
  const sentAt = now()
  if (!(await leases.activate(node.id, times.leaseMs, { gone, ended }))) return undefined
  const from = others.filter((other) => !isWorking(other)).map(({ name }) => name)
  if (from.length > 0) logger.warn({ from }, 'cluster: this node has taken over')
  onTakeovers?.(from.length)
  return sentAt
}

/** Declares nodes dead that are gone. Of several nodes that see it, one does. */
async function endNodes(
  { leases, node, logger, onTakeovers }: NodeParts,
  { others }: Renewal,
  gone: number[],
): Promise<number[]> {
  if (gone.length === 0) return []
  const dead = await leases.end(node.id, gone)
  onTakeovers?.(dead.length)
  for (const { id, name, instances } of others)
    if (dead.includes(id)) logger.warn({ node: name, instances }, 'cluster: a node stopped responding')
  return dead
}

const viewOf = (
  { status, others, untaken }: Renewal,
  dead: number[],
  time: ClusterView['time'],
): ClusterView => ({
  others: others.filter(({ id }) => !dead.includes(id)),
  // The instances of a node that has just been declared dead are not counted yet.
  untaken: untaken + others.reduce((sum, { id, instances }) => sum + (dead.includes(id) ? instances : 0), 0),
  isDraining: status === 'draining',
  time,
})

/** Renews the lease until the node has ended. */
function createPoll(
  { times, timers, random, logger }: NodeParts,
  renew: () => Promise<void>,
  state: () => 'standby' | 'live' | 'over',
) {
  let timer: Timer | undefined
  let running: Promise<void> = Promise.resolve()
  let isWoken = false
  async function run(): Promise<void> {
    const isRenewed = await renew().then(
      () => true,
      (err: unknown) => {
        logger.warn({ err }, 'cluster: could not renew the lease; retrying')
        return false
      },
    )
    if (state() === 'over') return
    if (isWoken) {
      isWoken = false
      return run()
    }
    const usualMs = state() === 'live' ? times.renewMs : Math.min(times.renewMs, STANDBY_POLL_MS)
    const pauseMs = isRenewed ? usualMs * (1 - JITTER + 2 * JITTER * random()) : FAILED_POLL_MS
    timer = timers.setTimeout(() => {
      timer = undefined
      void start()
    }, pauseMs)
    timer.unref()
  }
  const start = (): Promise<void> => (running = run())
  return {
    start,
    /** A renewal under way may have read too early, and is followed by another one. */
    wake(): void {
      if (timer === undefined) {
        isWoken = true
        return
      }
      timers.clearTimeout(timer)
      timer = undefined
      void start()
    },
    async stop() {
      timers.clearTimeout(timer)
      await running
    },
  }
}

// Watches the server of the database from renewal to renewal: after a failover it may lack commits (decision 0125).

interface ServerWatchParts {
  leases: Pick<Leases, 'recover' | 'trust'>
  logger: Pick<Logger, 'info' | 'error'>
  /** The database has lost commits. For the metrics. */
  onCommitsLost?(loss: LostCommits['loss']): void
}

/** Returns what runs after each renewal. It rejects if the database fails meanwhile, and then goes on after the next one. */
function createServerWatch(
  { leases, logger, onCommitsLost }: ServerWatchParts,
  gate: Pick<Gate, 'cut'>,
): (renewal: Renewal) => Promise<void> {
  let known: KnownServer | undefined
  /** Until it is recovered: the row of this node does not show it any more. */
  let lost: LostCommits | undefined
  async function recover(noticed: LostCommits): Promise<void> {
    const { loss, known: before, found } = noticed
    const isFirst = await leases.recover(noticed)
    // Connections have keys of the lost commits. They reconnect with those that are stored.
    gate.cut()
    onCommitsLost?.(loss)
    logger.error(
      {
        loss,
        timelineBefore: before.timeline,
        timeline: found.timeline,
        recoveredBy: isFirst ? 'this node' : 'another node',
      },
      loss === 'certain'
        ? 'cluster: the database has lost commits; sessions with all contacts begin anew'
        : 'cluster: the database has failed over without synchronous replication and may have lost commits; sessions with all contacts begin anew',
    )
  }
  return async ({ found, renewed, recorded }) => {
    const before = known ?? recorded
    const loss = before ? commitLoss(before, found) : 'none'
    if (before && loss !== 'none') lost ??= { loss, known: before, found }
    if (lost) await recover(lost)
    else if (before && before.timeline !== found.timeline)
      logger.info({ timeline: found.timeline }, 'cluster: the database has failed over; no commit was lost')
    if (renewed) await leases.trust(renewed, recorded)
    lost = undefined
    known = renewed ?? known
  }
}

// The gate to the network: open while this process holds its lease.

interface GateParts {
  /** How long a renewal keeps the gate open. */
  holdMs: number
  now: () => Moment
  timers: Timers
  logger: Pick<Logger, 'warn'>
}

interface Gate {
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

function createGate({ holdMs, now, timers, logger }: GateParts): Gate {
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
