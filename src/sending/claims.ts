// Claims lanes for the send worker: with a poll, and, where the engine can, with the commit that accepts a send or releases a lane.
import type { Found } from '../async/wake-loop.ts'
import type { ClaimOffer } from '../store/operations/claim-offer.ts'
import type { LaneLocks } from './lane-locks.ts'
import { freeLanesOf } from './lane-queries.ts'
import type { ClaimedSend, ClaimRequest } from './outbox-claim.ts'
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

interface ClaimState {
  /** Claims that failed since the last recovery. They may have locked lanes that no run works on. */
  lost: number
  /** A commit that may claim is under way. */
  joined: PromiseWithResolvers<void> | undefined
}

export function createClaims(parts: ClaimsParts): Claims {
  const { store, clock, owner, locks } = parts
  const state: ClaimState = { lost: 0, joined: undefined }

  /** A lane that a commit has just claimed is not lost: `joined` ends when its run has started. */
  async function freeLost(): Promise<void> {
    const found = state.lost
    await state.joined?.promise
    await freeLanesOf(store, owner, parts.inWork())
    state.lost -= found
  }
  return {
    async poll() {
      // The time of the claim is read first: no lock of this process expires between its renewal and the claim.
      const now = clock()
      await locks.renewDue()
      if (state.lost > 0) await freeLost()
      const request = requestAt(parts, now)
      try {
        return startRuns(parts, await store.claimSends(request), request)
      } catch (err) {
        state.lost += 1
        throw err
      }
    },
    offer(wake) {
      const withdraw = store.offerClaim?.('claimSends', offerOf(parts, state, wake))
      return async () => {
        withdraw?.()
        await state.joined?.promise
      }
    },
  }
}

function requestAt({ owner, nodeId, lockMs, perInstance }: ClaimsParts, now: number): ClaimRequest {
  return { owner, nodeId, now, lockMs, perInstance, limit: CLAIM_SIZE, runLength: RUN_LENGTH }
}

function startRuns(parts: ClaimsParts, claimed: ClaimedSend[], { now, lockMs }: ClaimRequest): Found {
  const runs = Map.groupBy(claimed, ({ lane }) => lane)
  for (const [lane, run] of runs) parts.startRun(lane, run, now + lockMs)
  return runs.size === CLAIM_SIZE ? 'more' : 'all'
}

/** What commits claim. One at a time, and none while lanes may be locked that no run works on. */
function offerOf(parts: ClaimsParts, state: ClaimState, wake: () => void): ClaimOffer<'claimSends'> {
  const endJoined = (): void => {
    state.joined?.resolve()
    state.joined = undefined
  }
  return {
    wants() {
      const now = parts.clock()
      // A lock that is about to expire is renewed first: the claim would take its lane.
      if (state.lost > 0 || state.joined || parts.locks.isAnyDue()) return undefined
      state.joined = Promise.withResolvers()
      return requestAt(parts, now)
    },
    take(claimed, request) {
      const found = startRuns(parts, claimed, request)
      endJoined()
      if (found === 'more') wake()
    },
    failed() {
      state.lost += 1
      endJoined()
      wake()
    },
    missed: wake,
  }
}
