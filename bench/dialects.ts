// What does a call through a dialect cost? The gateway's CPU for one text, from the request to the network's answer, and for one
// read of an instance, through each dialect against the same call of the API of this gateway (wanted: at most 1.15 times).
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { openDatabase } from '../test/support/database.ts'
import { engines, type StoreLocation } from '../test/support/engines.ts'
import { api, linkedInstance, until, world } from '../test/support/linked.ts'
import { newKey, type Started, startWithKey } from '../test/support/started.ts'
import { middle } from './middle.ts'
import { cpuMs } from './processes.ts'
import { atMost, ratioOf, report } from './report.ts'

const { values } = parseArgs({ options: { engine: { type: 'string', default: 'sqlite' } } })
/** Of one round, on each side. */
const CALLS = 500
/** Sides take turns, and each round has a ratio of its own. */
const ROUNDS = 5
/** A young process spends more on compiling its code than on calls. */
const WARM_UP_ROUNDS = 2
const CONNECTIONS = 16
const CHATS = 5
const WANTED_RATIO = 1.15

interface Call {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: (text: string, to: string) => object
}

interface Side {
  name: string
  send: Call
  read: Call
}

function sidesOf(key: string, id: string): Side[] {
  const bearer = { authorization: `Bearer ${key}` }
  const json = { 'content-type': 'application/json' }
  return [
    {
      name: 'this API',
      send: {
        method: 'POST',
        path: '/api/v1/send/text',
        headers: { ...bearer, ...json },
        body: (message, number) => ({ instanceName: id, number, message, delay: 0 }),
      },
      read: { method: 'GET', path: `/api/v1/instance/state?instanceName=${id}`, headers: bearer },
    },
    {
      name: 'Cloud API',
      send: {
        method: 'POST',
        path: `/compat/cloud/v23.0/${id}/messages`,
        headers: { ...bearer, ...json },
        body: (text, to) => ({ messaging_product: 'whatsapp', to, type: 'text', text: { body: text } }),
      },
      read: { method: 'GET', path: `/compat/cloud/v23.0/${id}`, headers: bearer },
    },
    {
      name: 'Evolution',
      send: {
        method: 'POST',
        path: `/compat/evolution/message/sendText/${id}`,
        headers: { apikey: key, ...json },
        body: (text, number) => ({ number, text }),
      },
      read: {
        method: 'GET',
        path: `/compat/evolution/instance/connectionState/${id}`,
        headers: { apikey: key },
      },
    },
  ]
}

/** Read beside the gateway, which is to be measured and not to be asked. */
async function untilIdle(storeLocation: StoreLocation): Promise<void> {
  const database = await openDatabase(storeLocation)
  await until('an empty queue', async () => {
    const [row] = await database.rows<{ queued: number }>('select sum(queued_count) as queued from instances')
    return Number(row?.queued) === 0 ? true : undefined
  })
  await database.close()
}

/** CPU milliseconds of the gateway for one call. */
async function measured(
  gateway: Started,
  call: Call,
  people: string[],
  settle: () => Promise<void>,
): Promise<number> {
  const pool = new Pool(gateway.url, { connections: CONNECTIONS })
  const before = cpuMs(gateway.child.pid ?? 0)
  let next = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let count = next++; count < CALLS; count = next++) {
        const body = call.body && JSON.stringify(call.body(`message ${count}`, people[count % CHATS] ?? ''))
        const { method, path, headers } = call
        const answer = await pool.request({ method, path, headers, ...(body && { body }) })
        const text = await answer.body.text()
        if (answer.statusCode > 201) throw new Error(text)
      }
    }),
  )
  await settle()
  await pool.close()
  return (cpuMs(gateway.child.pid ?? 0) - before) / CALLS
}

async function compare(question: string, sides: Side[], measure: (side: Side) => Promise<number>) {
  const rounds: number[][] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const figures: number[] = []
    for (const side of sides) figures.push(await measure(side))
    if (round >= 0) rounds.push(figures)
  }
  const own = middle(rounds.map(([first = Number.NaN]) => first))
  for (const [index, { name }] of sides.entries()) {
    if (index === 0) continue
    const value = middle(rounds.map((figures) => figures[index] ?? Number.NaN))
    const ratio = middle(rounds.map((figures) => (figures[index] ?? Number.NaN) / (figures[0] ?? Number.NaN)))
    report({
      question: `${question} through ${name}: CPU per call`,
      value,
      unit: 'ms',
      beside: { name: 'this API', value: own },
      ratio,
      wanted: ratioOf(atMost(ratio, WANTED_RATIO)),
    })
  }
}

const engine = engines.find(({ name }) => name === values.engine)
if (!engine) throw new Error(`there is no engine ${values.engine}`)
const storeLocation = await engine.createLocation()
const key = newKey()
const gateway = await startWithKey(storeLocation, key, { COMPAT: 'evolution,cloud', RATE_LIMIT: '0' })
try {
  const id = await linkedInstance(gateway, '5511910000000')
  const people = Array.from({ length: CHATS }, (_, index) => `551192000000${index}`)
  for (const number of people) await world(gateway, 'POST /phones', { number, name: number })
  await api(gateway, `GET /instance/state?instanceName=${id}`)
  const sides = sidesOf(key, id)
  const settled = async () => undefined
  await compare('a text', sides, ({ send }) =>
    measured(gateway, send, people, () => untilIdle(storeLocation)),
  )
  await compare('a read', sides, ({ read }) => measured(gateway, read, people, settled))
} finally {
  await gateway.stop()
  await storeLocation.dispose()
}
