// GET, POST, PATCH and DELETE /labels, and the labels of chats
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import type { NetworkLabel } from '../../src/network/chats.ts'
import { contract } from '../support/gateway.ts'
import { CHAT, report, storeChat } from './chat-rules.ts'
import { type Fixture, faultPaths, scripted, withInstance } from './fixture.ts'
import { FOR_CHANGES, liveRules, sampleCall } from './group-rules.ts'

const label = (change: Partial<NetworkLabel> = {}): NetworkLabel => ({
  labelId: '6',
  name: 'Follow up',
  color: 5,
  predefinedId: null,
  deleted: false,
  ...change,
})
type Running = Pick<Fixture, 'store' | 'clock'>
const store = (running: Running, instanceId: number, change: Partial<NetworkLabel> = {}) =>
  report(running, instanceId, { kind: 'label', ...label(change), isInitial: false })
const give = (running: Running, instanceId: number, labeled = true, chat = CHAT) =>
  report(running, instanceId, { kind: 'chat_label', chat, labelId: '6', labeled, atMs: 0, isInitial: false })
/** A network that carries out what is asked of it. */
const obedient = (running: Running) => ({
  saveLabel: (instanceId: number, saved: NetworkLabel) =>
    report(running, instanceId, { kind: 'label', ...saved, isInitial: false }),
  labelChat: (instanceId: number, chat: string, labelId: string, labeled: boolean) =>
    report(running, instanceId, { kind: 'chat_label', chat, labelId, labeled, atMs: 0, isInitial: false }),
})

async function eventsOf({ mine, instance }: Fixture, names: string) {
  const query = { instanceName: instance.name, events: names, before: 'end', limit: 100 }
  return (await mine.call('listEvents', { query })).json.events.map(({ data }: { data: object }) => data)
}

function unknownLabelRule(fixture: () => Promise<Fixture>, id: RouteId): void {
  test('404 when the instance has no such label, or it is deleted', async () => {
    const running = await fixture()
    await store(running, running.instance.id, { labelId: '7', deleted: true })
    for (const labelId of ['7', '99']) {
      const answer = await sampleCall(fixture, id)({ params: { labelId } })
      assert.deepEqual([answer.status, answer.json.reason], [404, 'label_not_found'])
    }
  })
}

contract('GET /labels', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'listLabels')

  test('200 lists the labels in the order of their ids, with the number of their chats', async () => {
    const running = await fixture()
    const { id } = running.instance
    assert.deepEqual((await call()).json.labels, [])
    await store(running, id, { labelId: '10', name: 'Paid', color: 1 })
    await store(running, id)
    await store(running, id, { labelId: '7', deleted: true })
    await storeChat(running, id)
    await give(running, id)
    const { status, json } = await call()
    assert.deepEqual([status, json.count, json.instance.id], [200, 2, id])
    assert.deepEqual(json.labels, [
      { id: '6', name: 'Follow up', color: 5, chats: 1 },
      { id: '10', name: 'Paid', color: 1, chats: 0 },
    ])
  })

  test('404 when the instance does not exist', async () => {
    const answer = await call({ query: { instanceName: 'support-00000000' } })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })

  test('400 without an instance', async () => {
    assert.deepEqual(faultPaths(await call({ query: {} })), ['instanceName'])
  })
})

contract('POST /labels', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'createLabel')
  liveRules(fixture, { id: 'createLabel', script: 'saveLabel', refusals: FOR_CHANGES })

  test('200 creates a label with the next id and a colour that no other has', async () => {
    const running = await fixture()
    const { id, name: instanceName } = running.instance
    await store(running, id, { labelId: '30', color: 0 })
    const body = { instanceName, name: 'New' }
    const [first, second] = await scripted(running, obedient(running), async () => [
      await call({ body }),
      await call({ body: { ...body, color: 7 } }),
    ])
    assert.ok(first && second)
    assert.deepEqual([first.status, first.json.label], [200, { id: '31', name: 'New', color: 1, chats: 0 }])
    assert.deepEqual(second.json.label, { id: '32', name: 'New', color: 7, chats: 0 })
    const [last] = await eventsOf(running, 'labels.update')
    assert.deepEqual(last, { labelId: '32', name: 'New', color: 7, deleted: false })
  })

  test('labels that the network refuses are not listed, and their ids are not used again', async () => {
    const running = await fixture()
    const { name } = running.instance
    const before_ = await running.mine.call('listLabels', { query: { instanceName: name } })
    const ids: string[] = []
    const fail = async (_instanceId: number, { labelId }: NetworkLabel) => {
      ids.push(labelId)
      const { NetworkError } = await import('../../src/network/network.ts')
      throw new NetworkError('refused', 'scripted', undefined, 400)
    }
    await scripted(running, { saveLabel: fail }, () => Promise.all([call(), call()]))
    assert.equal(new Set(ids).size, 2)
    const after = await running.mine.call('listLabels', { query: { instanceName: name } })
    assert.deepEqual(after.json.labels, before_.json.labels)
  })

  test('409 when the instance has 20 labels', async () => {
    const running = await fixture()
    const { id } = running.instance
    for (let labelId = 1; labelId <= 20; labelId += 1) await store(running, id, { labelId: String(labelId) })
    const answer = await call()
    assert.deepEqual([answer.status, answer.json.reason], [409, 'labels_full'])
    for (let labelId = 1; labelId <= 20; labelId += 1)
      await store(running, id, { labelId: String(labelId), deleted: true })
  })

  test('400 when name or color is not valid', async () => {
    const { instance } = await fixture()
    const wrong: [object, string][] = [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'a\nb' }, 'name'],
      [{ name: 'A', color: 20 }, 'color'],
      [{ name: 'A', color: -1 }, 'color'],
    ]
    for (const [given, path] of wrong) {
      const answer = await call({ body: { instanceName: instance.name, ...given } })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [path])
    }
  })
})

