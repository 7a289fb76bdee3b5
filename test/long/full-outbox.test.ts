// A start with 100,000 queued messages (promise A8): the server is ready, every queue continues in order, and a long queue does
// not delay another instance. bench/restart.ts measures how long the start takes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { QUEUE_CAP } from '../../src/sending/rules.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { withDatabase } from '../support/database.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, ask, linkedInstance, newInstance, newNumber, until, world } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const QUEUED = 100_000
const IDLE_INSTANCES = QUEUED / QUEUE_CAP - 1
/** Enough to show the order, and few enough for a slow machine. */
const LOOKED_AT = 20

for (const engine of behaviourEngines('postgres')) {
  describe(`a start with ${QUEUED} messages queued on ${engine.name}`, () => {
    const [friend, other] = [newNumber(), newNumber()]
    let storeLocation: StoreLocation
    let gateway: Started
    let [full, brief] = ['', '']
    before(async () => {
      storeLocation = await engine.createLocation()
      gateway = await startWithKey(storeLocation, newKey(), await onSharedSandbox())
      full = await linkedInstance(gateway, newNumber())
      brief = await linkedInstance(gateway, newNumber())
      for (const number of [friend, other]) await world(gateway, 'POST /phones', { number })
      const idle: string[] = []
      while (idle.length < IDLE_INSTANCES) idle.push(await newInstance(gateway))
      await gateway.stop('SIGKILL')
      await queueBehindItsBack(storeLocation, [full, ...idle], friend)
      gateway = await startWithKey(storeLocation, gateway.key, await onSharedSandbox())
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await storeLocation.dispose()
    })

    test('the server is ready while nearly all of them are queued', async () => {
      await until('ready', async () =>
        (await ask(gateway, 'GET /readyz')).status === 200 ? true : undefined,
      )
      const waiting = await queuedIn(storeLocation)
      assert.ok(waiting > QUEUED - QUEUE_CAP, `${waiting} wait`)
    })

    test('the queue continues in order', async () => {
      const last = `/phones/${friend}/messages/${messageId(LOOKED_AT)}?waitMs=30000`
      await world(gateway, `GET ${last}`)
      const { messages } = await world(gateway, `GET /phones/${friend}/messages?limit=${LOOKED_AT}`)
      const shown = (messages as { id: string }[]).map(({ id }) => id)
      assert.deepEqual(
        shown,
        Array.from({ length: LOOKED_AT }, (_, index) => messageId(index + 1)),
      )
    })

    test('another instance sends without waiting for the queue', async () => {
      const body = { instanceName: brief, number: other, message: 'past the queue', delay: 0 }
      const sent = await api(gateway, 'POST /send/text', body)
      await world(gateway, `GET /phones/${other}/messages/${sent.messageId}?waitMs=30000`)
      assert.ok((await queuedIn(storeLocation)) > QUEUED - QUEUE_CAP)
    })
  })
}

/** The ids of the first queue. */
const messageId = (count: number): string => `3EB0A${String(count).padStart(6, '0')}`

/** Accepting this many takes too long: writes the same rows directly, one lane per instance. */
async function queueBehindItsBack(
  storeLocation: StoreLocation,
  names: string[],
  number: string,
): Promise<void> {
  const chat = `${number}@s.whatsapp.net`
  await withDatabase(storeLocation, async ({ rows }) => {
    for (const [index, name] of names.entries()) {
      const prefix = `3EB0${String.fromCharCode('A'.charCodeAt(0) + index)}`
      const instance = `select id, account_id, 'send:' || id || ':${chat}' as lane from instances where api_name = '${name}'`
      await rows(`insert into lanes (key, kind, instance_id, due_at, last_seq)
        select lane, 'send', id, 1, ${QUEUE_CAP} from (${instance}) as instance`)
      await rows(`insert into messages (id, account_id, instance_id, direction, chat, number, kind, content, delay_ms, status,
          lane, lane_seq, created_at, updated_at)
        with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${QUEUE_CAP})
        select '${prefix}' || substr(cast(1000000 + n as text), 2), account_id, id, 'outgoing', '${chat}', '${number}', 'text',
          '{"message":"queued"}', 0, 'queued', lane, n, ${Date.now()}, ${Date.now()}
        from counted, (${instance}) as instance`)
      await rows(`update instances set queued_count = ${QUEUE_CAP} where api_name = '${name}'`)
    }
  })
}

const queuedIn = (storeLocation: StoreLocation): Promise<number> =>
  withDatabase(storeLocation, async ({ rows }) => {
    const [row] = await rows<{ queued: number }>('select sum(queued_count) as queued from instances')
    return Number(row?.queued)
  })
