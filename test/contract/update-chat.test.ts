// PATCH /chats
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { CHAT, receiveTexts, report, storeChat, unknownChatRule } from './chat-rules.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { FOR_ADMINS, FOR_CHANGES, GROUP, liveRules, reportGroup, sampleCall } from './group-rules.ts'
import { usedUpKey } from './key-limit.ts'
import { storedMessages } from './sender.ts'

contract('PATCH /chats', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'updateChat')
  before(async () => {
    const running = await fixture()
    await storeChat(running, running.instance.id)
    await storeChat(running, running.instance.id, GROUP)
    await reportGroup(running, running.instance.id)
  })
  liveRules(fixture, { id: 'updateChat', script: 'changeChat', refusals: FOR_CHANGES })
  unknownChatRule(fixture, 'updateChat')
  const change = async (settings: Record<string, unknown>, chat = CHAT) => {
    const { instance } = await fixture()
    return call({ body: { instanceName: instance.name, chat, ...settings } })
  }

  test('200 passes only the given settings on, with the last message, and returns the stored chat', async () => {
    const running = await fixture()
    await receiveTexts(running, ['U1', 'U2'])
    const requested: unknown[] = []
    const answer = await scripted(
      running,
      {
        async changeChat(instanceId, chat, settings, last) {
          requested.push([chat, settings, last?.messageId])
          const change = {
            kind: 'chat_settings',
            chat,
            throughMs: running.clock.now(),
            isInitial: false,
          } as const
          await report(running, instanceId, { ...change, ...settings })
        },
      },
      () => change({ archived: true, mutedUntil: '2999-01-01T01:00:00+01:00', unread: false }),
    )
    assert.equal(answer.status, 200)
    const mutedUntil = Date.UTC(2999, 0, 1)
    assert.deepEqual(requested, [[CHAT, { archived: true, mutedUntil, unread: false }, 'U2']])
    const { archived, pinned, unread, unreadCount } = answer.json.chat
    assert.deepEqual([archived, pinned, unread, unreadCount], [true, false, false, 0])
    assert.equal(answer.json.chat.mutedUntil, '2999-01-01T00:00:00.000Z')
    assert.equal(answer.json.messageId, null)
  })

  test('200 queues the timer of a person as a message that is not counted', async () => {
    const running = await fixture()
    const answer = await change({ disappearingSeconds: 604_800 })
    assert.equal(answer.status, 200)
    const row = (await storedMessages(running, running.instance.id)).at(-1)
    assert.deepEqual([row?.id, row?.kind, row?.status], [answer.json.messageId, 'disappearing', 'queued'])
    assert.deepEqual(JSON.parse(row?.content ?? ''), { seconds: 604_800 })
    // The chat has the timer when it is sent.
    assert.equal(answer.json.chat.disappearingSeconds, 0)
  })

  test('200 changes the setting of a group at once', async () => {
    const running = await fixture()
    const answer = await scripted(
      running,
      {
        changeGroup: (instanceId, _jid, settings) =>
          reportGroup(running, instanceId, { disappearingSeconds: settings.disappearingSeconds ?? 0 }),
      },
      () => change({ disappearingSeconds: 86_400 }, GROUP),
    )
    assert.equal(answer.status, 200)
    assert.deepEqual([answer.json.chat.disappearingSeconds, answer.json.messageId], [86_400, null])
  })

  for (const [kind, [status, reason]] of Object.entries(FOR_ADMINS))
    test(`${status} with ${reason} when the network does not let the instance change a group`, async () => {
      const { NetworkError } = await import('../../src/network/network.ts')
      const refuse = () => {
        throw new NetworkError(kind as keyof typeof FOR_ADMINS, 'scripted', undefined, 403)
      }
      const answer = await scripted(await fixture(), { changeGroup: refuse }, () =>
        change({ disappearingSeconds: 0 }, GROUP),
      )
      assert.deepEqual([answer.status, answer.json.reason], [status, reason])
    })

  test('429 when the key has used its messages of the day', async () => {
    const running = await fixture()
    const key = await usedUpKey(running, running.mine)
    const body = { instanceName: running.instance.name, chat: CHAT, disappearingSeconds: 0 }
    const answer = await running.mine.call('updateChat', { body, key })
    assert.deepEqual([answer.status, answer.json.reason], [429, 'key_limit_reached'])
  })

  test('429 when the queue of the instance is full', async () => {
    const running = await fixture()
    const { id } = running.instance
    const setDepth = (queued_count: number) =>
      running.store.db.updateTable('instances').set({ queued_count }).where('id', '=', id).execute()
    await setDepth(1_000_000)
    const answer = await change({ disappearingSeconds: 0 })
    await setDepth(0)
    assert.deepEqual([answer.status, answer.json.reason], [429, 'queue_full'])
  })

  test('400 when no setting or a setting that is not valid is given', async () => {
    const wrong: [Record<string, unknown>, string[]][] = [
      [{}, ['']],
      [{ archived: null }, ['archived']],
      [{ mutedUntil: 'tomorrow' }, ['mutedUntil']],
      [{ mutedUntil: '2001-01-01T00:00:00Z' }, ['mutedUntil']],
      [{ pinned: 1 }, ['pinned']],
      [{ unread: 'yes' }, ['unread']],
      [{ disappearingSeconds: 3600 }, ['disappearingSeconds']],
      [{ muted: true }, ['', 'muted']],
    ]
    for (const [settings, paths] of wrong) {
      const answer = await change(settings)
      assert.equal(answer.status, 400, JSON.stringify(settings))
      assert.deepEqual(faultPaths(answer), paths)
    }
  })
})
