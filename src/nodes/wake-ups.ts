// Tells other nodes that there is something to do. A wake-up may be lost: every node also polls.
import { realTimers, type Timers } from '../kernel/async/timers.ts'
import type { PeerNode } from '../store/leases.ts'
import type { WakeUp } from './calls.ts'
import type { NodeClient } from './node-client.ts'

/** The first wake-up travels at once. Those that follow within this time travel together. */
const GATHER_MS = 50

export interface WakeUps {
  /** Wakes one node, or all others. */
  wake(what: WakeUp, nodeId?: number): void
  /** Wakes all others and resolves when they have answered, or cannot. */
  wakeNow(what: WakeUp): Promise<void>
  stop(): void
}

export interface WakeUpParts {
  client: Pick<NodeClient, 'call'>
  peers: () => readonly PeerNode[]
  timers?: Timers
  /** Milliseconds that only grow. */
  now?: () => number
}

export function createWakeUps({
  client,
  peers,
  timers = realTimers,
  now = () => performance.now(),
}: WakeUpParts): WakeUps {
  let flushedAt = -Infinity
  const waiting = new Map<number, Set<WakeUp>>()
  let timer: ReturnType<Timers['setTimeout']> | undefined

  async function send({ id, url }: PeerNode, what: WakeUp[]): Promise<void> {
    if (url !== null) await client.call({ id, url }, { call: 'wake', what }).catch(() => undefined)
  }
  function flush(): void {
    timer = undefined
    flushedAt = now()
    const known = new Map(peers().map((peer) => [peer.id, peer]))
    for (const [nodeId, what] of waiting) {
      const peer = known.get(nodeId)
      if (peer) void send(peer, [...what])
    }
    waiting.clear()
  }
  return {
    wake(what, nodeId) {
      for (const { id } of peers()) {
        if (nodeId === undefined || id === nodeId) waiting.set(id, (waiting.get(id) ?? new Set()).add(what))
      }
      if (waiting.size === 0 || timer !== undefined) return
      timer = timers.setTimeout(flush, Math.max(0, flushedAt + GATHER_MS - now()))
      timer.unref()
    },
    async wakeNow(what) {
      await Promise.all(peers().map((peer) => send(peer, [what])))
    },
    stop() {
      timers.clearTimeout(timer)
    },
  }
}
