// Stops the parts of the process in stages, each with a time limit. A part that hangs is abandoned: nothing is lost, because all
// accepted work is stored (decision 0077).
import { setTimeout as pause } from 'node:timers/promises'

export interface Stage {
  limitMs: number
  /** Stopped at the same time. The names appear in the log. */
  parts: Record<string, () => Promise<unknown>>
}

export type LastStages = Record<'store' | 'cluster' | 'clock', Stage>

/** What is closed last. The node leaves after the store is closed: from then on another process may use the database. */
export const lastStages = (): LastStages => ({
  store: { limitMs: 1500, parts: {} },
  cluster: { limitMs: 500, parts: {} },
  clock: { limitMs: 500, parts: {} },
})

export interface StopLog {
  warn(fields: object, text: string): void
}

/** Never rejects: the next stage must run even if this one fails. */
export async function stopInStages(stages: readonly Stage[], log: StopLog): Promise<void> {
  for (const { limitMs, parts } of stages) {
    await Promise.all(Object.entries(parts).map(([part, stop]) => stopPart(part, stop, limitMs, log)))
  }
}

async function stopPart(
  part: string,
  stop: () => Promise<unknown>,
  limitMs: number,
  log: StopLog,
): Promise<void> {
  const stopped = new AbortController()
  const late = pause(limitMs, 'late', { signal: stopped.signal })
  try {
    if ((await Promise.race([stop(), late])) === 'late') log.warn({ part }, 'did not stop in time; abandoned')
  } catch (err) {
    log.warn({ err, part }, 'did not stop cleanly')
  } finally {
    late.catch(() => undefined)
    stopped.abort()
  }
}
