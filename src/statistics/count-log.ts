// Counts per hour as they are written: added up in memory and stored every few seconds, so that a message costs no write of its own. A
// process that is killed loses those of the last seconds (decision 0171).

import type { Logger } from 'pino'
import { createSerialQueue } from '../kernel/async/locks.ts'
import type { Store } from '../store/store.ts'
import { addCounts, sampleSessions } from './queries.ts'
import { type CountDelta, hourOf, type Occurrence } from './rules-counted.ts'

const FLUSH_MS = 5000
/** Counts of a sample of all sessions, several times an hour. */
const SAMPLE_MS = 5 * 60 * 1000
/** While the store is unavailable, counts of further instances, hours and labels are dropped beyond this. */
const MAX_WAITING = 50_000

export interface CountLog {
  count(occurrence: Occurrence): void
  /** Starts to sample the sessions. */
  start(): void
  /** Stores what was counted so far. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export interface CountLogDeps {
  /** All or nothing. */
  write(deltas: readonly CountDelta[]): Promise<void>
  /** Counts the sessions by state. */
  sample(): Promise<void>
  onError(error: unknown): void
}

export function createCountLog({ write, sample, onError }: CountLogDeps): CountLog {
  let waiting = new Map<string, CountDelta>()
  const writes = createSerialQueue()
  let sampling: NodeJS.Timeout | undefined

  function add(delta: CountDelta): void {
    const key = `${delta.instance_id} ${delta.hour} ${delta.metric} ${delta.label}`
    const known = waiting.get(key)
    if (known) known.count += delta.count
    else if (waiting.size < MAX_WAITING) waiting.set(key, delta)
  }
  async function writeAll(): Promise<void> {
    if (waiting.size === 0) return
    const written = [...waiting.values()]
    waiting = new Map()
    try {
      await write(written)
    } catch (error) {
      for (const delta of written) add(delta)
      onError(error)
    }
  }
  const flush = () => writes.run(writeAll)
  const timer = setInterval(() => void flush(), FLUSH_MS).unref()
  return {
    count: ({ instanceId, at, metric, label = '', count = 1 }) =>
      add({ instance_id: instanceId, hour: hourOf(at), metric, label, count }),
    start() {
      const sampleOnce = () => void sample().catch(onError)
      sampleOnce()
      sampling ??= setInterval(sampleOnce, SAMPLE_MS).unref()
    },
    flush,
    async stop() {
      clearInterval(timer)
      clearInterval(sampling)
      await flush()
    },
  }
}

// Counts per hour on this node: what they are written to, and who samples the sessions.

interface CountsDeps {
  clock: () => number
  logger: Logger
  /** False: another node samples the sessions. */
  isLead(): boolean
}

export const createCounts = (store: Store, { clock, logger, isLead }: CountsDeps): CountLog =>
  createCountLog({
    write: (deltas) => store.transaction((tx) => addCounts(tx, deltas)),
    async sample() {
      if (isLead()) await store.transaction((tx) => sampleSessions(tx, hourOf(clock())))
    },
    onError: (err) => logger.warn({ err }, 'statistics: counts not stored; retrying'),
  })
