// Tests that all changes of a message share. Each endpoint's test file runs them on its route.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import type { Account, Answer, CallInput, Gateway } from '../support/gateway.ts'
import { type Fixture, withInstance } from './fixture.ts'
import { usedUpKey } from './key-limit.ts'
import { receive, receiveDeletion, receiveOwn } from './received-message.ts'
import { sampleCalls, UNKNOWN } from './sample-calls.ts'
import { storedMessages } from './sender.ts'

export type ActionId = Extract<
  RouteId,
  'reactToMessage' | 'editMessage' | 'deleteMessage' | 'forwardMessage' | 'pinMessage'
>
export const NUMBER = '5511912345678'

/** `instanceName` is in the query of a DELETE, and in the body of the others. */
export function act(
  account: Account,
  id: ActionId,
  messageId: string,
  more: {
    instanceName?: string
    body?: Record<string, unknown>
    headers?: Record<string, string>
    key?: string
  } = {},
): Promise<Answer> {
  const sample = sampleCalls[id]({ ...UNKNOWN, messageId })
  const named = more.instanceName === undefined ? {} : { instanceName: more.instanceName }
  const input: CallInput = {
    ...sample,
    ...(more.headers && { headers: more.headers }),
    ...(more.key && { key: more.key }),
  }
  return account.call(
    id,
    id === 'deleteMessage'
      ? { ...input, query: named }
      : { ...input, body: { ...(sample.body as object), ...named, ...more.body } },
  )
}

/** A text of a new instance, as if the network had accepted it. */
export async function sentText(running: Fixture, account = running.mine) {
  const instance = await running.openInstance(account)
  const body = { instanceName: instance.name, number: NUMBER, message: 'hi' }
  const { messageId } = (await account.call('sendText', { body })).json as { messageId: string }
  await running.store.db.updateTable('messages').set({ status: 'sent' }).where('id', '=', messageId).execute()
  return { instance, messageId }
}

/** The row of the change that a request has accepted. */
export async function storedAction(running: Fixture, instanceId: number) {
  const row = (await storedMessages(running, instanceId)).at(-1)
  assert.ok(row)
  return { ...row, content: JSON.parse(row.content) as Record<string, unknown> }
}

export function actionRules(
  gateway: () => Promise<Gateway>,
  id: ActionId,
  type: string,
): () => Promise<Fixture> {
  const fixture = withInstance(gateway)
  acceptRules(fixture, id, type)
  refusalRules(fixture, id)
  return fixture
}

function acceptRules(fixture: () => Promise<Fixture>, id: ActionId, type: string): void {
  test('200 queues the change in the lane of its message, with an id of its own', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    const answer = await act(running.mine, id, messageId)
    assert.deepEqual([answer.status, answer.json.status, answer.json.type], [200, 'queued', type])
    assert.notEqual(answer.json.messageId, messageId)
    const [message, change] = await storedMessages(running, instance.id)
    assert.equal(change?.id, answer.json.messageId)
    if (id !== 'forwardMessage') assert.deepEqual([change?.lane, change?.lane_seq], [message?.lane, 2])
  })

  test('200 returns the first answer to a repeated request with the same Idempotency-Key', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    const headers = { 'idempotency-key': `${id}-${messageId}` }
    const first = await act(running.mine, id, messageId, { headers })
    const second = await act(running.mine, id, messageId, { headers })
    assert.equal(second.json.messageId, first.json.messageId)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.equal((await storedMessages(running, instance.id)).length, 2)
  })

  test('422 when the Idempotency-Key was used for another request', async () => {
    const running = await fixture()
    const [one, other] = [await sentText(running), await sentText(running)]
    const headers = { 'idempotency-key': `${id}-${one.messageId}` }
    await act(running.mine, id, one.messageId, { headers })
    const answer = await act(running.mine, id, other.messageId, { headers })
    assert.deepEqual([answer.status, answer.json.reason], [422, 'idempotency_key_reused'])
  })

  test('200 selects the instance by instanceName when several have the message', async () => {
    const running = await fixture()
    const { messageId, sender, receiver } = await receiveOwn(running)
    const refused = await act(running.mine, id, messageId)
    assert.deepEqual([refused.status, refused.json.reason], [409, 'message_on_several_instances'])
    const instanceName =
      id === 'forwardMessage' || id === 'deleteMessage' || id === 'editMessage' ? sender : receiver
    const answer = await act(running.mine, id, messageId, { instanceName })
    assert.deepEqual([answer.status, answer.json.instanceName], [200, instanceName])
  })
}

