// POST /messages/{messageId}/cancel
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'
import { receiveOwn } from './received-message.ts'

contractOnEachEngine('POST /messages/{messageId}/cancel', (gateway) => {
  const fixture = withInstance(gateway)
  const queued = async (): Promise<string> => {
    const { mine, instance } = await fixture()
    const body = { instanceName: instance.name, number: '5511912345678', message: 'hi' }
    return (await mine.call('sendText', { body })).json.messageId
  }

  test('200 fails a queued message as canceled and removes it from the queue', async () => {
    const { mine, instance, store } = await fixture()
    const messageId = await queued()
    const waiting = async () => {
      const query = store.db.selectFrom('instances').select('queued_count').where('id', '=', instance.id)
      return (await query.executeTakeFirstOrThrow()).queued_count
    }
    const before = await waiting()
    const answer = await mine.call('cancelMessage', { params: { messageId } })
    assert.equal(answer.status, 200)
    assert.equal(answer.json.message.messageId, messageId)
    assert.equal(answer.json.message.status, 'failed')
    assert.equal(answer.json.message.failure.reason, 'canceled')
    assert.equal(await waiting(), before - 1)
    assert.deepEqual((await mine.call('getMessage', { params: { messageId } })).json, answer.json)
  })

  test('200 prevents that the message is claimed for sending', async () => {
    const { mine, instance, store, clock } = await fixture()
    const messageId = await queued()
    await mine.call('cancelMessage', { params: { messageId } })
    const claimed = await store.claimSends({
      owner: 'test',
      now: clock.now() + 1000,
      lockMs: 1,
      limit: 1000,
      runLength: 10,
      perInstance: 5,
    })
    const ours = claimed.filter((send) => send.instanceId === instance.id)
    assert.ok(ours.every((send) => send.messageId !== messageId))
  })

  test('409 with the status when the message is no longer queued', async () => {
    const { mine, store } = await fixture()
    for (const status of ['sending', 'sent', 'delivered', 'read', 'played', 'failed']) {
      const messageId = await queued()
      await store.db.updateTable('messages').set({ status }).where('id', '=', messageId).execute()
      const answer = await mine.call('cancelMessage', { params: { messageId } })
      assert.equal(answer.status, 409, status)
      assert.equal(answer.json.reason, 'message_not_cancellable')
      assert.equal(answer.json.status, status)
    }
  })

  test('409 for all but one of ten concurrent cancellations', async () => {
    const { mine } = await fixture()
    const messageId = await queued()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => mine.call('cancelMessage', { params: { messageId } })),
    )
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
    assert.equal(answers.filter((answer) => answer.status === 409).length, 9)
  })

  test('200 cancels the queued message when two instances have the same message id', async () => {
    const running = await fixture()
    const { messageId, sender, receiver } = await receiveOwn(running)
    const cancel = (query: Record<string, string>) =>
      running.mine.call('cancelMessage', { params: { messageId }, query })
    const received = await cancel({ instanceName: receiver })
    assert.deepEqual([received.status, received.json.reason], [409, 'message_not_cancellable'])
    const answer = await cancel({})
    assert.deepEqual(
      [answer.status, answer.json.message.instanceName, answer.json.message.failure.reason],
      [200, sender, 'canceled'],
    )
  })

  test('404 when the id does not exist', async () => {
    const { mine } = await fixture()
    const answer = await mine.call('cancelMessage', { params: { messageId: '3EB0000000000000000000' } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'message_not_found')
  })

  test('404 when the instance does not exist', async () => {
    const { mine } = await fixture()
    const params = { messageId: await queued() }
    const answer = await mine.call('cancelMessage', { params, query: { instanceName: 'unknown-00000000' } })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })
})
