// Killed while events flow, with the receiver up or down: every event arrives, under one id, first tries in order (promise C1).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { withDatabase } from '../support/database.ts'
import { type Engine, engines, type Place } from '../support/engines.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { get, makeLoggedIn, newKey, post, type Started, startWithKey } from '../support/started.ts'

/** With the receiver up: the kill meets posts on their way. With it down: failures that wait for their next try. */
const ROUNDS: Record<Engine['name'], ('up' | 'down')[]> = {
  sqlite: ['up', 'down', 'up'],
  postgres: ['up', 'down'],
}
const CLIENTS = 6
const INSTANCES = 2

interface LoggedEvent {
  id: string
  event: string
  sequence: number
  instance: { id: number }
}

const start = (place: Place, key: string): Promise<Started> =>
  startWithKey(place, key, { ALLOW_TARGETS: '127.0.0.1', EXTRA_CA_FILE: AUTHORITY_FILE })

/** Sends until the server is gone; returns how many were acknowledged. */
async function sendUntilGone(server: Started, instanceName: string, onSent: () => void): Promise<void> {
  for (;;) {
    const body = { instanceName, number: '5511900000100', message: 'flow', delay: 0 }
    const answer = await post(server, '/send/text', body).catch(() => undefined)
    if (!answer) return
    await answer.arrayBuffer().catch(() => undefined)
    if (answer.status === 200) onSent()
  }
}

/** Behind an event that is known; without one, from the beginning. */
async function readLog(server: Started, last: string | undefined): Promise<LoggedEvent[]> {
  const log: LoggedEvent[] = []
  for (let after = last === undefined ? '' : `&after=${last}`; ; ) {
    const answer = await get(server, `/api/v1/events?limit=500${after}`)
    const page = (await answer.json()) as { events: LoggedEvent[]; hasMore: boolean; next: string }
    log.push(...page.events)
    if (!page.hasMore) return log
    after = `&after=${page.next}`
  }
}

/** Until then events of the pairing are on their way, and whether one meets the new webhook is a matter of luck. */
async function untilCodesShown(server: Started): Promise<void> {
  for (;;) {
    const codes = (await readLog(server, undefined)).filter(({ event }) => event === 'qrcode.updated')
    if (new Set(codes.map(({ instance }) => instance.id)).size === INSTANCES) return
    await pause(20)
  }
}

/** All that ever came, over all lives of the receiver. */
interface History {
  got: Received[]
  receiver: Receiver
  /** The last event of the time before: what came earlier may have had no webhook yet. */
  before: string | undefined
}

/** Resolves with the log once the receiver has every event of it; the log may grow meanwhile. */
async function untilAllArrived(server: Started, history: History): Promise<LoggedEvent[]> {
  for (;;) {
    const log = await readLog(server, history.before)
    const missing = () => {
      const seen = new Set(
        [...history.got, ...history.receiver.received].map(({ json }) => json.id as string),
      )
      return log.filter(({ id }) => !seen.has(id)).length
    }
    for (let left = missing(); left > 0; left = missing())
      await history.receiver.until(history.receiver.received.length + 1)
    if ((await readLog(server, history.before)).length === log.length) return log
  }
}

async function swapReceiver(history: History, port: number): Promise<void> {
  history.got.push(...history.receiver.received)
  history.receiver = await startReceiver(port)
}

async function checkHistory(place: Place, log: LoggedEvent[], got: Received[]): Promise<void> {
  const bodies = Map.groupBy(got, ({ json }) => json.id as string)
  for (const [id, copies] of bodies) {
    assert.equal(new Set(copies.map(({ body }) => body)).size, 1, `${id} has one body`)
    for (const { headers } of copies) assert.equal(headers['webhook-id'], id)
  }
  assert.deepEqual(
    log.filter(({ id }) => !bodies.has(id)),
    [],
    'every event has arrived',
  )
  // What failed first and came later is out of order by right; all others are in it.
  const retried = await withDatabase(place, (database) =>
    database.rows<{ position: string }>('select position from deliveries where tries > 1'),
  )
  const late = new Set(retried.map(({ position }) => Number(position)))
  const firstTries = [...bodies.values()]
    .map(([first]) => first?.json as LoggedEvent)
    .filter(({ id }) => !late.has(Number(id.split('_').at(-1))))
  for (const own of Map.groupBy(firstTries, ({ instance }) => instance.id).values()) {
    const sequences = own.map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
      'first tries keep the order of their instance',
    )
  }
}

for (const engine of engines) {
  describe(`webhooks and kills on ${engine.name}`, () => {
    test('nothing is lost, nothing changes its id, first tries keep their order', async (t) => {
      const place = await engine.place()
      const key = newKey()
      const history: History = { got: [], receiver: await startReceiver(), before: undefined }
      const { port } = history.receiver
      let server = await start(place, key)
      try {
        const names = [await makeLoggedIn(server, place), await makeLoggedIn(server, place)]
        assert.equal(names.length, INSTANCES)
        await untilCodesShown(server)
        const made = await post(server, '/webhooks', { url: `https://127.0.0.1:${port}/hook` })
        assert.equal(made.status, 200)
        history.before = (await readLog(server, undefined)).at(-1)?.id
        for (const round of ROUNDS[engine.name]) {
          let sent = 0
          const enough = Promise.withResolvers<void>()
          const failing = Promise.withResolvers<void>()
          const onSent = () => {
            sent += 1
            if (sent >= 60) enough.resolve()
            if (sent >= 72) failing.resolve()
          }
          const clients = Array.from({ length: CLIENTS }, (_, client) =>
            sendUntilGone(server, names[client % INSTANCES] as string, onSent),
          )
          await enough.promise
          // Down for a moment only: a second failure would put the next try off for minutes.
          if (round === 'down') await history.receiver.close()
          await failing.promise
          await server.stop('SIGKILL')
          await Promise.all(clients)
          if (round === 'down') await swapReceiver(history, port)
          server = await start(place, key)
          await untilAllArrived(server, history)
        }
        const log = await untilAllArrived(server, history)
        const got = [...history.got, ...history.receiver.received]
        await checkHistory(place, log, got)
        t.diagnostic(`${log.length} events, ${got.length} posts`)
      } finally {
        await server.stop('SIGKILL')
        await history.receiver.close()
        await place.dispose()
      }
    })
  })
}
