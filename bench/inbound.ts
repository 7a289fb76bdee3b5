// How fast does a received message reach its webhook, and what does it cost? Direct and group messages, in bursts and at a steady
// rate, beside the bare library, which only hands them to an event handler. With several sizes in `--instances` or `--stored` it
// also measures how the CPU of a message grows (wanted: within 1.3 times from 1 to 100 instances, and from 1,000 to 1,000,000
// stored messages).
import { parseArgs } from 'node:util'
import type { WebhookEvent } from '../src/contract/webhooks.ts'
import { startBare } from './bare-side.ts'
import { GatewaySide } from './gateway-side.ts'
import { latenciesOf, percentile } from './latencies.ts'
import { numberOf } from './phones.ts'
import { atMost, report, type Wanted } from './report.ts'
import { type Chat, type Compared, cpuDuring, type Figures, inTurns, type Side } from './side.ts'
import { onStage, type Stage } from './stage.ts'
import { storeMessages } from './stored-messages.ts'

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '10' },
    /** Messages in the database before the measurement; sizes in ascending order. */
    stored: { type: 'string', default: '' },
    /** Of a burst. */
    messages: { type: 'string', default: '500' },
    /** Of the steady load, over all instances. */
    'per-second': { type: 'string', default: '50' },
    /** The same for groups, where every message costs the sandbox a signature and a check by each member. */
    'group-messages': { type: 'string', default: '100' },
    'group-per-second': { type: 'string', default: '2' },
    /** How long the steady load lasts. */
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    /** Direct messages before a measurement: a young process spends more on compiling its code than on messages. */
    'warm-up': { type: 'string', default: '1000' },
    kinds: { type: 'string', default: 'direct,group' },
    loads: { type: 'string', default: 'burst,steady' },
    /** Events of the webhook; `*` for all. */
    events: { type: 'string', default: 'messages.upsert' },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const sizes = (list: string): number[] => list.split(',').filter(Boolean).map(Number)
const LEVELS = sizes(values.instances)
const STORED = sizes(values.stored)
const BURST = { direct: Number(values.messages), group: Number(values['group-messages']) }
const PER_SECOND = { direct: Number(values['per-second']), group: Number(values['group-per-second']) }
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const WARM_UP = Number(values['warm-up'])
const KINDS = values.kinds.split(',') as Kind[]
const LOADS = values.loads.split(',') as Load[]
/** People who write to an instance, directly and in its group. */
const PEOPLE = 4
/** How many instances the messages go to while the effect of stored messages is measured. */
const STORED_INSTANCES = 10
const ARRIVE_WITHIN_MS = 120_000
const GROWTH = 1.3

type Kind = 'direct' | 'group'
type Load = 'burst' | 'steady'
type Name = 'p50' | 'p99' | 'perSecond' | 'cpu'

/** One instance of each side, and the people who write to both. */
interface Line {
  people: string[]
  /** The number, and the group, of the instance on each side. */
  to: Record<Side['name'], Record<Kind, string>>
}

interface Setting {
  stage: Stage
  sides: { gateway: GatewaySide; bare: Side }
  lines: Line[]
}

async function makeLine({ phones }: Stage, index: number): Promise<Line> {
  const people = Array.from({ length: PEOPLE }, (_, person) => numberOf(3, index * PEOPLE + person))
  const [admin = '', ...members] = people
  const [ofGateway, ofBare] = [numberOf(1, index), numberOf(2, index)]
  await phones.create([ofGateway, ofBare, ...people])
  const group = (number: string) => phones.createGroup(admin, [...members, number])
  return {
    people,
    to: {
      gateway: { direct: ofGateway, group: await group(ofGateway) },
      'bare library': { direct: ofBare, group: await group(ofBare) },
    },
  }
}

async function addLines({ stage, sides, lines }: Setting, count: number): Promise<void> {
  const added: Line[] = []
  for (let index = lines.length; index < count; index += 1) added.push(await makeLine(stage, index))
  await sides.gateway.pair(added.map(({ to }) => to.gateway.direct))
  await sides.bare.pair(added.map(({ to }) => to['bare library'].direct))
  lines.push(...added)
}

/** One message after the other over all instances, and over the people of each. */
const messagesTo = (side: Side, lines: Line[], kind: Kind, count: number): Chat[] =>
  Array.from({ length: count }, (_, index) => {
    const { people, to } = lines[index % lines.length] as Line
    const from = people[Math.floor(index / lines.length) % PEOPLE] as string
    return { from, to: to[side.name][kind] }
  })

async function receive(setting: Setting, side: Side, kind: Kind, load: Load, count: number) {
  const { phones } = setting.stage
  const chats = messagesTo(side, setting.lines, kind, count)
  let figures: Omit<Figures<Name>, 'cpu'> = { p50: 0, p99: 0, perSecond: 0 }
  await side.reset()
  const cpu = await cpuDuring(side, async () => {
    const sent = load === 'burst' ? await phones.burst(chats) : await phones.steady(chats, PER_SECOND[kind])
    const arrived = await side.take({ count, withinMs: ARRIVE_WITHIN_MS })
    const latencies = latenciesOf(sent, arrived)
    const lastedMs = Math.max(...arrived.map(([, at]) => at)) - Math.min(...sent.map(({ at }) => at))
    figures = {
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      perSecond: count / (lastedMs / 1000),
    }
  })
  return { ...figures, cpu: cpu / count }
}

