// POST /messages/{messageId}/star
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError, type NetworkErrorKind } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { sentText } from './action-rules.ts'
import { report } from './chat-rules.ts'
import { type Fixture, faultPaths, scripted, withInstance } from './fixture.ts'
import { receiveOwn } from './received-message.ts'

contract('POST /messages/{messageId}/star', (gateway) => {
  const fixture = withInstance(gateway)
  const star = async (messageId: string, body: Record<string, unknown> = { starred: true }) =>
    (await fixture()).mine.call('starMessage', { params: { messageId }, body })
  /** Reports the star, as a session does before it answers. */
  const reporting = (running: Fixture) => ({
    starMessage: (
      instanceId: number,
      chat: string,
      { messageId, isOurs }: { messageId: string; isOurs: boolean },
      starred: boolean,
    ) => report(running, instanceId, { kind: 'starred', chat, messageId, isOurs, starred }),
  })

  test('200 stars the message and removes the star', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    for (const starred of [true, false]) {
      const answer = await scripted(running, reporting(running), () => star(messageId, { starred }))
      assert.deepEqual([answer.status, answer.json.message.starred], [200, starred])
      const read = await running.mine.call('getMessage', { params: { messageId } })
      assert.equal(read.json.message.starred, starred)
    }
  })

  test('200 selects the instance by instanceName when several have the message', async () => {
    const running = await fixture()
    const { messageId, receiver } = await receiveOwn(running)
    const refused = await star(messageId)
    assert.deepEqual([refused.status, refused.json.reason], [409, 'message_on_several_instances'])
    const answer = await scripted(running, reporting(running), () =>
      star(messageId, { starred: true, instanceName: receiver }),
    )
    assert.deepEqual([answer.status, answer.json.message.instanceName], [200, receiver])
    assert.equal(answer.json.message.starred, true)
  })

  test('400 when starred is missing or not a boolean', async () => {
    const { messageId } = await sentText(await fixture())
    for (const starred of [undefined, null, 'true']) {
      const answer = await star(messageId, { starred })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['starred'])
    }
  })

  test('404 when the message or the instance is unknown, or belongs to another account', async () => {
    const running = await fixture()
    const theirs = await sentText(running, await running.account())
    for (const messageId of ['3EB0000000000000000000', theirs.messageId]) {
      const answer = await star(messageId)
      assert.deepEqual([answer.status, answer.json.reason], [404, 'message_not_found'])
    }
    const { messageId } = await sentText(running)
    const answer = await star(messageId, { starred: true, instanceName: 'unknown-00000000' })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })

  test('409 when the message is not sent yet, or the instance is not connected', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    const setStatus = (status: string) =>
      running.store.db.updateTable('messages').set({ status }).where('id', '=', messageId).execute()
    for (const status of ['queued', 'sending', 'scheduled', 'failed']) {
      await setStatus(status)
      const answer = await star(messageId)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_sent'], status)
    }
    await setStatus('sent')
    await running.sessions.move(instance.id, 'connection_lost')
    const answer = await star(messageId)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'instance_not_connected'])
  })

  const REFUSALS: [NetworkErrorKind, number, string][] = [
    ['refused', 502, 'refused_by_network'],
    ['unavailable', 503, 'unavailable'],
    ['timeout', 504, 'network_timeout'],
    ['keys_missing', 503, 'phone_keys_missing'],
  ]
  for (const [kind, status, reason] of REFUSALS)
    test(`${status} with ${reason} when the network answers ${kind}`, async () => {
      const running = await fixture()
      const { messageId } = await sentText(running)
      const fail = () => {
        throw new NetworkError(kind, 'scripted', undefined, 499)
      }
      const answer = await scripted(running, { starMessage: fail }, () => star(messageId))
      assert.deepEqual([answer.status, answer.json.reason], [status, reason])
    })
})
