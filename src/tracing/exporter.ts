// Sends spans to the collector in batches. The buffer is bounded: what does not fit is dropped and counted. Nothing waits for it.
import { realTimers, type Timer, type Timers } from '../kernel/async/timers.ts'

/** The answer of the collector. `unavailable` may change with a retry, `refused` does not. */
export type ExportResult =
  | { kind: 'accepted' }
  | { kind: 'refused'; why: string }
  | { kind: 'unavailable'; why: string; retryAfterMs?: number | undefined }

export interface Exporter<S> {
  add(span: S): void
  /** Sends what is left, once and for a limited time. Never rejects. */
  stop(): Promise<void>
}

export interface ExporterDeps<S> {
  /** Never rejects. */
  send(batch: readonly S[], signal: AbortSignal): Promise<ExportResult>
  count(outcome: 'exported' | 'dropped', spans: number): void
  /** The first failure after a success. The metrics count the others. */
  onFailure(why: string): void
  timers?: Timers
  limits?: Partial<ExporterLimits>
}

export interface ExporterLimits {
  /** Spans that wait, without the batch that is being sent. */
  buffer: number
  batch: number
  /** How long a span waits for others to share its request. */
  delayMs: number
  /** Tries of one batch. */
  tries: number
  firstPauseMs: number
  longestPauseMs: number
  /** How long the stop may take. */
  stopMs: number
}

const LIMITS: ExporterLimits = {
  buffer: 4096,
  batch: 512,
  delayMs: 2000,
  tries: 5,
  firstPauseMs: 1000,
  longestPauseMs: 30_000,
  stopMs: 1000,
}

export function startExporter<S>(deps: ExporterDeps<S>): Exporter<S> {
  const { count, timers = realTimers } = deps
  const limits = { ...LIMITS, ...deps.limits }
  const waiting: S[] = []
  const over = new AbortController()
  const pauses = createPauses(timers, limits)
  const sendBatch = createBatchSender(deps, limits, pauses, over.signal)
  let timer: Timer | undefined
  let sending: Promise<void> | undefined
  let isStopping = false

  /** Until the buffer has less than a batch. At the stop until it is empty, or a batch is lost. */
  async function sendAll(): Promise<void> {
    do {
      const isSent = await sendBatch(waiting.splice(0, limits.batch))
      if (isStopping && !isSent) break
    } while (waiting.length >= (isStopping ? 1 : limits.batch))
  }
  function start(): void {
    timers.clearTimeout(timer)
    timer = undefined
    sending = sendAll().finally(() => {
      sending = undefined
      if (waiting.length > 0 && !isStopping) schedule()
    })
  }
  function schedule(): void {
    timer ??= timers.setTimeout(start, limits.delayMs)
    timer.unref()
  }
  return {
    add(span) {
      if (isStopping || waiting.length >= limits.buffer) return count('dropped', 1)
      waiting.push(span)
      if (sending) return
      if (waiting.length >= limits.batch) start()
      else schedule()
    },
    async stop() {
      if (isStopping) return
      isStopping = true
      const limit = timers.setTimeout(() => over.abort(), limits.stopMs)
      pauses.end()
      timers.clearTimeout(timer)
      await sending
      if (waiting.length > 0) await sendAll()
      timers.clearTimeout(limit)
      if (waiting.length > 0) count('dropped', waiting.splice(0).length)
    },
  }
}

/** Sends a batch with retries. False: it is lost. After the end of the pauses there is only one try. */
function createBatchSender<S>(
  { send, count, onFailure }: ExporterDeps<S>,
  limits: ExporterLimits,
  pauses: Pauses,
  over: AbortSignal,
): (batch: S[]) => Promise<boolean> {
  return async (batch) => {
    for (let tries = 1; ; tries += 1) {
      const result = await send(batch, over)
      if (result.kind === 'accepted') {
        pauses.reset()
        count('exported', batch.length)
        return true
      }
      if (pauses.isFirst()) onFailure(result.why)
      const pauseMs = pauses.next(result.kind === 'unavailable' ? result.retryAfterMs : undefined)
      if (result.kind === 'refused' || tries >= limits.tries || pauses.isOver()) {
        count('dropped', batch.length)
        return false
      }
      await pauses.wait(pauseMs)
    }
  }
}

type Pauses = ReturnType<typeof createPauses>

/** Pauses that double with each failure, over all batches: a collector that is down is asked less and less often. */
function createPauses(timers: Timers, limits: Pick<ExporterLimits, 'firstPauseMs' | 'longestPauseMs'>) {
  let failures = 0
  let wake: (() => void) | undefined
  let isOver = false
  return {
    isFirst: (): boolean => failures === 0,
    isOver: (): boolean => isOver,
    reset: (): void => void (failures = 0),
    next(retryAfterMs = 0): number {
      const pauseMs = limits.firstPauseMs * 2 ** Math.min(failures, 20)
      failures += 1
      return Math.min(Math.max(pauseMs, retryAfterMs), limits.longestPauseMs)
    },
    async wait(ms: number): Promise<void> {
      const passed = Promise.withResolvers<void>()
      wake = passed.resolve
      const timer = timers.setTimeout(passed.resolve, ms)
      timer.unref()
      await passed.promise
      timers.clearTimeout(timer)
    },
    /** Ends the pause, and lets no further one begin. */
    end(): void {
      isOver = true
      wake?.()
    },
  }
}
