// The sandbox process: reads its settings, starts, prints one ready line and stops cleanly.
import { randomBytes } from 'node:crypto'
import { limitHeapGrowth } from '../src/kernel/process/heap-growth.ts'
import { createLog } from './model/log.ts'
import { quietConsole } from './quiet-console.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { helpText, readSettings, type SandboxSettings } from './settings.ts'

/** The exit code for invalid settings. */
const BAD_CONFIGURATION = 78
/** The exit code for a wrong command line. */
const BAD_ARGUMENTS = 2

async function main([argument]: readonly string[]): Promise<void> {
  if (argument === '--help') return void process.stdout.write(`${helpText()}\n`)
  if (argument !== undefined) {
    process.stderr.write(`unexpected argument: ${argument}; --help shows the settings\n`)
    process.exit(BAD_ARGUMENTS)
  }
  limitHeapGrowth()
  quietConsole()
  const log = createLog((line) => process.stdout.write(line))
  let settings: SandboxSettings
  try {
    settings = readSettings(process.env)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(BAD_CONFIGURATION)
  }
  const apiKey = settings.apiKey ?? showNewKey()
  const starting = startSandbox({ ...settings, apiKey, log })
  // Registered before the start has finished: the parent process may end during it, and that event is emitted once.
  stopOnRequest(settings.exitWith, starting)
  const { wsUrl, url, rootPublicKey } = await starting
  log.info('listening', { wsUrl, url, rootPublicKey })
  if (process.connected) process.send?.({ wsUrl, url, rootPublicKey })
}

function stopOnRequest(exitWith: SandboxSettings['exitWith'], starting: Promise<Sandbox>): void {
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

await main(process.argv.slice(2))
