// The hold: on a restored database, or with `SESSIONS=off`, the gateway starts without sessions, sending and webhooks (decision 0076).
import type { HeldBy } from '../contract/system.ts'
import { GatewayError } from '../errors.ts'
import { closeHeldInstances } from '../instances/instances.ts'
import { clearRestoreMark, hasRestoreMark } from '../instances/restore-queries.ts'
import { commandLine } from '../kernel/process/command-line.ts'
import type { Store } from '../store/store.ts'

/** How often a held server checks whether the command line has removed the restore mark. */
const POLL_MS = 2000

const LOG_LINES = {
  restored: () =>
    `the gateway is held because its database was restored: no sessions, no sending, no webhooks; to resume: ${commandLine('resume --yes')}`,
  sessions_off: () => 'the gateway is held by SESSIONS=off: no sessions, no sending, no webhooks',
} satisfies Record<HeldBy, () => string>

export interface Hold {
  /** Null: the gateway is not held. */
  heldBy(): HeldBy | null
  /** Ends the hold and starts the services. False: the gateway was not held. Refuses while `SESSIONS=off` holds it. */
  resume(): Promise<boolean>
  stop(): Promise<void>
}

export interface HoldParts {
  store: Store
  clock: () => number
  logger: { info(text: string): void; warn(fields: object, text: string): void }
  /** Starts sessions, sending, webhooks and housekeeping; can be repeated after a failure. */
  start(): Promise<void>
}

/** Starts the services, or holds them. The setting takes precedence over the restore mark in the database. */
export async function startOrHold(parts: HoldParts, sessions: 'on' | 'off'): Promise<Hold> {
  const { store, clock, logger, start } = parts
  const by = sessions === 'off' ? 'sessions_off' : (await hasRestoreMark(store.db)) ? 'restored' : null
  if (by === null) await start()
  else {
    await closeHeldInstances({ store, clock })
    logger.warn({ held: by }, LOG_LINES[by]())
  }
  return createHold(parts, by)
}

function createHold({ store, logger, start }: HoldParts, by: HeldBy | null): Hold {
  let held = by
  let starting: Promise<void> | undefined
  async function end(): Promise<void> {
    try {
      await start()
      held = null
      clearInterval(timer)
      logger.info('gateway resumed')
    } finally {
      starting = undefined
    }
  }
  /** Concurrent requests and polls start the services once. */
  const endOnce = (): Promise<void> => (starting ??= end())
  async function poll(): Promise<void> {
    if (held !== null && !(await hasRestoreMark(store.db))) await endOnce()
  }
  const timer =
    by === 'restored'
      ? setInterval(() => {
          poll().catch((err: unknown) => logger.warn({ err }, 'could not resume the gateway; retrying'))
        }, POLL_MS).unref()
      : undefined
  return {
    heldBy: () => held,
    async resume() {
      if (held === 'sessions_off') throw new GatewayError('held_by_setting')
      // Cleared even if the gateway is not held, so that the next start is not held either.
      await clearRestoreMark(store)
      if (held === null) return false
      await endOnce()
      return true
    },
    async stop() {
      clearInterval(timer)
      await starting?.catch(() => undefined)
    },
  }
}