function refusalRules(fixture: () => Promise<Fixture>, id: ActionId): void {
  test('404 when the message or the instance is unknown, or belongs to another account', async () => {
    const running = await fixture()
    const theirs = await sentText(running, await running.account())
    for (const messageId of ['3EB0000000000000000000', theirs.messageId]) {
      const answer = await act(running.mine, id, messageId)
      assert.deepEqual([answer.status, answer.json.reason], [404, 'message_not_found'])
    }
    const { messageId } = await sentText(running)
    const answer = await act(running.mine, id, messageId, { instanceName: 'unknown-00000000' })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })

  test('404 for a reaction, because it is not a message', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    const reaction = (await act(running.mine, 'reactToMessage', messageId)).json.messageId
    assert.equal((await act(running.mine, id, reaction)).json.reason, 'message_not_found')
  })

  test('409 when the message is scheduled or has failed', async () => {
    const running = await fixture()
    for (const status of ['scheduled', 'failed']) {
      const { messageId } = await sentText(running)
      await running.store.db.updateTable('messages').set({ status }).where('id', '=', messageId).execute()
      const answer = await act(running.mine, id, messageId)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_sent'])
    }
  })

  test('409 when the message was deleted through the API, also while the deletion is queued', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    const deletion = await act(running.mine, 'deleteMessage', messageId)
    const answer = await act(running.mine, id, messageId)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'message_deleted'])
    // A deletion that failed has deleted nothing.
    await running.mine.call('cancelMessage', { params: { messageId: deletion.json.messageId } })
    assert.equal((await act(running.mine, id, messageId)).status, 200)
    assert.equal((await storedMessages(running, instance.id)).length, 3)
  })

  test('409 when the other side has deleted its message', async () => {
    const running = await fixture()
    const { instance } = await sentText(running)
    const [kept, deleted] = [
      await receive({ ...running, instance }, {}),
      await receive({ ...running, instance }, {}),
    ]
    await receiveDeletion({ ...running, instance }, deleted)
    const answer = await act(running.mine, id, deleted)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'message_deleted'])
    assert.notEqual((await act(running.mine, id, kept)).json.reason, 'message_deleted')
  })

  test('200 with the first answer when a request is repeated after the message was deleted', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    const headers = { 'idempotency-key': `deleted-since-${id}-${messageId}` }
    const first = await act(running.mine, id, messageId, { headers })
    if (id !== 'deleteMessage') await act(running.mine, 'deleteMessage', messageId)
    const second = await act(running.mine, id, messageId, { headers })
    assert.deepEqual([second.status, second.json.messageId], [200, first.json.messageId])
  })

  test('409 when the instance is logged out', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    await running.mine.call('logoutInstance', { query: { instanceName: instance.name } })
    const answer = await act(running.mine, id, messageId)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'instance_not_connected'])
  })

  test('429 when the key has used its messages of the day', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    const key = await usedUpKey(running, running.mine)
    const answer = await act(running.mine, id, messageId, { key })
    assert.deepEqual([answer.status, answer.json.reason], [429, 'key_limit_reached'])
  })

  test('429 when the queue of the instance is full', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    await running.store.db
      .updateTable('instances')
      .set({ queued_count: 10_000 })
      .where('id', '=', instance.id)
      .execute()
    const answer = await act(running.mine, id, messageId)
    assert.deepEqual([answer.status, answer.json.reason], [429, 'queue_full'])
  })
}
