// The server's life: settings, start, ready line, drain. `npm start` and `npm run cli -- serve` both come here.
import { pino } from 'pino'
import { type App, type AppParts, startApp } from './app.ts'
import { readSettings } from './config.ts'
import { prepareUploadDirectory } from './upload-directory.ts'

/** What is in flight gets this long to finish after SIGTERM; then the process goes all the same. */
const DRAIN_MS = 19_000

/** Resolves when the server listens; from then on a signal ends the process. The parts are for tests to replace. */
export async function serve(environment: NodeJS.ProcessEnv, parts: AppParts = {}): Promise<void> {
  // What this process makes is its owner's alone: data, keys, locks.
  process.umask(0o077)
  const settings = readSettings(environment)
  // The process's own environment: that is where the library looks.
  environment['TMPDIR'] = await prepareUploadDirectory(settings.DATA_DIR)
  const logger = pino({ level: settings.LOG_LEVEL, base: null })
  const app = await startApp(settings, logger, parts)
  showNewKeys(app, settings.DATA_DIR)
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

/** The only time that keys are shown. */
function showNewKeys({ firstKey, operatorKey, operatorKeyIsNew, url }: App, directory: string): void {
  const lines = [
    ...(firstKey === undefined
      ? []
      : [`API key of your account  ${firstKey}  (also in ${directory}/first-api-key)`]),
    ...(operatorKeyIsNew
      ? [`Key of the operator API  ${operatorKey}  (also in ${directory}/operator-key)`]
      : []),
  ]
  if (lines.length > 0) {
    process.stderr.write(
      `\nFirst start at ${url}. Shown this once:\n\n${lines.map((line) => `  ${line}\n`).join('')}\n`,
    )
  }
}
