// How much memory and time does a gateway need before it does any work? Memory with no instance, one, and many; after a restart
// and after load; the time to the ready line, and until all sessions are online. Beside the bare library with its keys in files.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { eachOf } from '../test/support/each-of.ts'
import { type BareSide, startBare } from './bare-side.ts'
import { GatewaySide } from './gateway-side.ts'
import { latenciesOf } from './latencies.ts'
import { middle } from './middle.ts'
import { numberOf } from './phones.ts'
import { rssMb } from './processes.ts'
import { atMost, report } from './report.ts'
import type { Chat, Side } from './side.ts'
import { onStage, type Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '100' },
    /** Messages of the load, in each direction. */
    load: { type: 'string', default: '2000' },
    /** Starts with compiled code; the median counts. */
    starts: { type: 'string', default: '3' },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const INSTANCES = Number(values.instances)
const LOAD = Number(values.load)
const STARTS = Number(values.starts)
/** After it has opened, a session still uploads keys and makes queries. */
const REST_MS = 5000
/** Chats of the load: this many instances with this many people each. */
const LOADED = Math.min(10, INSTANCES)
const PEOPLE = 4
const AT_ONCE = 10
const ARRIVE_WITHIN_MS = 300_000

/** What is wanted with this many instances, in MB and seconds. */
const WANTED: Record<number, Partial<Record<keyof Footprint, number>>> = {
  100: { connected: 200, loaded: 260, perInstance: 0.35, online: 1.5 },
  1000: { connected: 700 },
}
const WANTED_ALWAYS: Partial<Record<keyof Footprint, number>> = { empty: 140, readyAgain: 0.8 }

interface Footprint {
  readyFirst: number
  readyAgain: number
  empty: number
  one: number
  connected: number
  restarted: number
  perInstance: number
  online: number
  loaded: number
}

/** A side that can be started again on the same sessions. */
interface Restartable {
  side(): Side
  /** Resolves when the process can take work. */
  start(): Promise<void>
  /** Resolves when all sessions that were paired are open. */
  untilOnline(): Promise<void>
  stop(): Promise<void>
}

async function restartableGateway(stage: Stage): Promise<Restartable> {
  const gateway = await GatewaySide.prepare(stage, {
    events: ['messages.upsert'],
    // Empty, so that the first start here is as the first start on a machine.
    environment: { NODE_COMPILE_CACHE: await stage.directory() },
  })
  return {
    side: () => gateway,
    start: () => gateway.start(),
    untilOnline: () => gateway.untilOpen(),
    stop: () => gateway.stop(),
  }
}

async function restartableBare(stage: Stage, numbers: string[]): Promise<Restartable> {
  const directory = await stage.directory()
  let bare: BareSide
  return {
    side: () => bare,
    async start() {
      bare = startBare(stage, directory)
      await bare.reset()
    },
    untilOnline: () => bare.open(numbers),
    stop: () => bare.stop(),
  }
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

async function restingMb({ side }: Restartable): Promise<number> {
  await pause(REST_MS)
  return rssMb(side().pid())
}

/** Leaves the process running. */
async function measureStarts(
  one: Restartable,
): Promise<Pick<Footprint, 'readyFirst' | 'readyAgain' | 'empty'>> {
  const readyFirst = await seconds(() => one.start())
  const again: number[] = []
  for (let count = 0; count < STARTS; count += 1) {
    await one.stop()
    again.push(await seconds(() => one.start()))
  }
  return { readyFirst, readyAgain: middle(again), empty: await restingMb(one) }
}

async function measurePaired(stage: Stage, one: Restartable, numbers: string[]) {
  await stage.phones.create(numbers)
  await one.side().pair(numbers.slice(0, 1))
  const mbOfOne = await restingMb(one)
  await one.side().pair(numbers.slice(1))
  return { one: mbOfOne, connected: await restingMb(one) }
}

async function measureRestart(one: Restartable, empty: number): Promise<Partial<Footprint>> {
  await one.stop()
  const online = await seconds(async () => {
    await one.start()
    await one.untilOnline()
  })
  const restarted = await restingMb(one)
  return { online, restarted, perInstance: (restarted - empty) / INSTANCES }
}

async function measureLoaded({ phones }: Stage, one: Restartable, numbers: string[]): Promise<number> {
  const side = one.side()
  const chats: Chat[] = numbers
    .slice(0, LOADED)
    .flatMap((from) => Array.from({ length: PEOPLE }, (_, person) => ({ from, to: numberOf(3, person) })))
  const perChat = Math.ceil(LOAD / chats.length)
  const ids = await side.send(chats, perChat)
  await eachOf(chats, AT_ONCE, ({ from, to }, index) => phones.untilShown(to, from, ids[index] ?? []))
  await side.reset()
  const replies = Array.from({ length: perChat }, () => chats.map(({ from, to }) => ({ from: to, to: from })))
  const sent = await phones.burst(replies.flat())
  latenciesOf(sent, await side.take({ count: sent.length, withinMs: ARRIVE_WITHIN_MS }))
  return restingMb(one)
}

/** With their units. */
const QUESTIONS: Record<keyof Footprint, [question: string, unit: string]> = {
  readyFirst: ['first start to ready line', 's'],
  readyAgain: ['second start to ready line', 's'],
  empty: ['memory (RSS) without instances', 'MB'],
  one: ['memory (RSS) with 1 instance', 'MB'],
  connected: [`memory (RSS) with ${INSTANCES} connected instances`, 'MB'],
  restarted: [`memory (RSS) with ${INSTANCES} instances after a restart`, 'MB'],
  perInstance: ['memory per instance after a restart', 'MB'],
  loaded: [`memory (RSS) after ${LOAD} messages in each direction`, 'MB'],
  online: [`${INSTANCES} sessions online after the start of the process`, 's'],
}

function reportStep(gateway: Partial<Footprint>, bare: Partial<Footprint>): void {
  for (const name of Object.keys(gateway) as (keyof Footprint)[]) {
    const [question, unit] = QUESTIONS[name]
    const { [name]: value = Number.NaN } = gateway
    const { [name]: ofBare = Number.NaN } = bare
    const limit = WANTED_ALWAYS[name] ?? WANTED[INSTANCES]?.[name]
    const wanted = limit === undefined ? {} : { wanted: atMost(value, limit, unit) }
    const beside = { name: 'bare library', value: ofBare }
    report({ question, value, unit, beside, ratio: value / ofBare, ...wanted })
  }
}

/** Step by step on both sides, so that a machine that is busy for a while slows both alike. */
await onStage(values.engine, async (stage) => {
  const numbersOf = (kind: number) => Array.from({ length: INSTANCES }, (_, index) => numberOf(kind, index))
  const [ofGateway, ofBare] = [numbersOf(1), numbersOf(2)]
  const gateway = await restartableGateway(stage)
  const bare = await restartableBare(stage, ofBare)
  const step = async <T extends Partial<Footprint>>(
    work: (one: Restartable, own: string[]) => Promise<T>,
  ): Promise<T[]> => {
    const found = [await work(gateway, ofGateway), await work(bare, ofBare)] as const
    reportStep(...found)
    return [...found]
  }
  await stage.phones.create(Array.from({ length: PEOPLE }, (_, person) => numberOf(3, person)))
  const [first, second] = await step((one) => measureStarts(one))
  await step((one, own) => measurePaired(stage, one, own))
  await step((one) => measureRestart(one, (one === gateway ? first : second)?.empty ?? Number.NaN))
  await step(async (one, own) => ({ loaded: await measureLoaded(stage, one, own) }))
})
