// POST /chats/presence
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { CHAT } from './chat-rules.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { liveRules, sampleCall } from './group-rules.ts'

contract('POST /chats/presence', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'showPresence')
  liveRules(fixture, { id: 'showPresence', script: 'showPresence' })

  test('200 passes presence and seconds on; 10 seconds by default', async () => {
    const running = await fixture()
    const requested: unknown[] = []
    const given = { instanceName: running.instance.name, chat: CHAT }
    await scripted(
      running,
      {
        async showPresence(...args) {
          requested.push(args)
        },
      },
      async () => {
        const answer = await call({ body: { ...given, presence: 'typing' } })
        assert.equal(answer.status, 200)
        assert.deepEqual(answer.json, { success: true, chat: CHAT, presence: 'typing', seconds: 10 })
        await call({ body: { ...given, presence: 'recording', seconds: 120 } })
        await call({ body: { ...given, presence: 'paused', seconds: 1 } })
      },
    )
    const { id } = running.instance
    assert.deepEqual(requested, [
      [id, CHAT, 'typing', 10],
      [id, CHAT, 'recording', 120],
      [id, CHAT, 'paused', 1],
    ])
  })

  test('400 when a field is not valid', async () => {
    const { instance } = await fixture()
    const wrong: [Record<string, unknown>, string[]][] = [
      [{ presence: 'available' }, ['presence']],
      [{ presence: undefined }, ['presence']],
      [{ seconds: 0 }, ['seconds']],
      [{ seconds: 121 }, ['seconds']],
      [{ seconds: 1.5 }, ['seconds']],
      [{ chat: '5511912345678' }, ['chat']],
    ]
    for (const [change, paths] of wrong) {
      const body = { instanceName: instance.name, chat: CHAT, presence: 'typing', ...change }
      const answer = await call({ body })
      assert.equal(answer.status, 400, JSON.stringify(change))
      assert.deepEqual(faultPaths(answer), paths)
    }
  })
})
