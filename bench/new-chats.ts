// What does the first message to a person cost? CPU and time of one message to each of many people whom the instance has never
// written to: their number is looked up, their keys are fetched and verified, and a session is made. Beside the bare library.
import { parseArgs } from 'node:util'
import { eachOf } from '../test/support/each-of.ts'
import { startBare } from './bare-side.ts'
import { GatewaySide } from './gateway-side.ts'
import { numberOf } from './phones.ts'
import { atMost, report } from './report.ts'
import { cpuDuring, type Figures, inTurns, type Side } from './side.ts'
import { onStage, type Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    /** New people of a round. */
    people: { type: 'string', default: '100' },
    instances: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const PEOPLE = Number(values.people)
const INSTANCES = Number(values.instances)
const ROUNDS = Number(values.rounds)
const WANTED_MS = 4
const AT_ONCE = 10

const sessionOf = (side: Side, index: number): string => numberOf(side.name === 'gateway' ? 1 : 2, index)

/** Phones that no one has written to yet; each is used once by each side. */
async function newPeople({ phones }: Stage, from: number): Promise<string[]> {
  const people = Array.from({ length: PEOPLE }, (_, index) => numberOf(3, from + index))
  await phones.create(people)
  return people
}

/** The time ends when the network has taken all messages, the CPU when they are on the phones and their receipts have come. */
async function writeTo({ phones }: Stage, side: Side, people: string[]): Promise<Figures<'cpu' | 'time'>> {
  const chats = people.map((to, index) => ({ from: sessionOf(side, index % INSTANCES), to }))
  let time = 0
  const cpu = await cpuDuring(side, async () => {
    const startedAt = performance.now()
    const ids = await side.send(chats, 1)
    time = performance.now() - startedAt
    await eachOf(chats, AT_ONCE, ({ from, to }, index) => phones.untilShown(to, from, ids[index] ?? []))
  })
  return { cpu: cpu / people.length, time: time / people.length }
}

await onStage(values.engine, async (stage) => {
  const gateway = await GatewaySide.prepare(stage)
  await gateway.start()
  const sides = { gateway, bare: startBare(stage) }
  for (const side of [sides.bare, sides.gateway]) {
    const sessions = Array.from({ length: INSTANCES }, (_, index) => sessionOf(side, index))
    await stage.phones.create(sessions)
    await side.pair(sessions)
  }
  let made = 0
  let people: string[] = []
  const nextPeople = async (side: Side) => {
    // The bare library is first in each round.
    if (side === sides.bare) {
      people = await newPeople(stage, made)
      made += PEOPLE
    }
    return people
  }
  for (const side of [sides.bare, sides.gateway]) await writeTo(stage, side, await nextPeople(side))
  const {
    gateway: ours,
    bare,
    ratio,
  } = await inTurns(sides, ROUNDS, async (side) => writeTo(stage, side, await nextPeople(side)))
  const title = `first message to ${PEOPLE} people from ${INSTANCES} instances`
  const beside = (value: number) => ({ name: 'bare library', value })
  report({
    question: `${title}: CPU per message`,
    value: ours.cpu,
    unit: 'ms',
    beside: beside(bare.cpu),
    ratio: ratio.cpu,
    wanted: atMost(ours.cpu, WANTED_MS, 'ms'),
  })
  report({
    question: `${title}: time per message`,
    value: ours.time,
    unit: 'ms',
    beside: beside(bare.time),
    ratio: ratio.time,
  })
})
