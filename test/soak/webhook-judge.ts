// The receiver of a kill test, with a log of its own: it goes down and comes back on request, and judges at the end what it must
// have got of all that happened (promise C1).
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { withDatabase } from '../support/database.ts'
import type { StoreLocation } from '../support/engines.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { get, post, type Started } from '../support/started.ts'
import type { ExpectedMessages, Remembered } from './history-check.ts'

/** Without a single new event for this long, the rest will never come. How many there are to come grows with the length of a run. */
const ARRIVAL_MS = 600_000
const PAUSE_MS = 500
/** Longer than the second try waits, and than the gateway goes without a poll. */
const QUIET_MS = 15_000

const PATHS = { single: '/hook', batched: '/batched' } as const
type Kind = keyof typeof PATHS
const KINDS = Object.keys(PATHS) as Kind[]

export interface WebhookJudge {
  /** All that ever came, over all lives of the receiver, in the order it came. */
  got(): Received[]
  down(): Promise<void>
  up(): Promise<void>
  /** Creates two webhooks for every event of the account: one that gets each alone, and one that gets batches. */
  register(gateway: Started): Promise<void>
}

export async function openWebhookJudge(): Promise<WebhookJudge> {
  let receiver: Receiver | undefined = await startReceiver()
  const { port } = receiver
  const earlier: Received[] = []
  return {
    got: () => [...earlier, ...(receiver?.received ?? [])],
    async down() {
      const leaving = receiver
      receiver = undefined
      await leaving?.close()
      // One by one: a long run has more of them than a call takes arguments.
      for (const one of leaving?.received ?? []) earlier.push(one)
    },
    async up() {
      receiver ??= await startReceiver(port)
    },
    async register(gateway) {
      for (const kind of KINDS) {
        const url = `https://127.0.0.1:${port}${PATHS[kind]}`
        const made = await post(gateway, '/webhooks', { url, batch: kind === 'batched' })
        assert.equal(made.status, 200, await made.text())
      }
    },
  }
}

interface LoggedEvent {
  id: string
  event: string
  sequence: number
  instance: { id: number; apiInstanceName: string }
  data: {
    messageId?: string
    chat?: string
    direction?: string
    type?: string
    text?: string | null
    from?: { phone: string | null }
    media?: object | null
    status?: string | null
  }
}

/** Who is judged: a gateway at rest, and what both sides remember of it. */
export interface Judged {
  gateway: Started
  storeLocation: StoreLocation
  expected: ExpectedMessages
  /** By number. */
  instanceNames: Map<string, string>
}

export async function checkDeliveries(
  judge: WebhookJudge,
  { gateway, storeLocation, expected, instanceNames }: Judged,
): Promise<{ events: number; posts: number; late: number; early: number }> {
  const { log, early } = await untilAllArrived(gateway, judge, storeLocation)
  const late = await retriedPositions(storeLocation)
  for (const kind of KINDS) {
    const copies = Map.groupBy(gotBy(judge, kind), ({ json }) => json.id as string)
    checkCopies(log, copies)
    const events = [...copies.values()].map(([first]) => first?.json as LoggedEvent)
    checkReceivedMessages(events, expected.written, instanceNames)
    checkSentMessages(events, expected.sent, instanceNames)
    checkOrder(log, events, late)
  }
  return { events: log.length, posts: judge.got().length, late: late.size, early }
}

/** What came to one of the webhooks, event by event: a batch counts as the events in it. */
function gotBy(judge: WebhookJudge, kind: Kind): Received[] {
  const own = judge.got().filter(({ path }) => path === PATHS[kind])
  if (kind === 'single') return own
  return own.flatMap(({ json, headers, path }) =>
    (json.events as LoggedEvent[]).map((event) => ({
      path,
      json: event,
      body: JSON.stringify(event),
      headers: { ...headers, 'webhook-id': event.id },
    })),
  )
}

/** What has come to the log since it was read. */
async function readOn(server: Started, log: LoggedEvent[]): Promise<void> {
  for (;;) {
    const last = log.at(-1)
    const answer = await get(server, `/api/v1/events?limit=500${last ? `&after=${last.id}` : ''}`)
    const page = (await answer.json()) as { events: LoggedEvent[]; hasMore: boolean }
    log.push(...page.events)
    if (!page.hasMore) return
  }
}

/** Makes waiting retries due: after three failures the next try is half an hour away, and the run has ended by then. */
async function makeRetriesDue(storeLocation: StoreLocation): Promise<number> {
  const early = await withDatabase(storeLocation, (database) =>
    database.rows(
      `update deliveries set due_at = 1 where status = 'retrying' and due_at > ${Date.now()} returning id`,
    ),
  )
  return early.length
}

