// Keys whose sends wait for approval, on every route: nothing reaches the other side, and nothing is destroyed, before a person decides.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_WALLS, wallAdmits } from '../../src/contract/wall-values.ts'
import { writeToCaller } from '../../src/receiving/recorder.ts'
import { sendAutomatically } from '../../src/sending/automatic.ts'
import { flag } from '../../src/store/tables.ts'
import { contract } from '../support/gateway.ts'
import { shared } from './fixture.ts'
import { apiRoutes, makeThings, sampleCalls } from './sample-calls.ts'

/** Calls of the network that such a key may cause: they read, change only the devices of the owner, or say what people do at once. */
const ALLOWED_CALLS = new Set([
  'check',
  'checkNumber',
  'chatPicture',
  'profilePicture',
  'downloadMedia',
  'markRead',
  'showPresence',
  'changeChat',
  'starMessage',
  'labelChat',
  'requestHistory',
  'personFacts',
  'blocklist',
  'followPresence',
  // To follow presence, the account has to be online.
  'applySettings',
  'ownProfile',
  'refreshGroup',
  'groupInvite',
  'previewInvite',
  'listJoinRequests',
  'restart',
  'pair',
  'qr',
  'begin',
  'passkey',
  'answerPasskey',
  'confirmPasskey',
  'cancelPasskey',
  'openPasskeyLink',
])

const GROUP = '120363000000000000@g.us'

contract('every route: keys whose sends wait for approval', (gateway) => {
  const prepared = shared(async () => {
    const running = await gateway()
    const mine = await running.account()
    const things = await makeThings(running, mine)
    const row = await running.store.db
      .selectFrom('instances')
      .select('id')
      .where('api_name', '=', things.instance)
      .executeTakeFirstOrThrow()
    const made = await mine.call('createApiKey', { body: { name: 'Waiting', approval: true } })
    const calls: string[] = []
    const script = running.sessions.script as unknown as Record<string, (...given: unknown[]) => unknown>
    for (const [name, call] of Object.entries(script))
      script[name] = (...given) => {
        calls.push(name)
        return call(...given)
      }
    return { ...running, mine, things, instanceId: row.id, waiting: made.json.key as string, calls }
  })

  const changing = apiRoutes.filter(({ method }) => method !== 'GET')
  const open = changing.filter(({ wall = 'refused' }) => wallAdmits({ ...NO_WALLS, approval: true }, wall))
  for (const { id, title } of open)
    test(`${title} sends nothing before its approval`, async () => {
      const { mine, things, store, instanceId, waiting, calls } = await prepared()
      const queued = async () =>
        (
          await store.db
            .selectFrom('messages')
            .select('id')
            .where('instance_id', '=', instanceId)
            .where('direction', '=', 'outgoing')
            .where('status', 'in', ['queued', 'scheduled', 'sending', 'sent'])
            .execute()
        ).map((row) => row.id)
      const before = await queued()
      calls.length = 0
      const answer = await mine.call(id, { ...sampleCalls[id](things), key: waiting })
      assert.notEqual(answer.json?.reason, 'outside_walls')
      assert.deepEqual(
        (await queued()).filter((one) => !before.includes(one)),
        [],
      )
      assert.deepEqual(
        calls.filter((name) => !ALLOWED_CALLS.has(name)),
        [],
      )
    })

  test('the timer of a person waits for approval, and that of a group is refused', async () => {
    const { mine, things, store, instanceId, waiting, calls } = await prepared()
    await store.db
      .insertInto('chats')
      .values({
        instance_id: instanceId,
        jid: GROUP,
        is_group: flag(true),
        name: 'Team',
        push_name: null,
        last_message_text: null,
        last_message_at: null,
        active_at: 1,
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    const change = (chat: string) =>
      mine.call('updateChat', {
        body: { instanceName: things.instance, chat, disappearingSeconds: 86_400, archived: true },
        key: waiting,
      })
    const person = await change('5511912345678@s.whatsapp.net')
    assert.equal(person.status, 200)
    const message = await mine.call('getMessage', { params: { messageId: person.json.messageId } })
    assert.equal(message.json.message.status, 'awaiting_approval')
    calls.length = 0
    const group = await change(GROUP)
    assert.deepEqual([group.status, group.json.reason], [403, 'outside_walls'])
    assert.deepEqual(calls, [])
  })
})

contract('automatic texts count as sends of the key that wanted them', (gateway) => {
  const prepared = shared(async () => {
    const running = await gateway()
    const mine = await running.account()
    const { name, id } = await running.openInstance(mine)
    const keyWith = async (walls: object) =>
      (await mine.call('createApiKey', { body: { name: 'Limited', ...walls } })).json as {
        key: string
        apiKey: { id: number }
      }
    const deps = { store: running.store, clock: running.clock.now, wakeSending: () => undefined }
    /** As when the person has called and was rejected. */
    const declined = (callId: string, rejectCallsText: string) =>
      writeToCaller(deps, id, { rejectCallsText }, {
        id: callId,
        from: { jid: '5511912345678@s.whatsapp.net', phone: '5511912345678' },
        isGroup: false,
      } as never)
    const texts = async () =>
      (await mine.call('listMessages', { query: { instanceName: name } })).json.messages as {
        status: string
        content: { message: string }
      }[]
    return { ...running, mine, name, id, keyWith, deps, texts, declined }
  })

  test('the text for callers is sent as often as the key that has set it may send', async () => {
    const { mine, name, keyWith, texts, declined } = await prepared()
    const limited = await keyWith({ messagesPerDay: 2 })
    const query = { instanceName: name }
    const body = { rejectCalls: true, rejectCallsText: 'Please write.' }
    assert.equal((await mine.call('updateSettings', { query, body, key: limited.key })).status, 200)
    for (const callId of ['A', 'B', 'C']) await declined(callId, 'Please write.')
    assert.equal((await texts()).filter(({ content }) => content.message === 'Please write.').length, 2)
    const sent = await mine.call('sendText', {
      body: { instanceName: name, number: '5511912345678', message: 'x' },
      key: limited.key,
    })
    assert.deepEqual([sent.status, sent.json.reason], [429, 'key_limit_reached'])
    // From now on it is the text of a key without limits.
    await mine.call('updateSettings', { query, body })
    await declined('D', 'Please write.')
    assert.equal((await texts()).filter(({ content }) => content.message === 'Please write.').length, 3)
  })

  test('another change of the settings does not change whose text it is', async () => {
    const { mine, name, keyWith, texts, declined } = await prepared()
    const limited = await keyWith({ messagesPerDay: 1 })
    const query = { instanceName: name }
    const body = { rejectCallsText: 'Only once.' }
    await mine.call('updateSettings', { query, body, key: limited.key })
    await mine.call('updateSettings', { query, body: { ignoreGroups: true } })
    for (const callId of ['E', 'F']) await declined(callId, 'Only once.')
    assert.equal((await texts()).filter(({ content }) => content.message === 'Only once.').length, 1)
  })

  test('an automatic text of a key whose sends wait for approval waits as well', async () => {
    const { id, keyWith, deps, texts } = await prepared()
    const { apiKey } = await keyWith({ approval: true })
    const to = { number: '5511912345678' }
    assert.equal(
      await sendAutomatically(deps, id, { to, text: 'Away.', key: 'away', keyId: apiKey.id }),
      true,
    )
    assert.equal(
      (await texts()).find(({ content }) => content.message === 'Away.')?.status,
      'awaiting_approval',
    )
  })
})