contract('PATCH /labels/{labelId}', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'updateLabel')
  before(async () => {
    const running = await fixture()
    await store(running, running.instance.id, { predefinedId: 2 })
  })
  liveRules(fixture, { id: 'updateLabel', script: 'saveLabel', refusals: FOR_CHANGES })
  unknownLabelRule(fixture, 'updateLabel')

  test('200 changes only what is given, and keeps the kind of the label', async () => {
    const running = await fixture()
    const saved: NetworkLabel[] = []
    const { saveLabel } = obedient(running)
    const remember = (instanceId: number, given: NetworkLabel) => {
      saved.push(given)
      return saveLabel(instanceId, given)
    }
    const answer = await scripted(running, { saveLabel: remember }, () => call())
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json.label, { id: '6', name: 'Call back', color: 5, chats: 0 })
    assert.deepEqual(saved, [label({ name: 'Call back', predefinedId: 2 })])
    const recolored = { instanceName: running.instance.name, color: 0 }
    const second = await scripted(running, { saveLabel }, () => call({ body: recolored }))
    assert.deepEqual([second.json.label.name, second.json.label.color], ['Call back', 0])
  })

  test('400 without a change, or with an id that is not valid', async () => {
    const { instance } = await fixture()
    assert.equal((await call({ body: { instanceName: instance.name } })).status, 400)
    assert.deepEqual(faultPaths(await call({ params: { labelId: 'x'.repeat(21) } })), ['labelId'])
  })
})

contract('DELETE /labels/{labelId}', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'deleteLabel')
  before(async () => {
    const running = await fixture()
    await store(running, running.instance.id)
  })
  liveRules(fixture, { id: 'deleteLabel', script: 'saveLabel', refusals: FOR_CHANGES })
  unknownLabelRule(fixture, 'deleteLabel')

  test('200 deletes the label and takes it from its chats', async () => {
    const running = await fixture()
    const { id, name } = running.instance
    await storeChat(running, id)
    await give(running, id)
    const answer = await scripted(running, obedient(running), () => call())
    assert.deepEqual([answer.status, answer.json.id], [200, '6'])
    const { json } = await running.mine.call('listChats', { query: { instanceName: name } })
    assert.deepEqual(json.chats[0].labels, [])
    const [last] = await eventsOf(running, 'labels.update')
    assert.deepEqual(last, { labelId: '6', name: 'Follow up', color: 5, deleted: true })
    // A label of the same id that the phone makes later has no chats.
    await store(running, id)
    const again = await running.mine.call('listLabels', { query: { instanceName: name } })
    assert.equal(again.json.labels[0].chats, 0)
  })

  test('400 without an instance', async () => {
    assert.deepEqual(faultPaths(await call({ query: {} })), ['instanceName'])
  })
})

for (const id of ['labelChat', 'unlabelChat'] as const)
  contract(`${id === 'labelChat' ? 'POST' : 'DELETE'} /labels/{labelId}/chats`, (gateway) => {
    const fixture = withInstance(gateway)
    const call = sampleCall(fixture, id)
    const labeled = id === 'labelChat'
    const addressed = (address: object, instanceName: string) => {
      const input = { instanceName, ...address }
      return labeled ? { body: input } : { query: input as Record<string, string> }
    }
    before(async () => {
      const running = await fixture()
      await store(running, running.instance.id)
      await storeChat(running, running.instance.id)
      if (!labeled) await give(running, running.instance.id)
    })
    liveRules(fixture, { id, script: 'labelChat', refusals: FOR_CHANGES })
    unknownLabelRule(fixture, id)

    test('200 changes the labels of the chat, and reports the change once', async () => {
      const running = await fixture()
      const { name } = running.instance
      const calls: unknown[] = []
      const { labelChat } = obedient(running)
      const remember = (instanceId: number, ...given: [string, string, boolean]) => {
        calls.push(given)
        return labelChat(instanceId, ...given)
      }
      const number = CHAT.split('@')[0] ?? ''
      const [first, second] = await scripted(running, { labelChat: remember }, async () => [
        await call(),
        await call(addressed({ number }, name)),
      ])
      const shown = labeled ? [{ id: '6', name: 'Follow up', color: 5 }] : []
      assert.deepEqual([first?.status, first?.json.chat.labels], [200, shown])
      assert.deepEqual([second?.status, second?.json.chat.labels], [200, shown])
      assert.deepEqual(calls, [
        [CHAT, '6', labeled],
        [CHAT, '6', labeled],
      ])
      const events = await eventsOf(running, 'labels.association')
      assert.equal(events.length, labeled ? 1 : 2)
      const [last] = events
      assert.deepEqual([last.chat, last.labelId, last.name, last.labeled], [CHAT, '6', 'Follow up', labeled])
      const listed = await running.mine.call('listChats', { query: { instanceName: name, label: '6' } })
      assert.equal(listed.json.count, labeled ? 1 : 0)
    })

    test('404 when the instance has no such chat', async () => {
      const { instance } = await fixture()
      const answer = await call(addressed({ chat: '5511900000000@s.whatsapp.net' }, instance.name))
      assert.deepEqual([answer.status, answer.json.reason], [404, 'chat_not_found'])
    })

    test('400 without a chat', async () => {
      const { instance } = await fixture()
      assert.equal((await call(addressed({}, instance.name))).status, 400)
    })
  })
