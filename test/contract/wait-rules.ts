// `Prefer: wait` on a send endpoint: the response waits for the outcome (decision 0032).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { recordReceipt } from '../../src/receiving/received.ts'
import type { Fixture } from './fixture.ts'
import { freshInstance, type SendId, storedMessages } from './sender.ts'

/** Long enough that the outcome always ends the wait. */
const LONG = { prefer: 'wait=60' }

async function instanceThatSends(fixture: () => Promise<Fixture>, id: SendId) {
  const running = await fixture()
  const { instance, send } = await freshInstance(running, id)
  /** The id of the message that a request waits for. */
  const accepted = async (): Promise<string> => {
    for (;;) {
      const [row] = await storedMessages(running, instance.id)
      if (row) return row.id
    }
  }
  const deliver = async (messageId: string) => {
    const [row] = await storedMessages(running, instance.id)
    const chat = row ? [row.chat] : []
    await recordReceipt({ store: running.store, clock: running.clock.now }, instance.id, {
      kind: 'receipt',
      messageIds: [messageId],
      status: 'delivered',
      atMs: running.clock.now(),
      chat,
      by: chat,
    })
  }
  return { running, send, accepted, deliver }
}

export function waitRules(fixture: () => Promise<Fixture>, id: SendId): void {
  test('200 returns sent after waiting for the network', async () => {
    const { send, accepted, deliver } = await instanceThatSends(fixture, id)
    const waiting = send({}, { headers: LONG })
    await deliver(await accepted())
    const answer = await waiting
    assert.deepEqual([answer.status, answer.json.status, answer.json.failure], [200, 'sent', undefined])
    assert.equal(answer.headers.get('preference-applied'), 'wait=60')
  })

  test('200 returns failed and the reason after waiting', async () => {
    const { running, send, accepted } = await instanceThatSends(fixture, id)
    const waiting = send({}, { headers: LONG })
    await running.mine.call('cancelMessage', { params: { messageId: await accepted() } })
    const { status, json } = await waiting
    assert.deepEqual([status, json.status], [200, 'failed'])
    assert.deepEqual(json.failure, { reason: 'canceled', error: 'Cancelled by request.', code: null })
  })

  test('200 returns the first response again; with a wait it adds the outcome, without blocking others', async () => {
    const { send, accepted, deliver } = await instanceThatSends(fixture, id)
    const key = { 'idempotency-key': `wait-${id}-${randomUUID()}` }
    const first = send({}, { headers: { ...LONG, ...key } })
    const messageId = await accepted()
    const second = await send({}, { headers: key })
    assert.deepEqual([second.status, second.json.status, second.json.messageId], [200, 'queued', messageId])
    assert.equal(second.headers.get('preference-applied'), null)
    await deliver(messageId)
    assert.equal((await first).json.status, 'sent')
    const third = await send({}, { headers: { ...LONG, ...key } })
    assert.deepEqual([third.json.status, third.json.messageId], ['sent', messageId])
    assert.equal(third.headers.get('idempotency-replayed'), 'true')
  })
}
