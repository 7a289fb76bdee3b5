// How many source files run when one message is sent, received, or delivered to a webhook: what a reader has to follow. Run:
// node bench/files-of-a-flow.ts [--engine postgres] [--list]
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { GatewaySide } from './gateway-side.ts'
import { numberOf } from './phones.ts'
import { atMost, report } from './report.ts'
import { onStage, type Stage } from './stage.ts'

const { values } = parseArgs({
  options: { engine: { type: 'string', default: 'sqlite' }, list: { type: 'boolean', default: false } },
})

const WARM_UP = 5
/** Timers run beside a message now and then: a file of the flow runs every time. */
const REPEATED = 8
/** Receipts, and writes that no one waits for, belong to the message that caused them. */
const SETTLE_MS = 400
const WANTED = { send: 90, receive: 90 }
const SOURCE = join(import.meta.dirname, '..', 'src')

type Flow = 'send' | 'receive' | 'delivery'

async function filesOf(gateway: GatewaySide, flow: () => Promise<unknown>): Promise<Set<string>> {
  let common: Set<string> | undefined
  for (let count = 0; count < REPEATED; count += 1) {
    await executed(gateway)
    await flow()
    await pause(SETTLE_MS)
    const files = await executed(gateway)
    common = common ? common.intersection(files) : files
  }
  return common ?? new Set()
}

/** Source files that have run since the last call, by their path below `src`. */
async function executed(gateway: GatewaySide): Promise<Set<string>> {
  const answer = once(gateway.child, 'message')
  gateway.child.send('executed files')
  const [urls] = (await answer) as [string[]]
  const files = urls
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(SOURCE, fileURLToPath(url)))
  return new Set(files.filter((file) => !file.startsWith('..')))
}

async function measure(stage: Stage): Promise<Record<Flow, Set<string>>> {
  const [own, friend] = [numberOf(1, 0), numberOf(3, 0)]
  await stage.phones.create([own, friend])
  const gateway = await GatewaySide.prepare(stage, { preload: './bench/executed-files.ts' })
  await gateway.start()
  await gateway.pair([own])
  const send = () => gateway.send([{ from: own, to: friend }], 1)
  const receive = () => stage.phones.burst([{ from: friend, to: own }])
  for (let count = 0; count < WARM_UP; count += 1) {
    await send()
    await receive()
  }
  const sent = await filesOf(gateway, send)
  const received = await filesOf(gateway, receive)
  await gateway.subscribe(['messages.upsert'])
  await receive()
  await pause(SETTLE_MS)
  const delivered = await filesOf(gateway, receive)
  await gateway.stop()
  return { send: sent, receive: received, delivery: delivered.difference(received) }
}

function byFolder(files: Set<string>): string {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = file.split('/')[0] ?? ''
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return sorted.map(([folder, count]) => `${folder} ${count}`).join(', ')
}

const QUESTIONS: Record<Flow, string> = {
  send: 'Source files that run when a text is sent',
  receive: 'Source files that run when a text is received',
  delivery: 'Source files that run in addition when it is delivered to a webhook',
}

await onStage(values.engine, async (stage) => {
  const flows = await measure(stage)
  for (const [flow, files] of Object.entries(flows) as [Flow, Set<string>][]) {
    const wanted = flow === 'delivery' ? undefined : atMost(files.size, WANTED[flow])
    report({ question: QUESTIONS[flow], value: files.size, unit: 'files', ...(wanted && { wanted }) })
    console.log(`  ${byFolder(files)}`)
    if (values.list) for (const file of [...files].sort()) console.log(`  ${file}`)
  }
})
