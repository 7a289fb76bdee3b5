// The life cycle of the server: settings, start, ready line, drain. Used by `npm start` and `npm run cli -- serve`.

import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { STANDSTILL_FILE } from './app/crash-watch.ts'
import type { ReplacedParts } from './app/replaced-parts.ts'
import { type App, startApp } from './app/start.ts'
import { formOf, type NewKeys, startNotice } from './app/start-notice.ts'
import { readSettings, SettingsError } from './config.ts'
import { prepareUploadDirectory } from './data-dir/uploads.ts'
import { wallClock } from './kernel/async/clock.ts'
import { limitHeapGrowth } from './kernel/process/heap-growth.ts'
import { watchParent } from './kernel/process/parent-watch.ts'
import { startWatchdog } from './kernel/process/watchdog.ts'

/** The stages of the stop end before this. It leaves the system the rest of the 20 s that a stop may take (decision 0077). */
const DRAIN_MS = 17_000
/** Another process has taken over: a supervisor should start this one again, and it then waits. Or this program is too old. */
const OVER = { taken_over: 75, outdated: 1 }

/** Resolves when the server listens. From the call on, a signal ends the process with code 0. Tests replace `parts`. */
export async function serve(environment: NodeJS.ProcessEnv, parts: ReplacedParts = {}): Promise<void> {
  limitHeapGrowth()
  // Files that this process creates are readable by their owner only: data, keys, locks.
  process.umask(0o077)
  const settings = readSettings(environment)
  const logger = pino({ level: settings.LOG_LEVEL, base: null })
  const ending = endOnSignal(logger)
  watchParent(environment, process.ppid, () => ending.drain('the process that started the server has ended'))
  if (settings.WATCHDOG_SECONDS > 0)
    startWatchdog(settings.WATCHDOG_SECONDS, {
      onError: (err) => logger.error({ err }, 'watchdog: its thread has failed'),
      standstillFile: join(settings.DATA_DIR, STANDSTILL_FILE),
    })
  // The network library reads TMPDIR from the environment of the process.
  environment['TMPDIR'] = await prepareUploadDirectory(settings.DATA_DIR)
  const app = await startApp(settings, logger, parts, (why) => ending.over(why))
  ending.started(app)
  // The ready line is part of the contract, so it is written at every log level.
  const held = app.heldBy === null ? {} : { held: app.heldBy }
  const line = { level: 30, time: wallClock(), msg: 'listening', url: app.url, ...held }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  // After the last line of the start, so that a person finds the address and the keys at the end of the screen.
  const started = { url: app.url, directory: settings.DATA_DIR, newKeys: newKeysOf(app) }
  process.stderr.write(startNotice(started, formOf(process.stderr, environment)))
}

/** For a server that does not start. The exit code of wrong settings tells a supervisor that another try is of no use. */
export function endWithError(error: unknown): never {
  process.stderr.write(`switchboard: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof SettingsError ? SettingsError.exitCode : 1)
}

interface Ending {
  drain(why: string): void
  /** This process may not go on. */
  over(why: keyof typeof OVER): void
  started(app: App): void
}

/**
 * The exit code after a signal is 0 even if the drain times out: everything that was answered is stored, and the next start continues the rest.
 * A second signal does not end the drain.
 */
function endOnSignal(logger: Logger): Ending {
  let app: App | undefined
  let isDraining = false
  function drain(reason: string, code = 0): void {
    if (isDraining) return
    isDraining = true
    logger.info({ signal: reason }, 'draining')
    // Nothing has been answered yet, so there is nothing to finish.
    if (!app) process.exit(code)
    setTimeout(() => {
      logger.error('the drain has timed out')
      process.exit(code)
    }, DRAIN_MS).unref()
    void app
      .stop()
      .catch((err: unknown) => logger.error({ err }, 'could not stop cleanly'))
      .finally(() => process.exit(code))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Replaces the handlers that main.ts uses while the program loads.
    process.removeAllListeners(signal).on(signal, () => drain(signal))
  }
  return {
    drain,
    over(why) {
      // A node that was declared dead must not write anything. One that is too old still has its instances, and hands them over.
      if (why === 'taken_over') process.exit(OVER.taken_over)
      drain('the schema needs a newer program', OVER.outdated)
    },
    started(running) {
      app = running
    },
  }
}

/** Keys are shown only at the start that creates them. */
const newKeysOf = ({ firstKey, operatorKey, operatorKeyIsNew }: App): NewKeys => ({
  ...(firstKey !== undefined && { account: firstKey }),
  ...(operatorKeyIsNew && { operator: operatorKey }),
})
