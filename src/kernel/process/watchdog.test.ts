// A process whose event loop stands still ends; one that was only suspended does not.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startWatchdog } from './watchdog.ts'

const SECONDS = 2
const PROGRAM = `
  import { startWatchdog } from ${JSON.stringify(new URL('./watchdog.ts', import.meta.url).href)}
  startWatchdog(${SECONDS})
  process.on('message', (order) => {
    if (order === 'block') for (;;);
    process.send(order)
  })
  process.send('ready')`

async function startProgram(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  assert.deepEqual((await once(child, 'message'))[0], 'ready')
  return child
}

test('a process whose event loop is blocked is killed, and its last line says why', async () => {
  const child = await startProgram()
  const lines = text(child.stderr as NonNullable<ChildProcess['stderr']>)
  const exited = once(child, 'exit')
  child.send('block')
  assert.deepEqual(await exited, [null, 'SIGKILL'])
  const { level, msg } = JSON.parse((await lines).trim().split('\n').at(-1) as string)
  assert.equal(level, 60)
  assert.match(msg, /^watchdog: the event loop has stood still for 2 s/)
})

test('a process that was suspended for longer goes on', async (t) => {
  const child = await startProgram()
  t.after(() => child.kill('SIGKILL'))
  child.kill('SIGSTOP')
  await until(async () => (await stateOf(child)) === 'T')
  // Time that passes is the subject: twice as long as the watchdog waits.
  await pause(SECONDS * 2 * 1000)
  child.kill('SIGCONT')
  child.send('still here')
  assert.deepEqual((await once(child, 'message'))[0], 'still here')
})

test('a watchdog that is ended leaves no thread behind', async () => {
  const end = startWatchdog(SECONDS)
  await end()
})

/** As /proc shows it: T is stopped. */
async function stateOf({ pid }: ChildProcess): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return status === undefined ? 'T' : status.slice(status.lastIndexOf(')') + 2)[0]
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20)
}
