// GET /statistics
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCounts } from '../../src/statistics/queries.ts'
import { contract } from '../support/gateway.ts'
import { type Fixture, faultPaths, withInstance } from './fixture.ts'

const HOUR_MS = 60 * 60 * 1000

contract('GET /statistics', (gateway) => {
  const fixture = withInstance(gateway)
  const read = async (query: Record<string, string | number> = {}, key?: string) => {
    const { mine } = await fixture()
    return mine.call('getStatistics', { query, ...(key === undefined ? {} : { key }) })
  }
  const send = async ({ mine }: Fixture, instanceName: string): Promise<string> => {
    const body = { instanceName, number: '5511912345678', message: 'hi' }
    return (await mine.call('sendText', { body })).json.messageId
  }
  const addDeliveries = ({ store, clock, instance }: Fixture) =>
    store.transaction((tx) =>
      addCounts(
        tx,
        (
          [
            ['delivery', 'delivered', 3],
            ['delivery_time', '100', 3],
            ['webhook', '7 delivered', 3],
            ['webhook_ms', '7', 90],
            ['failed', 'expired', 2],
            ['received', '', 1],
          ] as const
        ).map(([metric, label, count]) => ({
          instance_id: instance.id,
          hour: clock.now() - (clock.now() % HOUR_MS) - HOUR_MS,
          metric,
          label,
          count,
        })),
      ),
    )

  test('200 returns what happened up to the request, hour by hour, and counts canceled messages apart', async () => {
    const given = await fixture()
    await addDeliveries(given)
    await given.mine.call('cancelMessage', { params: { messageId: await send(given, given.instance.name) } })
    const { totals, steps, stepHours, failures, webhooks } = (await read()).json
    assert.deepEqual([steps.length, stepHours], [24, 1])
    const [before, now] = steps.slice(-2)
    assert.deepEqual([before.failed, before.received, before.deliveryMs], [2, 1, { median: 75, p95: 98 }])
    assert.deepEqual([now.received, now.canceled, now.failed], [0, 1, 0])
    assert.deepEqual([totals.received, totals.canceled, totals.failed, totals.delivered], [1, 1, 2, 3])
    assert.deepEqual(failures, [{ reason: 'expired', count: 2 }])
    assert.deepEqual(webhooks, [{ id: 7, delivered: 3, retried: 0, dead: 0, averageMs: 30 }])
  })

  test('200 a week has quarters of days, a month days, and another range its own steps', async () => {
    const shape = async (query: Record<string, string | number>) => {
      const { steps, stepHours } = (await read(query)).json
      return [steps.length, stepHours]
    }
    assert.deepEqual(await shape({ range: 'week' }), [28, 6])
    assert.deepEqual(await shape({ range: 'month', utcOffsetMinutes: -180 }), [30, 24])
    const [since, until] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
    assert.deepEqual(await shape({ since, until }), [24, 1])
  })

  test('200 a key that is limited to instances gets only their counts, and nothing about webhooks', async () => {
    const given = await fixture()
    const { mine } = given
    const other = await given.openInstance(mine)
    await mine.call('cancelMessage', { params: { messageId: await send(given, other.name) } })
    const made = await mine.call('createApiKey', { body: { name: 'Walled', instances: [other.name] } })
    const inside = (await read({}, made.json.key)).json
    assert.deepEqual([inside.totals.canceled, inside.totals.received, inside.totals.delivered], [1, 0, 0])
    assert.deepEqual([inside.webhooks, inside.steps.at(-1).sessions], [[], null])
    const named = (await read({ instanceName: other.name })).json
    assert.deepEqual(named.totals, inside.totals)
    assert.equal((await read({ instanceName: given.instance.name }, made.json.key)).status, 404)
  })

  test('403 when the key is limited to chats', async () => {
    const { mine } = await fixture()
    const chats = ['5511912345678@s.whatsapp.net']
    const made = await mine.call('createApiKey', { body: { name: 'Walled', chats } })
    const answer = await read({}, made.json.key)
    assert.deepEqual([answer.status, answer.json.reason], [403, 'outside_walls'])
  })

  test('400 when the range is not valid', async () => {
    const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z']
    const faults = async (query: Record<string, string | number>) => {
      const answer = await read(query)
      assert.equal(answer.status, 400)
      return faultPaths(answer)
    }
    assert.deepEqual(await faults({ range: 'year' }), ['range'])
    assert.deepEqual(await faults({ since: 'yesterday' }), ['since'])
    assert.deepEqual(await faults({ until: early }), ['until'])
    assert.deepEqual(await faults({ since: late, until: early }), ['until'])
    assert.deepEqual(await faults({ since: early, until: late }), ['since'])
    assert.deepEqual(await faults({ utcOffsetMinutes: 841 }), ['utcOffsetMinutes'])
  })

  test('404 when the instance is unknown', async () => {
    const answer = await read({ instanceName: 'unknown' })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })
})
