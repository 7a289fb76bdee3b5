// Claims lanes for the send worker: with a poll, and, where the engine can, with the commit that accepts a send or releases a lane.
import type { Found } from '../../async/wake-loop.ts'
import type { ClaimedSend, ClaimRequest } from '../../store/operations/claim/types.ts'
import { freeLanesOf } from '../../store/queries/lanes.ts'
import type { LaneLocks } from './lane-locks.ts'
import type { SendWorkerDeps } from './worker-deps.ts'

const CLAIM_SIZE = 50
/** Messages of a chat sent under one claim, so that only the last waits for a commit. Short, so that other chats get their turn. */
const RUN_LENGTH = 4

interface ClaimsParts extends Pick<SendWorkerDeps, 'store' | 'clock' | 'nodeId' | 'perInstance'> {
  owner: string
  lockMs: number
  locks: Pick<LaneLocks, 'isAnyDue' | 'renewDue'>
  /** The lanes that runs work on. */
  inWork(): string[]
  startRun(lane: string, run: ClaimedSend[], lockedUntil: number): void
}

export interface Claims {
  /** Claims what is due. */
  poll(): Promise<Found>
  /** Lets commits claim until the returned function is called. It resolves when no commit claims any more. */
  offer(wake: () => void): () => Promise<void>
}

export function createClaims(parts: ClaimsParts): Claims {
  const { store, clock, owner, nodeId, lockMs, perInstance, locks } = parts
  /** Claims that failed since the last recovery. They may have locked lanes that no run works on. */
  let lost = 0
  /** A commit that may claim is under way. */
  let joined: PromiseWithResolvers<void> | undefined

  const requestAt = (now: number): ClaimRequest => {
    const size = { limit: CLAIM_SIZE, perInstance, runLength: RUN_LENGTH }
    return { owner, nodeId, now, lockMs, ...size }
  }
  function start(claimed: ClaimedSend[], { now }: ClaimRequest): Found {
    const runs = Map.groupBy(claimed, ({ lane }) => lane)
    for (const [lane, run] of runs) parts.startRun(lane, run, now + lockMs)
    return runs.size === CLAIM_SIZE ? 'more' : 'all'
  }
  /** A lane that a commit has just claimed is not lost: `joined` ends when its run has started. */
  async function freeLost(): Promise<void> {
    const found = lost
    await joined?.promise
    await freeLanesOf(store, owner, parts.inWork())
    lost -= found
  }
  function endJoined(): void {
    joined?.resolve()
    joined = undefined
  }
  return {
    async poll() {
      // The time of the claim is read first: no lock of this process expires between its renewal and the claim.
      const now = clock()
      await locks.renewDue()
      if (lost > 0) await freeLost()
      const request = requestAt(now)
      try {
        return start(await store.claimSends(request), request)
      } catch (err) {
        lost += 1
        throw err
      }
    },
    offer(wake) {
      const withdraw = store.offerClaim?.('claimSends', {
        wants() {
          const now = clock()
          // A lock that is about to expire is renewed first: the claim would take its lane.
          if (lost > 0 || joined || locks.isAnyDue()) return undefined
          joined = Promise.withResolvers()
          return requestAt(now)
        },
        take(claimed, request) {
          const found = start(claimed, request)
          endJoined()
          if (found === 'more') wake()
        },
        failed() {
          lost += 1
          endJoined()
          wake()
        },
        missed: wake,
      })
      return async () => {
        withdraw?.()
        await joined?.promise
      }
    },
  }
}
