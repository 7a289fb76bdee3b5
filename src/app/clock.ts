// The clock of the gateway, for times that are compared with each other: due times, locks, expiries, quotas. It is carried on by the
// monotonic clock, and follows the clock of the database or, on SQLite, the wall clock slowly (decision 0115).
import type { Logger } from 'pino'
import {
  type Clock,
  createSuspensionMeter,
  type MachineClocks,
  machineClocks,
} from '../kernel/async/clock.ts'
import { realTimers, type Timers } from '../kernel/async/timers.ts'
import {
  type ClockEvent,
  carriedOn,
  compared,
  type Phase,
  startAt,
  timeAt,
  trueTimeAt,
} from '../kernel/steady-time.ts'
import type { Moment } from '../nodes/rules.ts'

const POLL_MS = 1000
/** An answer that took longer says too little about the time of the database. */
const MAX_ROUND_TRIP_MS = 1000

/** What the clock is compared with. */
export type ReferenceName = 'wall clock' | 'database'

/** The clock of the database in an answer, with the moments on the monotonic clock when the query was sent and answered. */
export interface DatabaseTime {
  databaseMs: number
  sentMs: number
  answeredMs: number
}

export interface ClockStatus {
  /** How far the reference is ahead of the gateway's time. */
  differenceMs: number
  phase: Phase
}

export interface GatewayClock {
  now: Clock
  /** The best estimate of the true time, for signatures that others check. */
  forSignatures: Clock
  /** The clocks that a lease counts on. */
  moment(): Moment
  /** From the first call on, the database is the reference. */
  followDatabase(time: DatabaseTime): void
  status(): ClockStatus
  stop(): void
}

export interface ClockParts {
  logger: Pick<Logger, 'info' | 'warn'>
  /** A clock was set. */
  onStep(reference: ReferenceName): void
  machine?: MachineClocks | undefined
  timers?: Timers | undefined
}

export function startClock(parts: ClockParts): GatewayClock {
  const { machine = machineClocks, timers = realTimers } = parts
  const meter = createSuspensionMeter(machine)
  const { monotonic } = machine
  const reading = () => ({ monotonicMs: monotonic(), suspendedMs: meter.measure() })
  const sample = (referenceMs: number) => ({
    ...reading(),
    referenceMs,
    uptimeMs: machine.uptime(),
  })
  // The wall clock is watched beside a database too, because TLS and log lines use it.
  let wall = startAt(sample(machine.wall()))
  let database: typeof wall | undefined
  const current = () => database ?? wall

  function poll(): void {
    const next = compared(wall, sample(machine.wall()))
    wall = next.state
    if (next.event) report(parts, 'wall clock', next.event, next.state.aheadMs)
    // The answers of the database may be missing, but the time in which the machine was suspended has passed.
    if (database) database = carriedOn(database, reading())
  }
  const timer = timers.setInterval(poll, POLL_MS)
  timer.unref()

  return {
    // Times are stored as whole milliseconds.
    now: () => Math.floor(timeAt(current(), monotonic())),
    forSignatures: () => Math.floor(trueTimeAt(current(), monotonic())),
    moment: () => ({ monotonicMs: monotonic(), suspendedMs: meter.suspendedMs() }),
    followDatabase({ databaseMs, sentMs, answeredMs }) {
      // The answer is from about the middle of the round trip.
      const seen = sample(databaseMs + monotonic() - (sentMs + answeredMs) / 2)
      if (database === undefined) {
        database = startAt(seen)
        return
      }
      if (answeredMs - sentMs > MAX_ROUND_TRIP_MS) return
      const next = compared(database, seen)
      database = next.state
      if (next.event) report(parts, 'database', next.event, next.state.aheadMs)
    },
    status: () => ({ differenceMs: Math.round(current().aheadMs), phase: current().phase }),
    stop: () => timers.clearInterval(timer),
  }
}

const TEXTS = {
  stepped: 'clock: a clock was set while the gateway runs; the time of the gateway goes on as before',
  adopted: 'clock: the gateway has adopted the new time',
  followed: 'clock: the gateway follows the new time, at double or half speed',
  settled: 'clock: the clock agrees with the time of the gateway again',
} satisfies Record<ClockEvent, string>

function report(
  { logger, onStep }: ClockParts,
  reference: ReferenceName,
  event: ClockEvent,
  differenceMs: number,
): void {
  const fields = { reference, differenceMs: Math.round(differenceMs) }
  if (event === 'settled') logger.info(fields, TEXTS[event])
  else logger.warn(fields, TEXTS[event])
  if (event === 'stepped' || event === 'adopted') onStep(reference)
}