/** Resolves with the log once every event of it has come; it may grow meanwhile. */
async function untilAllArrived(
  server: Started,
  judge: WebhookJudge,
  storeLocation: StoreLocation,
): Promise<{ log: LoggedEvent[]; early: number }> {
  const log: LoggedEvent[] = []
  let early = 0
  let known = 0
  let newsAt = Date.now()
  for (;;) {
    await readOn(server, log)
    const seen = KINDS.map((kind) => new Set(gotBy(judge, kind).map(({ json }) => json.id as string)))
    const missing = log.filter(({ id }) => !seen.every((ids) => ids.has(id)))
    if (missing.length === 0) return { log, early }
    const count = seen.reduce((sum, { size }) => sum + size, 0)
    if (count > known) newsAt = Date.now()
    known = count
    if (Date.now() > newsAt + QUIET_MS) early += await makeRetriesDue(storeLocation)
    assert.ok(
      Date.now() < newsAt + ARRIVAL_MS,
      `${missing.length} never came: ${JSON.stringify(missing.slice(0, 3))}`,
    )
    await pause(PAUSE_MS)
  }
}

function checkCopies(log: LoggedEvent[], copies: Map<string, Received[]>): void {
  const logged = new Map(log.map((event) => [event.id, event]))
  for (const [id, all] of copies) {
    assert.equal(new Set(all.map(({ body }) => body)).size, 1, `${id} has one body`)
    assert.deepEqual(all[0]?.json, logged.get(id), `${id} is what the log has`)
    for (const { headers } of all) assert.equal(headers['webhook-id'], id)
  }
}

const ofName = (events: LoggedEvent[], name: string, direction?: string): LoggedEvent[] =>
  events.filter(({ event, data }) => event === name && (!direction || data.direction === direction))

const byMessage = (events: LoggedEvent[]): Map<string, LoggedEvent[]> =>
  Map.groupBy(events, ({ instance, data }) => `${instance.apiInstanceName} ${data.messageId}`)

/** The facts that an event of a message must contain. */
const factsOf = ({ data }: LoggedEvent) => [data.text, data.type, Boolean(data.media)].join()
const wantedFacts = (text: string, kind: string) => [text, kind, kind === 'image'].join()

function checkReceivedMessages(
  events: LoggedEvent[],
  written: Remembered[],
  names: Map<string, string>,
): void {
  const upserts = ofName(events, 'messages.upsert', 'incoming')
  const byId = byMessage(upserts)
  const wrong = written.filter(({ id, instance, person, kind, count }) => {
    const [event, ...more] = byId.get(`${names.get(instance)} ${id}`) ?? []
    if (!event || more.length > 0 || event.data.from?.phone !== person) return true
    return factsOf(event) !== wantedFacts(`in ${count}`, kind)
  })
  assert.deepEqual(
    wrong,
    [],
    'of every message that a phone wrote the receiver got one event, as it was written',
  )
  assert.equal(upserts.length, written.length, 'and of no other')
}

const PROGRESS = ['queued', 'sending', 'sent', 'delivered']

function checkSentMessages(events: LoggedEvent[], sent: Remembered[], names: Map<string, string>): void {
  const accepted = byMessage(ofName(events, 'messages.upsert', 'outgoing'))
  const updates = byMessage(ofName(events, 'messages.update'))
  const wrong = sent.filter(({ id, instance, kind, count }) => {
    const key = `${names.get(instance)} ${id}`
    const [event, ...more] = accepted.get(key) ?? []
    if (!event || more.length > 0 || event.data.text !== `out ${count}` || event.data.type !== kind)
      return true
    // A report of the network may overtake our own status change, which is then no longer reported.
    const steps = (updates.get(key) ?? [])
      .toSorted((a, b) => a.sequence - b.sequence)
      .map(({ data }) => PROGRESS.indexOf(data.status ?? ''))
    const isRising = steps.every((step, index) => step > (steps[index - 1] ?? 0))
    return !isRising || PROGRESS[steps.at(-1) ?? 0] !== 'delivered'
  })
  assert.deepEqual(
    wrong,
    [],
    'of every send that was answered with 200 the receiver got how it went, to its end',
  )
}

/** What failed first and came later is out of order by right. */
async function retriedPositions(storeLocation: StoreLocation): Promise<Set<number>> {
  const retried = await withDatabase(storeLocation, (database) =>
    database.rows<{ position: string }>('select position from deliveries where tries > 1'),
  )
  return new Set(retried.map(({ position }) => Number(position)))
}

/** The log has no gap, and what came at the first try came in its order. */
function checkOrder(log: LoggedEvent[], events: LoggedEvent[], late: Set<number>): void {
  for (const [instance, own] of Map.groupBy(log, (event) => event.instance.id)) {
    assert.deepEqual(
      own.map(({ sequence }) => sequence),
      own.map((_event, index) => index + 1),
      `the events of instance ${instance} are numbered without gaps`,
    )
  }
  const firstTries = events.filter(({ id }) => !late.has(Number(id.split('_').at(-1))))
  for (const [instance, own] of Map.groupBy(firstTries, (event) => event.instance.id)) {
    const sequences = own.map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
      `first tries keep the order of instance ${instance}`,
    )
  }
}
