// Takes instances that no node serves, and hands over what this node has beyond its share.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { coalesce } from '../kernel/async/coalesce.ts'
import type { PeerNode } from '../store/leases.ts'
import type { ClusterView } from './node.ts'
import { countToRelease, countToTake, type Share } from './rules.ts'

/** The part of the sessions of this node that nodes divide among each other. */
export interface BalancedSessions {
  take(limit: number): Promise<number>
  release(limit?: number): Promise<number>
  count(): { sessions: number; waitingHandshakes: number }
}

export interface BalancerParts {
  sessions: BalancedSessions
  /** On the clock of the database. */
  startedAt: number
  /** See `LeaseTimes`. */
  settleMs: number
  clock: () => number
  logger: Pick<Logger, 'info' | 'warn'>
  pauseFor?: (ms: number) => Promise<unknown>
  /** The other nodes should know how many instances this one serves: their shares depend on it. */
  onTaken(): void
  /** The nodes that take instances should look at once. Awaited, because this node may stop next. */
  onReleased(): Promise<unknown>
}

export interface Balancer {
  /** After each renewal. Before `start` nothing happens. */
  observe(view: ClusterView): void
  start(): void
  /** Hands over all instances and takes none any more: this node stops. */
  handOver(): Promise<void>
}

/** While handshakes of this node wait, it leaves instances to others for this long, and then checks again. */
const HANDSHAKE_PAUSE_MS = 200

export function createBalancer(parts: BalancerParts): Balancer {
  const { clock, logger } = parts
  let isActive = false
  let latest: ClusterView | undefined
  const changes = createChanges(clock)
  let untakenSince: number | undefined

  async function step(view: ClusterView): Promise<void> {
    if (view.isDraining) return release(parts)
    await takeShare(parts, view, untakenSince, () => isActive)
    const share = { ...shareOf(parts, view, untakenSince), unchangedForMs: changes.noneForMs() }
    const beyond = countToRelease(share)
    if (isActive && beyond > 0) await release(parts, beyond)
  }
  const run = coalesce(async () => {
    if (!isActive || !latest) return
    const view = latest
    latest = undefined
    await step(view).catch((err: unknown) =>
      logger.warn({ err }, 'cluster: could not balance instances; retrying'),
    )
  })
  return {
    observe(view) {
      untakenSince = view.untaken > 0 ? (untakenSince ?? clock()) : undefined
      changes.observe(view)
      latest = view
      void run()
    },
    start() {
      isActive = true
      void run()
    },
    async handOver() {
      isActive = false
      // Waits for a step that is running, and starts none.
      await run()
      await release(parts)
    },
  }
}

/** Since when the same nodes have served all instances, and none hands them over. */
function createChanges(clock: () => number) {
  let nodes = ''
  let changedAt = clock()
  return {
    observe({ others, untaken }: ClusterView): void {
      const now = others
        .map(({ id, isDraining }) => `${id} ${isDraining}`)
        .sort()
        .join()
      const isHandingOver = others.some((node) => node.isDraining && node.instances > 0)
      if (now === nodes && untaken === 0 && !isHandingOver) return
      nodes = now
      changedAt = clock()
    },
    noneForMs: (): number => clock() - changedAt,
  }
}

/** In steps, until this node has its share or other nodes have taken the rest. */
async function takeShare(
  parts: BalancerParts,
  view: ClusterView,
  untakenSince: number | undefined,
  isActive: () => boolean,
): Promise<void> {
  const { sessions, logger, onTaken, pauseFor = pause } = parts
  for (let untaken = view.untaken; isActive() && untaken > 0; ) {
    const share = shareOf(parts, { ...view, untaken }, untakenSince)
    const wanted = countToTake({ ...share, waitingHandshakes: 0 })
    if (wanted === 0) return
    if (countToTake(share) === 0) {
      await pauseFor(HANDSHAKE_PAUSE_MS)
      continue
    }
    const taken = await sessions.take(wanted)
    if (taken > 0) {
      logger.info({ instances: taken }, 'cluster: this node has taken instances')
      onTaken()
    }
    if (taken < wanted) return
    untaken -= taken
  }
}

async function release({ sessions, logger, onReleased }: BalancerParts, limit?: number): Promise<void> {
  const released = await sessions.release(limit)
  if (released === 0) return
  logger.info({ instances: released }, 'cluster: this node has handed over instances')
  await onReleased()
}

function shareOf(
  { sessions, clock, startedAt, settleMs }: BalancerParts,
  { others, untaken }: ClusterView,
  untakenSince: number | undefined,
): Omit<Share, 'unchangedForMs'> {
  const now = clock()
  const { sessions: own, waitingHandshakes } = sessions.count()
  const takes = (node: PeerNode) => !node.isDraining
  return {
    own,
    untaken,
    untakenForMs: untakenSince === undefined ? 0 : now - untakenSince,
    others: others.filter(takes).map((node) => ({ instances: node.instances, ageMs: now - node.startedAt })),
    ageMs: now - startedAt,
    settleMs,
    waitingHandshakes,
  }
}
