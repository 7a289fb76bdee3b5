// Turns of arrivals in one process. Most are handled at the same time. One that was in progress when a process died is handled last and
// alone: if this process dies as well, it was the only one in progress, and no other message is blamed.
import { setImmediate as nextRound } from 'node:timers/promises'
import { createMutex } from '../kernel/async/mutex.ts'
import { settledWithin } from '../kernel/async/settled-within.ts'
import { realTimers, type Timers } from '../kernel/async/timers.ts'

export interface ArrivalTurns {
  /** Handles an arrival together with others. */
  together<T>(work: () => Promise<T>): Promise<T>
  /** Handles an arrival while no other one is in progress, after those that arrive in the meantime. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

export interface TurnTimes {
  /** No other arrival was in progress for this long: those that came after the start are handled. */
  quietMs: number
  /** Arrivals that keep coming do not put off a suspect for longer. */
  longestQuietMs: number
  /** Suspects that follow one another within this time do not wait for a quiet moment again. */
  roundMs: number
  /** After this time an arrival begins although another is still in progress. The marks then show both, and neither is set aside. */
  longestTurnMs: number
}

export const TURN_TIMES: TurnTimes = {
  quietMs: 1000,
  longestQuietMs: 10_000,
  roundMs: 60_000,
  longestTurnMs: 60_000,
}

/** Resolves all that wait for the next change. */
function createSignal() {
  let next = Promise.withResolvers<void>()
  return {
    next: (): Promise<void> => next.promise,
    give(): void {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
  }
}

export function createArrivalTurns(
  times: TurnTimes = TURN_TIMES,
  timers: Timers = realTimers,
  now: () => number = () => performance.now(),
): ArrivalTurns {
  const suspects = createMutex()
  const changed = createSignal()
  let inWork = 0
  let lastEndedAt = -Infinity
  /** A suspect that is in progress, or that waits until the others in progress have ended. */
  let turn: Promise<void> | undefined
  let roundEndsAt = -Infinity
  const isBusy = () => inWork > 0

  /** Resolves when no other arrival was in progress for a while. Once for suspects that follow one another. */
  async function othersFirst(): Promise<void> {
    const since = now()
    const latest = since + times.longestQuietMs
    if (since < roundEndsAt) return
    while (now() < latest) {
      const quietAt = isBusy() ? latest : Math.max(since, lastEndedAt) + times.quietMs
      if (now() >= quietAt) break
      await settledWithin(changed.next(), Math.min(quietAt, latest) - now(), timers)
    }
  }

  async function takeTurn(): Promise<() => void> {
    const ended = Promise.withResolvers<void>()
    turn = ended.promise
    const latest = now() + times.longestTurnMs
    while (isBusy() && now() < latest) await settledWithin(changed.next(), latest - now(), timers)
    return () => {
      turn = undefined
      roundEndsAt = now() + times.roundMs
      ended.resolve()
    }
  }

  return {
    async together(work) {
      const latest = now() + times.longestTurnMs
      for (let open = turn; open && now() < latest; open = turn)
        await settledWithin(open, latest - now(), timers)
      inWork += 1
      try {
        return await work()
      } finally {
        inWork -= 1
        lastEndedAt = now()
        changed.give()
      }
    },
    alone: (work) =>
      suspects.runExclusive(async () => {
        await othersFirst()
        const end = await takeTurn()
        try {
          return await work()
        } finally {
          end()
          // Those that waited meanwhile begin before the next suspect.
          await nextRound()
        }
      }),
  }
}
