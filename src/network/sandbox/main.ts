/** The sandbox as a process of its own: settings, start, one ready line, and a clean end. */
import { randomBytes } from 'node:crypto'
import { createLog } from './log.ts'
import { quietConsole } from './quiet-console.ts'
import { startSandbox } from './sandbox.ts'
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
  const sandbox = await startSandbox({ ...settings, apiKey, log })
  const { wsUrl, url, rootPublicKey } = sandbox
  log.info('listening', { wsUrl, url, rootPublicKey })
  process.send?.({ wsUrl, url, rootPublicKey })

  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    void sandbox.stop().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (settings.exitWith === 'ipc') process.on('disconnect', stop)
  if (settings.exitWith === 'stdin') process.stdin.resume().on('end', stop).on('close', stop)
}

function showNewKey(): string {
  const key = `sk_${randomBytes(24).toString('base64url')}`
  process.stderr.write(`API key of this run: ${key}\n`)
  return key
}

await main()
