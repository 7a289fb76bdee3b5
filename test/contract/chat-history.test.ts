// GET /chats/history
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { recordHistoryChats } from '../../src/chats/chat-reports.ts'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { CHAT, receiveTexts, unknownChatRule } from './chat-rules.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { sampleCall } from './group-rules.ts'
import { sampleCalls, UNKNOWN } from './sample-calls.ts'

const OLD_MS = Date.UTC(2020, 0, 1)

contract('GET /chats/history', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'chatHistory')
  before(async () => {
    const running = await fixture()
    await receiveTexts(running, ['H3', 'H4'])
    // Stored later, but older.
    await receiveTexts(running, ['H1'], { isHistory: true, sentAtMs: OLD_MS })
    await receiveTexts(running, ['H2'], { isHistory: true, sentAtMs: OLD_MS + 60_000 })
  })
  unknownChatRule(fixture, 'chatHistory')

  /** The answer, and the request to the phone. */
  const ask = async (more: Record<string, unknown>) => {
    const running = await fixture()
    const requested: unknown[] = []
    const answer = await scripted(
      running,
      {
        async requestHistory(_instanceId, chat, oldest, count) {
          requested.push([chat, oldest.messageId, oldest.sentAtMs, count])
        },
      },
      () => call({ query: { instanceName: running.instance.name, chat: CHAT, ...more } }),
    )
    const ids = answer.json.messages?.map(({ messageId }: { messageId: string }) => messageId)
    return { answer, ids, requested }
  }

  test('200 lists stored messages latest first, in the order of their time', async () => {
    const full = await ask({ limit: 3 })
    assert.deepEqual(
      [full.answer.status, full.ids, full.answer.json.moreComing],
      [200, ['H4', 'H3', 'H2'], false],
    )
    assert.deepEqual(full.requested, [])
    const flags = full.answer.json.messages.map(({ historical }: { historical: boolean }) => historical)
    assert.deepEqual(flags, [false, false, true])
  })

  test('200 requests older messages from the phone when the store has not enough', async () => {
    const { answer, ids, requested } = await ask({ before: 'H3', limit: 20 })
    assert.deepEqual([ids, answer.json.moreComing, answer.json.limit], [['H2', 'H1'], true, 20])
    assert.deepEqual(requested, [[CHAT, 'H1', OLD_MS, 20]])
  })

  test('200 lists the messages before a time', async () => {
    const { ids } = await ask({ before: new Date(OLD_MS + 60_000).toISOString(), limit: 1 })
    assert.deepEqual(ids, ['H1'])
  })

  test('200 without more to come when the phone cannot be reached, or has no older messages', async () => {
    const running = await fixture()
    const input = { query: { instanceName: running.instance.name, chat: CHAT } }
    for (const kind of ['unavailable', 'timeout', 'refused'] as const) {
      const fail = () => {
        throw new NetworkError(kind, 'scripted')
      }
      const answer = await scripted(running, { requestHistory: fail }, () => call(input))
      assert.deepEqual([answer.status, answer.json.count, answer.json.moreComing], [200, 4, false])
    }
    await running.sessions.move(running.instance.id, 'connection_lost')
    assert.equal((await ask({})).answer.json.moreComing, false)
    await running.sessions.move(running.instance.id, 'opened')
    const deps = { store: running.store, clock: running.clock.now }
    await recordHistoryChats(deps, running.instance.id, { endedChats: [CHAT] })
    const ended = await ask({})
    assert.deepEqual([ended.answer.json.moreComing, ended.requested], [false, []])
  })

  test('400 when a field is not valid', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ chat: 'ana' }, 'chat'],
      [{ limit: 0 }, 'limit'],
      [{ limit: 101 }, 'limit'],
      [{ before: '2026-13-45T99:00:00Z' }, 'before'],
    ]
    for (const [more, path] of wrong) {
      const { answer } = await ask(more)
      assert.equal(answer.status, 400, JSON.stringify(more))
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('404 when the instance or the message before which to list is unknown', async () => {
    const { mine } = await fixture()
    const answer = await mine.call('chatHistory', sampleCalls.chatHistory(UNKNOWN))
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
    const unknown = await ask({ before: '3EB0FFFFFFFF' })
    assert.deepEqual([unknown.answer.status, unknown.answer.json.reason], [404, 'message_not_found'])
  })
})
