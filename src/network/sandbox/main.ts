/** The sandbox as a process of its own: settings, start, one ready line, and a clean end. */
import { randomBytes } from 'node:crypto'
import { createLog } from './log.ts'
import { quietConsole } from './quiet-console.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { readSettings, type Settings } from './settings.ts'

/** The exit code for a configuration that cannot work. */
const BAD_CONFIGURATION = 78

async function main(): Promise<void> {
  quietConsole()
  const log = createLog((line) => process.stdout.write(line))
  let settings: Settings
  try {
    settings = readSettings(process.env)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(BAD_CONFIGURATION)
  }
  const apiKey = settings.apiKey ?? showNewKey()
  const starting = startSandbox({ ...settings, apiKey, log })
  // Before it has started: whoever started it may be gone by then, and that is told only once.
  endWhenAsked(settings.exitWith, starting)
  const { wsUrl, url, rootPublicKey } = await starting
  log.info('listening', { wsUrl, url, rootPublicKey })
  if (process.connected) process.send?.({ wsUrl, url, rootPublicKey })
}

function endWhenAsked(exitWith: Settings['exitWith'], starting: Promise<Sandbox>): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    void starting.then((sandbox) => sandbox.stop()).then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (exitWith === 'ipc') {
    process.on('disconnect', stop)
    if (!process.connected) stop()
  }
  if (exitWith === 'stdin') process.stdin.resume().on('end', stop).on('close', stop)
}

function showNewKey(): string {
  const key = `sk_${randomBytes(24).toString('base64url')}`
  process.stderr.write(`API key of this run: ${key}\n`)
  return key
}

await main()
