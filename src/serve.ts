// The server's life: settings, start, ready line, drain. `npm start` and `npm run cli -- serve` both come here.
import { pino } from 'pino'
import { startApp } from './app.ts'
import { readSettings } from './config.ts'

/** What is in flight gets this long to finish after SIGTERM; then the process goes all the same. */
const DRAIN_MS = 19_000

/** Resolves when the server listens; from then on a signal ends the process. */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  // What this process makes is its owner's alone: data, keys, locks.
  process.umask(0o077)
  const settings = readSettings(environment)
  const logger = pino({ level: settings.LOG_LEVEL, base: null })
  const app = await startApp(settings, logger)
  if (app.firstKey !== undefined) {
    process.stderr.write(
      `\nFirst start. The API key of your account, shown this once:\n\n  ${app.firstKey}\n\n` +
        `It is also in ${settings.DATA_DIR}/first-api-key. Dashboard and API: ${app.url}\n\n`,
    )
  }
  // The ready line is part of the contract, whatever the level.
  process.stdout.write(`${JSON.stringify({ level: 30, time: Date.now(), msg: 'listening', url: app.url })}\n`)

  const drain = (signal: string) => {
    logger.info({ signal }, 'draining')
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    void app.stop().then(
      () => process.exit(0),
      (err: unknown) => {
        logger.error({ err }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', drain)
  process.once('SIGINT', drain)
}
