// The calls that this node has carried out for others, or carries out now. A caller whose answer was lost asks again with the same
// id, and gets the answer of the first call.
import type { NodeAnswer } from './calls.ts'

/** Longer than a caller asks again: it gives up 5 s after its first call, and waits 25 s for the last one. */
const KEEP_MS = 120_000
/** Answers are small: lists of members are the largest. */
const MAX_CALLS = 5000

export interface CallMemory {
  /** Carries out the call with this id once. A further call gets the answer of the first. */
  once(id: string, carryOut: () => Promise<NodeAnswer>): Promise<NodeAnswer>
}

/** `now` is a monotonic clock. */
export function createCallMemory(now = () => performance.now(), max = MAX_CALLS): CallMemory {
  const running = new Map<string, Promise<NodeAnswer>>()
  /** In the order in which they ended. */
  const ended = new Map<string, { answer: NodeAnswer; forgetAt: number }>()
  function forgetOld(): void {
    for (const [id, { forgetAt }] of ended) {
      if (forgetAt > now()) return
      ended.delete(id)
    }
  }
  async function carriedOut(id: string, carryOut: () => Promise<NodeAnswer>): Promise<NodeAnswer> {
    try {
      const answer = await carryOut()
      // This node does not serve the instance, so that nothing was carried out.
      if (answer.status !== 'misdirected') ended.set(id, { answer, forgetAt: now() + KEEP_MS })
      return answer
    } finally {
      running.delete(id)
    }
  }
  return {
    async once(id, carryOut) {
      forgetOld()
      const known = running.get(id) ?? ended.get(id)?.answer
      if (known) return known
      // An answer that is still needed is not forgotten for a new one.
      if (running.size + ended.size >= max) return { status: 'busy' }
      const answer = carriedOut(id, carryOut)
      running.set(id, answer)
      return answer
    },
  }
}
