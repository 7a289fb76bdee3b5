// Kills the gateway, at random and at every failpoint, while phones and instances write to each other, to people and in groups,
// text and pictures, and compares what both sides hold at the end: nothing lost, nothing twice, nothing out of order (promises
// A1, A2, B3). A receiver of every event that is mostly down when the gateway dies has got them all in the end (promise C1).
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '../support/engines.ts'
import { POINTS, WEBHOOK_POINTS } from '../support/failpoints.ts'
import { checkAcknowledged, checkAtRest, type Remembered } from './history-check.ts'
import {
  drain,
  fatalLines,
  makeGroup,
  openStage,
  PICTURE,
  pairAll,
  type Stage,
  sendFrom,
  start,
  untilArrived,
  untilOpen,
  writeFrom,
} from './stage.ts'
import { checkDeliveries } from './webhook-judge.ts'

export interface KillRun {
  engine: Engine
  kills: number
  seed: number
  instances: number
  /** Each of them talks with every instance. */
  people: number
  /** Answered sends between two kills, on average. */
  sendsPerKill: number
  /** The mean pause of each writer: together they keep the gateway busy without filling the machine. */
  writerPauseMs: number
  withReceiver?: boolean
  say(line: string): void
}

const numbers = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index + 1).padStart(4, '0')}`)

/** Some messages are typed first, so that a kill can meet that too. */
const TYPED_SHARE = 0.1
const TYPING_MS = 30
/** One of this many messages of a writer carries a picture. */
const PICTURE_EVERY = 4
/** This many instances are in a group with all people. */
const GROUPS = 3
/** A writer is at most this many messages ahead of the phone: a gateway that is slow is not buried, however long the run. */
const MAX_AHEAD = 20
/** The receiver is down for this share of the kills, and has missed this many sends by then; at the others posts are in flight. */
const DOWN_SHARE = 0.7
const MISSED_SENDS = 15

export async function runSessionKills(run: KillRun): Promise<void> {
  const { kills, seed, say } = run
  say(`KILL_SEED=${seed}`)
  const stage = await openStage(run.engine, numbers('551197000', run.instances), seed, run)
  let writers: Promise<void>[] = []
  const people = numbers('551198000', run.people)
  try {
    for (const number of people) await stage.world.phone(number, `Phone ${number.slice(-4)}`)
    await pairAll(stage)
    for (const instance of stage.instances.slice(0, GROUPS)) await makeGroup(stage, instance, people)
    writers = startWriters(stage, people, run.writerPauseMs)
    let atPoints = 0
    for (let kill = 1; kill <= kills; kill += 1) {
      if (await killOnce(stage, run, kill)) atPoints += 1
      if (kill % 25 === 0) say(`${kill} kills, ${stage.expected.sent.length} sends acknowledged`)
    }
    stage.stopping = true
    await Promise.all(writers)
    await untilOpen(stage)
    await drain(stage)
    assert.deepEqual(fatalLines(stage.gateway), [], 'the gateway had no fault')
    const counts = await checkAtRest(
      stage.storeLocation,
      stage.world,
      stage.expected,
      stage.instances,
      PICTURE,
    )
    say(
      `${counts.received} received and ${counts.sent} sent by ${run.instances} instances over ${kills} kills, ` +
        `${atPoints} of them at failpoints`,
    )
    if (stage.judge && stage.gateway) {
      const delivered = await checkDeliveries(stage.judge, { ...stage, gateway: stage.gateway })
      say(
        `${delivered.events} events have arrived in ${delivered.posts} posts, ${delivered.late} of them not at the first try, ` +
          `${delivered.early} of these before their time`,
      )
    }
  } finally {
    stage.stopping = true
    await Promise.allSettled(writers)
    await stage.end()
  }
}

/** Lets the gateway open all sessions and work for a while, kills it, and checks what it had acknowledged to the network. */
async function killOnce(stage: Stage, { sendsPerKill, seed }: KillRun, kill: number): Promise<boolean> {
  await untilOpen(stage)
  const work = untilSent(stage, 5 + Math.floor(stage.random() * 2 * sendsPerKill))
  const isAtPoint = kill % 2 === 0
  const leaving = stage.judge && stage.random() < DOWN_SHARE ? stage.judge : undefined
  if (isAtPoint) await leaving?.down()
  const atPoint = isAtPoint && (await diesAtPoint(stage, seed + kill / 2, work))
  if (!atPoint) {
    await work
    await leaving?.down()
    if (leaving) await untilSent(stage, MISSED_SENDS)
  }
  await strike(stage, kill)
  await stage.judge?.up()
  await start(stage)
  // Now and then the next kill hits a gateway that has only begun to connect.
  if (stage.random() < 0.3) {
    await pause(stage.random() * 400)
    await strike(stage, kill)
    await start(stage)
  }
  return atPoint
}

/** True where the gateway reached the point and died there. The seed decides which points a short run begins with. */
async function diesAtPoint(stage: Stage, turn: number, work: Promise<void>): Promise<boolean> {
  const { gateway } = stage
  const points = stage.judge ? [...WEBHOOK_POINTS, ...POINTS] : POINTS
  gateway?.child.send({ arm: points[turn % points.length], how: 'kill' })
  const died = gateway?.exited.then(() => true)
  return (await Promise.race([died, work.then(() => false)])) ?? false
}

async function strike(stage: Stage, kill: number): Promise<void> {
  const { gateway } = stage
  stage.gateway = null
  await gateway?.stop('SIGKILL')
  assert.deepEqual(fatalLines(gateway), [], `the gateway had no fault before kill ${kill}`)
  await checkAcknowledged(stage.storeLocation, stage.world, stage.instances, stage.cursors)
}

/** After a random count of answers rather than a time: no machine is too slow for it. */
async function untilSent(stage: Stage, more: number): Promise<void> {
  const goal = stage.expected.sent.length + more
  const { gateway } = stage
  // A point that was passed over may be met late.
  const isAlive = () => stage.gateway === gateway && gateway?.child.signalCode === null
  while (stage.expected.sent.length < goal && isAlive()) await pause(2)
}

export function startWriters(stage: Stage, people: string[], pauseMs: number): Promise<void>[] {
  const direct = stage.instances.flatMap((instance) =>
    people.flatMap((person) => [
      phoneWrites(stage, { person, instance, chat: person }, pauseMs),
      instanceWrites(stage, { person, instance, chat: person }, pauseMs),
    ]),
  )
  const inGroups = [...stage.groups].flatMap(([chat, { instance }]) =>
    people
      .map((person) => phoneWrites(stage, { person, instance, chat }, pauseMs))
      .concat(instanceWrites(stage, { person: people[0] as string, instance, chat }, pauseMs)),
  )
  return [...direct, ...inGroups]
}

type Line = Pick<Remembered, 'person' | 'instance' | 'chat'>

const kindOf = (count: number): Remembered['kind'] => (count % PICTURE_EVERY === 0 ? 'image' : 'text')

async function phoneWrites(stage: Stage, line: Line, pauseMs: number): Promise<void> {
  for (let count = 1; !stage.stopping; count += 1) {
    await writeFrom(stage, { ...line, count, kind: kindOf(count) })
    // The instances do most of the talking. Some pile up while the gateway is down, not all that a slow start has time for.
    await pause(stage.random() * 2 * (stage.gateway ? 3 * pauseMs : 10 * pauseMs))
  }
}

async function instanceWrites(stage: Stage, line: Line, pauseMs: number): Promise<void> {
  // The API sends text alone to groups.
  const kind = stage.groups.has(line.chat) ? () => 'text' as const : kindOf
  let unseen: string[] = []
  for (let count = 1; !stage.stopping; count += 1) {
    const delayMs = stage.random() < TYPED_SHARE ? TYPING_MS : 0
    const { status, id } = await sendFrom(stage, { ...line, count, kind: kind(count), delayMs })
    // A machine that is busy beyond measure is refused in the proper way, and nothing is accepted.
    assert.ok([undefined, 200, 503].includes(status), `a send was answered with ${status}`)
    if (id) unseen.push(id)
    if (unseen.length >= MAX_AHEAD) {
      // They come in order: with this one, those before it are there.
      await untilArrived(stage, line.person, unseen[MAX_AHEAD / 2] as string)
      unseen = unseen.slice(MAX_AHEAD / 2 + 1)
    }
    await pause(stage.random() * 2 * pauseMs)
  }
}
