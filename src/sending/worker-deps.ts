// What the send worker needs from outside.
import type { Logger } from 'pino'
import type { Timers } from '../async/timers.ts'
import type { FailureReason } from '../contract/sending.ts'
import type { Tracer } from '../domain/tracer.ts'
import type { SendOutcome } from '../rules/settle-send.ts'
import type { Store } from '../store/store.ts'
import type { SendDeps } from './send-one.ts'

export interface SendWorkerDeps extends SendDeps {
  store: Store
  clock: () => number
  logger: Logger
  /** This node, if several may use the database. */
  nodeId?: number | undefined
  /** How long it sleeps at most without a wake-up; absent: 5 s. */
  maxSleepMs?: (() => number) | undefined
  /** How many lanes of one instance are worked on at the same time. */
  perInstance: number
  /** One try has ended; `reason` is that of a failure. */
  observe(outcome: SendOutcome['kind'], seconds: number, reason?: FailureReason): void
  /** Absent while tracing is off. */
  trace?: Tracer | undefined
  /** Changes each time all lanes of the instance were made due: its session opened, or its restriction ended. */
  wakeCount(instanceId: number): number
  timers?: Timers
  /** How long the lock of a lane lasts unless it is renewed. */
  lockMs?: number
}
