// POST /messages/{messageId}/played
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError, type NetworkErrorKind } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { sentText } from './action-rules.ts'
import { scripted, withInstance } from './fixture.ts'
import { receive, receiveOwn } from './received-message.ts'

contract('POST /messages/{messageId}/played', (gateway) => {
  const fixture = withInstance(gateway)
  const play = async (messageId: string, body: Record<string, unknown> = {}) =>
    (await fixture()).mine.call('markPlayed', { params: { messageId }, body })
  const receiveAudio = async () => {
    const running = await fixture()
    const messageId = await receive(running, {})
    await running.store.db
      .updateTable('messages')
      .set({ kind: 'audio' })
      .where('id', '=', messageId)
      .execute()
    return messageId
  }

  test('200 sends one receipt as the network addressed the message, and records it once', async () => {
    const running = await fixture()
    const messageId = await receiveAudio()
    const receipts: unknown[] = []
    const script = { markRead: (...given: unknown[]) => void receipts.push(given) }
    for (let time = 0; time < 2; time += 1) {
      const answer = await scripted(running, script, () => play(messageId))
      assert.deepEqual([answer.status, answer.json.message.status], [200, 'played'])
      assert.ok(answer.json.message.readAt)
    }
    const address = { messageId, chat: '5511912345678@s.whatsapp.net', participant: null }
    assert.deepEqual(receipts, [[[address], 'played']])
    const { events } = (await running.mine.call('listEvents', { query: { limit: 500 } })).json
    const updates = events.filter(
      ({ event, data }: { event: string; data: { messageId?: string } }) =>
        event === 'messages.update' && data.messageId === messageId,
    )
    assert.deepEqual(
      updates.map(({ data }: { data: { status: string } }) => data.status),
      ['played'],
    )
  })

  test('200 selects the instance by instanceName when several have the message', async () => {
    const running = await fixture()
    const { messageId, receiver } = await receiveOwn(running)
    const refused = await play(messageId)
    assert.deepEqual([refused.status, refused.json.reason], [409, 'message_on_several_instances'])
    const document = await play(messageId, { instanceName: receiver })
    assert.deepEqual([document.status, document.json.reason], [409, 'message_not_playable'])
  })

  test('404 when the message or the instance is unknown, or belongs to another account', async () => {
    const running = await fixture()
    const theirs = await sentText(running, await running.account())
    for (const messageId of ['3EB0000000000000000000', theirs.messageId]) {
      const answer = await play(messageId)
      assert.deepEqual([answer.status, answer.json.reason], [404, 'message_not_found'])
    }
    const answer = await play(await receiveAudio(), { instanceName: 'unknown-00000000' })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })

  test('409 when the message was sent by the instance, or has nothing to play', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    for (const id of [messageId, await receive(running, null)]) {
      const answer = await play(id)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_playable'])
    }
  })

  test('409 when the message has failed, and was never sent', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    await running.store.db
      .updateTable('messages')
      .set({ status: 'failed' })
      .where('id', '=', messageId)
      .execute()
    const answer = await play(messageId)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_sent'])
  })

  test('409 when the instance is not connected, and nothing is recorded', async () => {
    const running = await fixture()
    const messageId = await receiveAudio()
    const { id } = running.instance
    await running.sessions.move(id, 'connection_lost')
    const answer = await play(messageId)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'instance_not_connected'])
    await running.sessions.move(id, 'opened')
    const { json } = await running.mine.call('getMessage', { params: { messageId } })
    assert.notEqual(json.message.status, 'played')
  })

  const REFUSALS: [NetworkErrorKind, number, string][] = [
    ['refused', 502, 'refused_by_network'],
    ['unavailable', 503, 'unavailable'],
    ['timeout', 504, 'network_timeout'],
  ]
  for (const [kind, status, reason] of REFUSALS)
    test(`${status} with ${reason} when the network answers ${kind}, and nothing is recorded`, async () => {
      const running = await fixture()
      const messageId = await receiveAudio()
      const fail = () => {
        throw new NetworkError(kind, 'scripted', undefined, 499)
      }
      const answer = await scripted(running, { markRead: fail }, () => play(messageId))
      assert.deepEqual([answer.status, answer.json.reason], [status, reason])
      const { json } = await running.mine.call('getMessage', { params: { messageId } })
      assert.notEqual(json.message.status, 'played')
    })
})
