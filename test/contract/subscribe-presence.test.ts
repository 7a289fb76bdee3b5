// POST /people/presence
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatIds, withPersonIds } from '../../src/chats/rules.ts'
import { recordPresence } from '../../src/contacts/presence.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { liveRules, sampleCall } from './group-rules.ts'

const numberOf = (index: number) => String(5_511_912_000_000 + index)
const jidOf = (number: string) => `${number}@s.whatsapp.net`

contract('POST /people/presence', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'subscribePresence')
  liveRules(fixture, { id: 'subscribePresence', script: 'followPresence' })
  const change = async (body: Record<string, unknown>) => {
    const { mine, openInstance } = await fixture()
    const { name, id } = await openInstance(mine)
    const ask = (more: Record<string, unknown>) =>
      mine.call('subscribePresence', { body: { instanceName: name, ...more } })
    return { name, id, ask, answer: await ask(body) }
  }

  test('200 follows people, goes online, and stops following them', async () => {
    const running = await fixture()
    const requested: unknown[] = []
    const script = {
      applySettings: () => void requested.push('settings'),
      async followPresence(_instanceId: number, jids: string[]) {
        requested.push(jids)
        return jids.map((jid) => ({ jid, lid: '111@lid' }))
      },
    }
    await scripted(running, script, async () => {
      const { answer, ask } = await change({ subscribe: [numberOf(1)] })
      assert.equal(answer.status, 200)
      assert.deepEqual(requested, ['settings', [jidOf(numberOf(1))]])
      assert.deepEqual(answer.json.numbers, [
        { number: numberOf(1), chat: jidOf(numberOf(1)), outcome: 'subscribed' },
      ])
      const [{ updatedAt: _updatedAt, ...followed }] = answer.json.subscriptions
      assert.deepEqual(followed, {
        ...withPersonIds({ jid: jidOf(numberOf(1)), lid: '111@lid', phone: numberOf(1) }),
        presence: null,
        lastSeen: null,
      })
      assert.equal((await ask({ subscribe: [numberOf(1), numberOf(2)] })).json.count, 2)
      const ended = await ask({ unsubscribe: [numberOf(1)] })
      assert.deepEqual([ended.json.count, ended.json.numbers[0].outcome], [1, 'unsubscribed'])
    })
  })

  test('200 with an outcome for a number that is not registered', async () => {
    const checkNumber = (number: string) => ({ exists: number === numberOf(1), jid: jidOf(number) })
    await scripted(await fixture(), { checkNumber }, async () => {
      const { answer, ask } = await change({ subscribe: [numberOf(1), numberOf(2)] })
      assert.deepEqual(
        [answer.json.count, answer.json.numbers[1]],
        [1, { number: numberOf(2), chat: jidOf(numberOf(2)), outcome: 'not_on_network' }],
      )
      const ended = await ask({ unsubscribe: [numberOf(2)] })
      assert.deepEqual([ended.json.count, ended.json.numbers[0].outcome], [1, 'not_on_network'])
    })
  })

  test('200: only changes of followed people become events', async () => {
    const { store, clock, mine } = await fixture()
    const { name, id } = await change({ subscribe: [numberOf(1)] })
    const report = (number: string, presence: 'typing' | 'unavailable', lastSeenMs: number | null = null) => {
      const person = { jid: jidOf(number), lid: null, phone: number, pushName: null }
      return recordPresence({ store, clock: clock.now }, id, {
        person,
        presence,
        lastSeenMs,
        atMs: 1_700_000_000_000,
      })
    }
    await report(numberOf(2), 'typing')
    await report(numberOf(1), 'typing')
    await report(numberOf(1), 'typing')
    await report(numberOf(1), 'unavailable', 1_600_000_000_000)
    await report(numberOf(1), 'unavailable', 1_600_000_000_000)
    const query = { instanceName: name, events: 'presence.update' }
    const { events } = (await mine.call('listEvents', { query })).json
    const at = '2023-11-14T22:13:20.000Z'
    const ids = { jid: jidOf(numberOf(1)), lid: null, phone: numberOf(1), pushName: null }
    const common = { ...chatIds(ids.jid), person: withPersonIds(ids), at }
    assert.deepEqual(
      events.map(({ data }: { data: unknown }) => data),
      [
        { ...common, presence: 'typing', lastSeen: null },
        { ...common, presence: 'unavailable', lastSeen: '2020-09-13T12:26:40.000Z' },
      ],
    )
  })

  test('400 when neither or both lists are given, or a list is not valid', async () => {
    const { instance } = await fixture()
    const wrong: [Record<string, unknown>, string[]][] = [
      [{}, ['subscribe']],
      [{ subscribe: [numberOf(1)], unsubscribe: [numberOf(1)] }, ['subscribe']],
      [{ subscribe: [] }, ['subscribe']],
      [{ subscribe: [numberOf(1), numberOf(1)] }, ['subscribe']],
      [{ unsubscribe: ['ana'] }, ['unsubscribe.0']],
    ]
    for (const [body, paths] of wrong) {
      const answer = await call({ body: { instanceName: instance.name, ...body } })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(faultPaths(answer), paths)
    }
  })

  test('409 when an instance would follow more than 100 people, and nothing is changed', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => numberOf(index))
    const { answer, ask } = await change({ subscribe: hundred })
    assert.equal(answer.json.count, 100)
    const refused = await ask({ subscribe: [numberOf(0), numberOf(100)] })
    assert.deepEqual(
      [refused.status, refused.json.reason, refused.json.used],
      [409, 'subscriptions_full', 100],
    )
    assert.equal((await ask({ subscribe: [numberOf(0)] })).json.count, 100)
  })
})
