// What does a group message cost? CPU of a message sent to a group and of one received from it, by the size of the group, beside
// the bare library.
import { parseArgs } from 'node:util'
import { startBare } from './bare-side.ts'
import { GatewaySide } from './gateway-side.ts'
import { latenciesOf } from './latencies.ts'
import { numberOf } from './phones.ts'
import { atMost, report } from './report.ts'
import { cpuDuring, type Figures, inTurns, type Side } from './side.ts'
import { onStage, type Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    /** Members of a group, the instance among them. */
    members: { type: 'string', default: '5,30' },
    /** Groups of each size, with an instance of its own on each side. */
    groups: { type: 'string', default: '2' },
    /** Of a round, in each direction. */
    messages: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const SIZES = values.members.split(',').map(Number)
const GROUPS = Number(values.groups)
const PER_GROUP = Math.ceil(Number(values.messages) / GROUPS)
const MESSAGES = PER_GROUP * GROUPS
const ROUNDS = Number(values.rounds)
/** Enough for the keys of the group to be distributed, and for the code to be compiled. */
const WARM_UP = 20
const ARRIVE_WITHIN_MS = 300_000
const WANTED_MS = 3

interface Group {
  jid: string
  /** The session that the group belongs to. */
  session: string
  people: string[]
}
type Groups = Record<Side['name'], Group[]>

const sessionOf = (side: Side['name'], index: number): string => numberOf(side === 'gateway' ? 1 : 2, index)

async function makeGroups({ phones }: Stage, side: Side['name'], size: number): Promise<Group[]> {
  const people = Array.from({ length: size - 1 }, (_, index) => numberOf(3, index))
  const [admin = '', ...members] = people
  const groups: Group[] = []
  for (let index = 0; index < GROUPS; index += 1) {
    const session = sessionOf(side, index)
    groups.push({ jid: await phones.createGroup(admin, [...members, session]), session, people })
  }
  return groups
}

/** Ends when every member's phone shows every message. */
async function sendTo({ phones }: Stage, side: Side, groups: Group[], perGroup: number): Promise<void> {
  const ids = await side.send(
    groups.map(({ session, jid }) => ({ from: session, to: jid })),
    perGroup,
  )
  for (const [index, { jid, people }] of groups.entries()) {
    for (const person of people) await phones.untilShown(person, jid, ids[index] ?? [])
  }
}

async function receiveFrom({ phones }: Stage, side: Side, groups: Group[], perGroup: number): Promise<void> {
  await side.reset()
  const chats = Array.from({ length: perGroup }, (_, index) =>
    groups.map(({ jid, people }) => ({ from: people[index % people.length] as string, to: jid })),
  ).flat()
  const sent = await phones.burst(chats)
  latenciesOf(sent, await side.take({ count: sent.length, withinMs: ARRIVE_WITHIN_MS }))
}

async function round(stage: Stage, side: Side, groups: Groups): Promise<Figures<'sent' | 'received'>> {
  const own = groups[side.name]
  const sent = await cpuDuring(side, () => sendTo(stage, side, own, PER_GROUP))
  const received = await cpuDuring(side, () => receiveFrom(stage, side, own, PER_GROUP))
  return { sent: sent / MESSAGES, received: received / MESSAGES }
}

async function measure(stage: Stage, sides: { gateway: Side; bare: Side }, size: number): Promise<void> {
  const groups: Groups = {
    gateway: await makeGroups(stage, 'gateway', size),
    'bare library': await makeGroups(stage, 'bare library', size),
  }
  for (const side of [sides.bare, sides.gateway]) {
    await sendTo(stage, side, groups[side.name], Math.ceil(WARM_UP / GROUPS))
    await receiveFrom(stage, side, groups[side.name], Math.max(size - 1, Math.ceil(WARM_UP / GROUPS)))
  }
  const compared = await inTurns(sides, ROUNDS, (side) => round(stage, side, groups))
  for (const direction of ['sent', 'received'] as const) {
    const value = compared.gateway[direction]
    report({
      question: `group of ${size}: CPU per message ${direction}`,
      value,
      unit: 'ms',
      beside: { name: 'bare library', value: compared.bare[direction] },
      ratio: compared.ratio[direction],
      wanted: atMost(value, WANTED_MS, 'ms'),
    })
  }
}

await onStage(values.engine, async (stage) => {
  const gateway = await GatewaySide.prepare(stage, { events: ['messages.upsert'] })
  await gateway.start()
  const sides = { gateway, bare: startBare(stage) }
  const people = Array.from({ length: Math.max(...SIZES) - 1 }, (_, index) => numberOf(3, index))
  await stage.phones.create(people)
  for (const side of [sides.bare, sides.gateway]) {
    const sessions = Array.from({ length: GROUPS }, (_, index) => sessionOf(side.name, index))
    await stage.phones.create(sessions)
    await side.pair(sessions)
  }
  for (const size of SIZES) await measure(stage, sides, size)
})