async function compare(setting: Setting, kind: Kind, load: Load): Promise<Compared<Name>> {
  const { gateway, bare } = setting.sides
  const count = load === 'burst' ? BURST[kind] : PER_SECOND[kind] * SECONDS
  // The first message of a chat also makes its keys.
  const first = Math.max(kind === 'direct' ? WARM_UP : BURST.group, setting.lines.length * PEOPLE)
  for (const side of [bare, gateway]) await receive(setting, side, kind, 'burst', first)
  return inTurns(setting.sides, ROUNDS, (side) => receive(setting, side, kind, load, count))
}

function reportCompared(title: string, compared: Compared<Name>, wanted: Partial<Figures<Name>>): void {
  const names: [Name, string, string][] = [
    ['p50', 'phone to webhook, p50', 'ms'],
    ['p99', 'phone to webhook, p99', 'ms'],
    ['perSecond', 'messages per second', '/s'],
    ['cpu', 'CPU per message', 'ms'],
  ]
  for (const [name, what, unit] of names) {
    const value = compared.gateway[name]
    const limit = wanted[name]
    const beside = { name: 'bare library', value: compared.bare[name] }
    const judged: { wanted?: Wanted } = limit === undefined ? {} : { wanted: atMost(value, limit, unit) }
    report({ question: `${title}: ${what}`, value, unit, beside, ratio: compared.ratio[name], ...judged })
  }
}

/** What is wanted on two cores. */
function wantedOf(kind: Kind, load: Load, instances: number): Partial<Figures<Name>> {
  if (kind === 'group') return { cpu: 3 }
  return load === 'burst' && instances === 10 ? { p50: 40, p99: 100, cpu: 1.5 } : { cpu: 1.5 }
}

/** Returns what a direct message in a burst costs. */
async function measureLevel(setting: Setting): Promise<Compared<Name> | undefined> {
  let direct: Compared<Name> | undefined
  for (const kind of KINDS) {
    for (const load of LOADS) {
      const size = load === 'burst' ? `burst of ${BURST[kind]}` : `${PER_SECOND[kind]} per second`
      const instances = setting.lines.length
      const title = `received, ${kind}, ${size}, ${instances === 1 ? '1 instance' : `${instances} instances`}`
      const compared = await compare(setting, kind, load)
      reportCompared(title, compared, wantedOf(kind, load, instances))
      if (kind === 'direct' && load === 'burst') direct = compared
    }
  }
  return direct
}

/** Minutes lie between two measurements. The bare library, measured beside both, shows how much the machine has changed. */
function reportGrowth(question: string, few: Compared<Name>, many: Compared<Name>): void {
  const value = many.ratio.cpu / few.ratio.cpu
  const beside = { name: 'bare library alone', value: many.bare.cpu / few.bare.cpu }
  report({ question, value, unit: 'times', beside, wanted: atMost(value, GROWTH, 'times') })
}

async function measureLevels(setting: Setting): Promise<void> {
  const seen: { count: number; compared: Compared<Name> }[] = []
  for (const count of LEVELS) {
    await addLines(setting, count)
    const compared = await measureLevel(setting)
    if (compared) seen.push({ count, compared })
  }
  const [first, last] = [seen[0], seen.at(-1)]
  if (!first || !last || first === last) return
  const question = `received: growth of CPU per message from ${first.count} to ${last.count} instances`
  reportGrowth(question, first.compared, last.compared)
}

async function measureStored(setting: Setting): Promise<void> {
  const { stage, sides } = setting
  const some = { ...setting, lines: setting.lines.slice(0, STORED_INSTANCES) }
  const seen: { count: number; compared: Compared<Name> }[] = []
  for (const count of STORED) {
    await sides.gateway.stop()
    await storeMessages(stage.storeLocation, count - (seen.at(-1)?.count ?? 0))
    await sides.gateway.start()
    await sides.gateway.untilOpen()
    const compared = await compare(some, 'direct', 'burst')
    reportCompared(`received, direct, with ${count} stored messages`, compared, {})
    seen.push({ count, compared })
  }
  const [first, last] = [seen[0], seen.at(-1)]
  if (!first || !last || first === last) return
  const question = `received: growth of CPU per message from ${first.count} to ${last.count} stored messages`
  reportGrowth(question, first.compared, last.compared)
}

await onStage(values.engine, async (stage) => {
  const gateway = await GatewaySide.prepare(stage, { events: values.events.split(',') as WebhookEvent[] })
  await gateway.start()
  const setting: Setting = { stage, sides: { gateway, bare: startBare(stage) }, lines: [] }
  await measureLevels(setting)
  await measureStored(setting)
})
