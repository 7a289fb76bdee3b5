// Compares histories: what the network saw, what the phones show, and what the gateway's store holds.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { World } from '../sandbox/support/world.ts'
import { withDatabase } from '../support/database.ts'
import type { StoreLocation } from '../support/engines.ts'

/** A message as its author remembers it; `count` is its place among those of its author in the same chat. */
export interface Remembered {
  id: string
  instance: string
  /** Who wrote it to the instance, or who must have got it. */
  person: string
  /** The person's number, or the group's id. */
  chat: string
  kind: 'text' | 'image'
  count: number
}

export interface ExpectedMessages {
  /** Sends that the gateway answered with 200. */
  sent: Remembered[]
  /** What phones wrote to instances. */
  written: Remembered[]
}

interface StoredMessage {
  id: string
  instance: string
  direction: string
  chat: string
  kind: string
  status: string
  content: string
}

type Frame = Awaited<ReturnType<World['frames']>>[number]

const FRAMES_AT_ONCE = 10_000

async function allFrames(world: World, filter: string, after = 0): Promise<Frame[]> {
  const all: Frame[] = []
  for (;;) {
    const page = await world.frames(`${filter}&limit=${FRAMES_AT_ONCE}&after=${all.at(-1)?.seq ?? after}`)
    all.push(...page)
    if (page.length < FRAMES_AT_ONCE) return all
  }
}

/** Up to which frame each number's receipts were checked. */
export type FrameCursors = Map<string, number>

/** After a kill: everything that the gateway acknowledged to the network is on disk. */
export async function checkAcknowledged(
  storeLocation: StoreLocation,
  world: World,
  instances: string[],
  cursors: FrameCursors,
): Promise<void> {
  const acknowledged = new Set<string>()
  for (const number of instances) {
    const frames = await allFrames(world, `tag=receipt&number=${number}`, cursors.get(number))
    cursors.set(number, frames.at(-1)?.seq ?? cursors.get(number) ?? 0)
    for (const { direction, device, id, attributes } of frames) {
      const isDelivery = attributes['type'] === undefined || attributes['type'] === 'inactive'
      if (direction === 'in' && device !== 0 && isDelivery) acknowledged.add(id)
    }
  }
  const kept = await withDatabase(storeLocation, async (database) => {
    const arrivals = await database.rows<{ name: string }>('select name from inbox')
    const messages = await database.rows<{ id: string }>(
      `select id from messages where direction = 'incoming'`,
    )
    return new Set([...arrivals.map(({ name }) => name.split('|')[2]), ...messages.map(({ id }) => id)])
  })
  assert.deepEqual(
    [...acknowledged].filter((id) => !kept.has(id)),
    [],
    'every message whose arrival the gateway confirmed is in its store',
  )
}

/** Everything has come to rest: both sides hold the same, once and in order. */
export async function checkAtRest(
  storeLocation: StoreLocation,
  world: World,
  expected: ExpectedMessages,
  instances: string[],
  picture: Buffer,
): Promise<{ sent: number; received: number }> {
  const { rows, queued, waiting } = await readStore(storeLocation)
  checkReceived(rows, expected.written)
  await checkSent(world, rows, expected.sent, picture)
  await checkDevices(world, instances)
  const requested = (await allFrames(world, 'tag=receipt')).filter(
    ({ attributes }) => attributes['type'] === 'retry',
  )
  assert.deepEqual(requested, [], 'no phone ever got a message that it could not read')
  assert.equal(queued, 0, 'nothing counts as queued')
  assert.equal(waiting, 0, 'every arrival has become a message')
  return { sent: expected.sent.length, received: expected.written.length }
}

/** As `checkAtRest`, for what these people wrote and received. Other people have sent garbage. */
export async function checkHonest(
  storeLocation: StoreLocation,
  world: World,
  expected: ExpectedMessages,
  people: ReadonlySet<string>,
  picture: Buffer,
): Promise<{ sent: number; received: number }> {
  const { rows } = await readStore(storeLocation)
  const isHonest = (row: StoredMessage) =>
    row.direction === 'outgoing' || people.has(contentOf(row).from?.phone ?? '')
  checkReceived(rows.filter(isHonest), expected.written)
  await checkSent(world, rows, expected.sent, picture)
  const requested = (await allFrames(world, 'tag=receipt')).filter(
    ({ attributes, number, direction }) =>
      attributes['type'] === 'retry' && direction === 'in' && people.has(number),
  )
  assert.deepEqual(requested, [], 'no honest phone got a message that it could not read')
  return { sent: expected.sent.length, received: expected.written.length }
}

