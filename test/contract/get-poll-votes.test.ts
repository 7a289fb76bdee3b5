// GET /messages/{messageId}/votes
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { sentText } from './action-rules.ts'
import { withInstance } from './fixture.ts'
import { receive } from './received-message.ts'

const CHAT = '5511912345678@s.whatsapp.net'

contract('GET /messages/{messageId}/votes', (gateway) => {
  const fixture = withInstance(gateway)
  const votes = async (messageId: string, query: Record<string, string> = {}) =>
    (await fixture()).mine.call('getPollVotes', { params: { messageId }, query })
  const sendPoll = async () => {
    const { mine, instance } = await fixture()
    const poll = { pollName: 'Lunch?', options: ['Pizza', 'Salad'], selectableCount: 2 }
    const body = { instanceName: instance.name, number: '5511912345678', ...poll }
    return (await mine.call('sendPoll', { body })).json.messageId as string
  }
  /** A vote as it is stored. */
  const vote = async (pollId: string, voter: string, options: string[] | null) => {
    const running = await fixture()
    const id = await receive(running, null)
    await running.store.db
      .updateTable('messages')
      .set({
        kind: 'poll_vote',
        chat: CHAT,
        content: JSON.stringify({ targetMessageId: pollId, options, from: { jid: voter } }),
      })
      .where('id', '=', id)
      .execute()
  }

  test('200 counts the last vote of each person, and none of another poll', async () => {
    const [poll, other] = [await sendPoll(), await sendPoll()]
    await vote(poll, 'ana@s.whatsapp.net', ['Pizza'])
    await vote(poll, 'ana@s.whatsapp.net', ['Salad'])
    await vote(poll, 'bob@s.whatsapp.net', ['Pizza', 'Salad'])
    await vote(poll, 'cat@s.whatsapp.net', null)
    await vote(other, 'dan@s.whatsapp.net', ['Pizza'])
    const { status, json } = await votes(poll)
    assert.equal(status, 200)
    assert.deepEqual(json.poll, {
      messageId: poll,
      instanceName: (await fixture()).instance.name,
      name: 'Lunch?',
      voters: 2,
      unreadable: 1,
      options: [
        { name: 'Pizza', votes: 1, voters: ['bob@s.whatsapp.net'] },
        { name: 'Salad', votes: 2, voters: ['bob@s.whatsapp.net', 'ana@s.whatsapp.net'] },
      ],
    })
  })

  test('404 when the message or the instance is unknown, or belongs to another account', async () => {
    const running = await fixture()
    const theirs = await sentText(running, await running.account())
    for (const messageId of ['3EB0000000000000000000', theirs.messageId]) {
      const answer = await votes(messageId)
      assert.deepEqual([answer.status, answer.json.reason], [404, 'message_not_found'])
    }
    const answer = await votes(await sendPoll(), { instanceName: 'unknown-00000000' })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })

  test('409 when the message is not a poll', async () => {
    const { messageId } = await sentText(await fixture())
    const answer = await votes(messageId)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_a_poll'])
  })
})
