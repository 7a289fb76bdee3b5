// Does a steady load pass without a ripple? 500 sends a second for a minute through a gateway whose instances are open and sending
// (wanted: p99 of the answers within 150 ms, no error), then as many as 200 connections ask for: beyond capacity only 429 and 503
// (promise A5). Load, gateway and network share this machine: what one of them takes, the others lack.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { SandboxProcesses } from '../test/sandbox/support/process.ts'
import { World } from '../test/sandbox/support/world.ts'
import { type Engine, engines, temporaryDirectory } from '../test/support/engines.ts'
import { linkedInstance, world } from '../test/support/linked.ts'
import { newKey, type Started, startWithKey } from '../test/support/started.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { atMost, record } from './report.ts'

const { values } = parseArgs({
  options: { rate: { type: 'string', default: '500' }, seconds: { type: 'string', default: '60' } },
})
const RATE = Number(values.rate)
const SECONDS = Number(values.seconds)
const WANTED_P99_MS = 150
const INSTANCES = 10
const CHATS = 5
const STEADY_CONNECTIONS = 50
const FLOOD_CONNECTIONS = 200
const FLOOD_SECONDS = 10
const WARM_UP_SECONDS = 5
const BUSY = new Set(['429', '503'])

async function makeBodies(gateway: Started): Promise<string[]> {
  const bodies: string[] = []
  for (let index = 0; index < INSTANCES; index += 1) {
    const instanceName = await linkedInstance(gateway, `55119100000${String(index).padStart(2, '0')}`)
    for (let chat = 0; chat < CHATS; chat += 1) {
      const number = `5511920${String(index * CHATS + chat).padStart(6, '0')}`
      await world(gateway, 'POST /phones', { number })
      bodies.push(JSON.stringify({ instanceName, number, message: 'A message among many.', delay: 0 }))
    }
  }
  return bodies
}

async function load(child: ChildProcess, order: LoadOrder): Promise<LoadReport> {
  child.send(order)
  const [report] = (await once(child, 'message')) as [LoadReport]
  return report
}

const show = (statuses: Record<string, number>): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')

async function bench(engine: Engine): Promise<boolean> {
  const storeLocation = await engine.createLocation()
  const sandboxes = new SandboxProcesses()
  const network = await sandboxes.start({ DATA_DIR: await temporaryDirectory() })
  const environment = {
    SANDBOX_URL: network.world.sandbox.url,
    SANDBOX_KEY: World.apiKey,
    LOG_LEVEL: 'error',
  }
  const gateway = await startWithKey(storeLocation, newKey(), environment)
  const child = fork(new URL('./load.ts', import.meta.url))
  try {
    const bodies = await makeBodies(gateway)
    const order = { url: gateway.url, path: '/api/v1/send/text', key: gateway.key, bodies }
    const calm = { ...order, connections: STEADY_CONNECTIONS, rate: RATE }
    await load(child, { ...calm, seconds: WARM_UP_SECONDS })
    const steady = await load(child, { ...calm, seconds: SECONDS })
    const flood = await load(child, { ...order, connections: FLOOD_CONNECTIONS, seconds: FLOOD_SECONDS })
    console.log(
      `${engine.name}: ${steady.requestsPerSecond.toFixed(0)}/s for ${SECONDS} s: p99 ${steady.p99Ms} ms ` +
        `(wanted: ${WANTED_P99_MS}), ${steady.notOk} errors; flooded: ${show(flood.statuses)}, ${flood.errors} aborted`,
    )
    record({
      question: `requests to send at ${RATE} per second for ${SECONDS} s, p99 of the answers, ${engine.name}`,
      value: steady.p99Ms,
      unit: 'ms',
      wanted: atMost(steady.p99Ms, WANTED_P99_MS, 'ms'),
    })
    const onlyBusy = Object.keys(flood.statuses).every((status) => status === '200' || BUSY.has(status))
    return steady.notOk === 0 && steady.p99Ms <= WANTED_P99_MS && onlyBusy && flood.errors === 0
  } finally {
    child.kill()
    await gateway.stop('SIGKILL')
    sandboxes.end()
    await storeLocation.dispose()
  }
}

const held: boolean[] = []
for (const engine of engines) held.push(await bench(engine))
process.exitCode = held.every(Boolean) ? 0 : 1