async function readStore(
  storeLocation: StoreLocation,
): Promise<{ rows: StoredMessage[]; queued: number; waiting: number }> {
  return withDatabase(storeLocation, async (database) => {
    const rows = await database.rows<StoredMessage>(
      `select messages.id, instances.number as instance, direction, chat, messages.kind, status, content
       from messages join instances on instances.id = messages.instance_id order by row_id`,
    )
    const [counts] = await database.rows<{ queued: string; waiting: string }>(
      `select (select sum(queued_count) from instances) as queued,
         (select count(*) from inbox where processed_at is null) as waiting`,
    )
    return { rows, queued: Number(counts?.queued), waiting: Number(counts?.waiting) }
  })
}

interface StoredContent {
  text?: string
  message?: string
  from?: { phone: string }
  media?: { mimetype: string } | null
}
const contentOf = (row: StoredMessage): StoredContent => JSON.parse(row.content) as StoredContent
const textOf = (row: StoredMessage): string => contentOf(row).text ?? contentOf(row).message ?? ''
const countOf = (text: string): number => Number(text.split(' ')[1])
const chatOf = (row: StoredMessage): string =>
  row.chat.endsWith('@g.us') ? row.chat : (row.chat.split('@')[0] ?? '')

function assertRising(counts: number[], what: string): void {
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
    what,
  )
}

function checkReceived(rows: StoredMessage[], written: Remembered[]): void {
  const incoming = rows.filter((row) => row.direction === 'incoming')
  const stored = Map.groupBy(incoming, (row) => `${row.instance} ${row.id}`)
  const wrong = written.filter(({ id, instance, chat, person, kind, count }) => {
    const found = stored.get(`${instance} ${id}`) ?? []
    const [row] = found
    if (!row || found.length > 1) return true
    const { from, media } = contentOf(row)
    const facts = [chatOf(row), from?.phone, row.kind, textOf(row), Boolean(media)]
    return facts.join() !== [chat, person, kind, `in ${count}`, kind === 'image'].join()
  })
  assert.deepEqual(wrong, [], 'every message that a phone wrote is in the store once, as it was written')
  assert.equal(incoming.length, written.length, 'and nothing else is')
  const line = (row: StoredMessage) => `${row.instance}: ${contentOf(row).from?.phone} in ${chatOf(row)}`
  for (const [author, list] of Map.groupBy(incoming, line)) {
    assertRising(
      list.map((row) => countOf(textOf(row))),
      `${author}: in the order they were written`,
    )
  }
}

async function checkSent(
  world: World,
  rows: StoredMessage[],
  sent: Remembered[],
  picture: Buffer,
): Promise<void> {
  const sha256 = createHash('sha256').update(picture).digest('hex')
  for (const [line, mine] of Map.groupBy(sent, (entry) =>
    [entry.instance, entry.chat, entry.person].join(),
  )) {
    const [instance = '', chat = '', person = ''] = line.split(',')
    const isGroup = chat.endsWith('@g.us')
    const all = await allMessages(world, person, isGroup ? chat : instance)
    const shown = all.filter(({ from }) => from === instance)
    const times = Map.groupBy(shown, ({ id }) => id)
    const wrong = mine.filter(({ id, kind, count }) => {
      const [found, ...more] = times.get(id) ?? []
      if (!found || more.length > 0 || found.kind !== kind) return true
      return wordsOf(found) !== `out ${count}` || (kind === 'image' && found.media?.sha256 !== sha256)
    })
    assert.deepEqual(wrong, [], 'every send that was answered with 200 is on the phone once, under its id')
    const counts = shown.map((message) => countOf(wordsOf(message)))
    assert.equal(new Set(counts).size, counts.length, 'no send went out under two ids')
    assertRising(counts, `${instance} to ${person} in ${chat}: in the order they were accepted`)
  }
  const outgoing = rows.filter((row) => row.direction === 'outgoing')
  assert.deepEqual(
    outgoing.filter((row) => row.status !== 'delivered'),
    [],
    'every send ended as delivered',
  )
}

type ShownMessage = z.output<typeof answers.message>['message']
const wordsOf = ({ text, media }: ShownMessage): string => media?.caption ?? text ?? ''

async function allMessages(world: World, number: string, chat: string) {
  const all: Awaited<ReturnType<World['messages']>> = []
  let cursor: number | string = 0
  for (;;) {
    const page: z.output<typeof answers.messages> = await world.get(
      `/phones/${number}/messages?chat=${chat}&limit=1000&after=${cursor}`,
      answers.messages,
    )
    all.push(...page.messages)
    if (page.messages.length < 1000) return all.filter(({ fromMe }) => !fromMe)
    cursor = page.cursor
  }
}

/** Each phone has the one device it was paired with, and nothing waits for it. */
async function checkDevices(world: World, instances: string[]): Promise<void> {
  for (const number of instances) {
    const { body } = await world.ask('GET', `/phones/${number}`)
    const { devices } = body['phone'] as { devices: { queued: number; online: boolean }[] }
    assert.equal(devices.length, 1, `${number} was scanned once`)
    assert.equal(devices[0]?.queued, 0, `nothing waits for ${number}`)
  }
}
