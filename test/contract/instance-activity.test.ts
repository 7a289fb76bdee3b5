// GET /instance/activity
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'

const HOUR_MS = 60 * 60 * 1000

contract('GET /instance/activity', (gateway) => {
  const fixture = withInstance(gateway)
  const read = async (instanceName?: string) => {
    const { mine, instance } = await fixture()
    return mine.call('instanceActivity', { query: { instanceName: instanceName ?? instance.name } })
  }

  test('200 returns 24 empty hours for a new instance, the last one being the current hour', async () => {
    const { clock, openInstance, mine } = await fixture()
    const { name } = await openInstance(mine)
    const { queued, lastFailure, hours, isPartial } = (await read(name)).json
    assert.deepEqual([queued, lastFailure, isPartial], [0, null, false])
    const last = clock.now() - (clock.now() % HOUR_MS)
    assert.deepEqual(
      hours,
      Array.from({ length: 24 }, (_each, index) => ({
        hour: new Date(last - (23 - index) * HOUR_MS).toISOString(),
        sent: 0,
        received: 0,
        failed: 0,
      })),
    )
  })

  test('200 returns queue size, last failure with its reason, and each hour, without canceled messages', async () => {
    const { mine, instance, store, clock } = await fixture()
    const send = async () =>
      (
        await mine.call('sendText', {
          body: { instanceName: instance.name, number: '5511912345678', message: 'hi' },
        })
      ).json.messageId as string
    const [early, kept, failed, canceled] = [await send(), await send(), await send(), await send()]
    await mine.call('cancelMessage', { params: { messageId: canceled } })
    await store.db
      .updateTable('messages')
      .set({ status: 'failed', failure_reason: 'expired', failure_error: 'Too late.' })
      .where('id', '=', failed)
      .execute()
    const row = await store.db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', kept)
      .executeTakeFirstOrThrow()
    const { row_id: _rowId, ...fields } = row
    const received = { ...fields, direction: 'incoming', lane: null, lane_seq: null }
    const [before, longAgo] = [clock.now() - 2 * HOUR_MS, clock.now() - 30 * HOUR_MS]
    await store.db
      .insertInto('messages')
      .values([
        { ...received, id: 'in-1', created_at: before },
        { ...received, id: 'in-2', created_at: longAgo },
      ])
      .execute()
    await store.db.updateTable('messages').set({ created_at: before }).where('id', '=', early).execute()

    const { queued, lastFailure, hours, isPartial } = (await read()).json
    assert.deepEqual([queued, isPartial], [3, false])
    assert.deepEqual([lastFailure.messageId, lastFailure.reason], [failed, 'expired'])
    const busy = (hours as { sent: number; received: number; failed: number }[]).map(
      ({ sent, received: came, failed }) => [sent, came, failed],
    )
    assert.deepEqual(busy.at(-1), [1, 0, 1])
    assert.deepEqual(busy.at(-3), [1, 1, 0])
    assert.deepEqual(
      busy
        .slice(0, -3)
        .flat()
        .filter((count) => count > 0),
      [],
    )
  })

  test('400 when instanceName is missing', async () => {
    const answer = await (await fixture()).mine.call('instanceActivity')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist', async () => {
    const answer = await read('unknown-00000000')
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })
})
