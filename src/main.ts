// The server's process: settings, start, ready line, drain.
import { pino } from 'pino'
import { startApp } from './app.ts'
import { readSettings, SettingsError } from './config.ts'

/** What is in flight gets this long to finish after SIGTERM; then the process goes all the same. */
const DRAIN_MS = 19_000

async function main(): Promise<void> {
  const settings = readSettings(process.env)
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

main().catch((error: unknown) => {
  process.stderr.write(`switchboard: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof SettingsError ? SettingsError.exitCode : 1)
})
