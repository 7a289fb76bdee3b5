// GET /users, PUT /chats/assignee, and GET, POST, PATCH and DELETE /quick-replies
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, contractOnEachEngine } from '../support/gateway.ts'
import { CHAT, storeChat } from './chat-rules.ts'
import { type Fixture, faultPaths, withInstance } from './fixture.ts'
import { sampleCall } from './group-rules.ts'

const addUser = async ({ call, mine }: Pick<Fixture, 'call' | 'mine'>, name: string): Promise<number> => {
  const email = `${name.toLowerCase()}@example.com`
  const made = await call('adminCreateUser', { params: { id: mine.id }, body: { name, email } })
  return made.json.user.id as number
}

contract('GET /users', (gateway) => {
  const fixture = withInstance(gateway)

  test('200 lists the users of the account by id and name only', async () => {
    const running = await fixture()
    const ids = [await addUser(running, 'Ana'), await addUser(running, 'Ben')]
    const other = await running.account()
    const { status, json } = await running.mine.call('listUsers')
    assert.deepEqual([status, json.count, json.hasMore], [200, 2, false])
    assert.deepEqual(json.users, [
      { id: ids[0], name: 'Ana' },
      { id: ids[1], name: 'Ben' },
    ])
    assert.deepEqual((await other.call('listUsers')).json.users, [])
  })

  test('400 when limit is not valid', async () => {
    const { mine } = await fixture()
    assert.deepEqual(faultPaths(await mine.call('listUsers', { query: { limit: 0 } })), ['limit'])
  })
})

contract('PUT /chats/assignee', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'assignChat')
  const assigned = async (userId: unknown, chat = CHAT) => {
    const { instance } = await fixture()
    return call({ body: { instanceName: instance.name, chat, userId } })
  }
  const updates = async () => {
    const { mine, instance } = await fixture()
    const query = { instanceName: instance.name, events: 'chats.update', limit: 500 }
    const { json } = await mine.call('listEvents', { query })
    return json.events.map(({ data }: { data: { assignedTo: number | null } }) => data.assignedTo)
  }
  const listedWith = async (assignedTo: string) => {
    const { mine, instance } = await fixture()
    const { json } = await mine.call('listChats', { query: { instanceName: instance.name, assignedTo } })
    return json.chats?.map(({ chat }: { chat: string }) => chat)
  }

  test('200 assigns the chat, filters the list by it, and writes an event for each change', async () => {
    const running = await fixture()
    const other = '5511900000007@s.whatsapp.net'
    await storeChat(running, running.instance.id)
    await storeChat(running, running.instance.id, other)
    const ana = await addUser(running, 'Ana')
    const answer = await assigned(ana)
    assert.deepEqual([answer.status, answer.json.chat.assignedTo], [200, ana])
    assert.deepEqual(await listedWith(String(ana)), [CHAT])
    assert.deepEqual(await listedWith('none'), [other])
    await assigned(ana)
    assert.equal((await assigned(null)).json.chat.assignedTo, null)
    assert.deepEqual(await listedWith(String(ana)), [])
    assert.deepEqual(await updates(), [ana, null], 'a call that changes nothing writes no event')
  })

  test('a chat is assigned to none when its user is deleted', async () => {
    const running = await fixture()
    await storeChat(running, running.instance.id)
    const userId = await addUser(running, 'Eva')
    await assigned(userId)
    await running.call('adminDeleteUser', { params: { id: running.mine.id, userId } })
    assert.deepEqual(await listedWith(String(userId)), [])
    assert.ok((await listedWith('none')).includes(CHAT))
  })

  test('404 when the account has no such user, also when another one has', async () => {
    const running = await fixture()
    await storeChat(running, running.instance.id)
    const elsewhere = await addUser({ call: running.call, mine: await running.account() }, 'Zoe')
    for (const userId of [elsewhere, 999_999_999]) {
      const answer = await assigned(userId)
      assert.deepEqual([answer.status, answer.json.reason], [404, 'user_not_found'])
    }
  })

  test('404 when the instance or the chat does not exist', async () => {
    const unknown = await call({ body: { instanceName: 'support-00000000', chat: CHAT, userId: null } })
    assert.deepEqual([unknown.status, unknown.json.reason], [404, 'instance_not_found'])
    const answer = await assigned(null, '5511900000099@s.whatsapp.net')
    assert.deepEqual([answer.status, answer.json.reason], [404, 'chat_not_found'])
  })

  test('400 names the field', async () => {
    const { instance, mine } = await fixture()
    assert.deepEqual(faultPaths(await assigned('ana')), ['userId'])
    assert.deepEqual(faultPaths(await call({ body: { instanceName: instance.name, userId: 1 } })), ['number'])
    const query = { instanceName: instance.name, assignedTo: 'ana' }
    assert.deepEqual(faultPaths(await mine.call('listChats', { query })), ['assignedTo'])
  })
})

const QUICK_REPLIES = [
  'GET /quick-replies',
  'POST /quick-replies',
  'PATCH /quick-replies/{id}',
  'DELETE /quick-replies/{id}',
]
contractOnEachEngine(QUICK_REPLIES.join(', '), (gateway) => {
  const fixture = withInstance(gateway)
  const create = async (shortcut: unknown, text: unknown = 'We are open from 9 to 18.') =>
    (await fixture()).mine.call('createQuickReply', { body: { shortcut, text } })
  const update = async (id: number, body: object) =>
    (await fixture()).mine.call('updateQuickReply', { params: { id }, body })
  const shortcuts = async () => {
    const { json } = await (await fixture()).mine.call('listQuickReplies')
    return json.quickReplies.map(({ shortcut }: { shortcut: string }) => shortcut)
  }

  test('200 creates, lists by shortcut, changes and deletes them', async () => {
    const { mine, account } = await fixture()
    const made = await create('Horário')
    assert.equal(made.status, 200, JSON.stringify(made.json))
    const { id, shortcut, text } = made.json.quickReply
    assert.deepEqual([shortcut, text], ['horário', 'We are open from 9 to 18.'])
    await create('address', 'Rua Augusta, 1\nSão Paulo')
    assert.deepEqual(await shortcuts(), ['address', 'horário'])
    const changed = await update(id, { shortcut: 'HOURS' })
    assert.deepEqual([changed.json.quickReply.shortcut, changed.json.quickReply.text], ['hours', text])
    const deleted = await mine.call('deleteQuickReply', { params: { id } })
    assert.deepEqual([deleted.status, deleted.json.id, await shortcuts()], [200, id, ['address']])
    assert.deepEqual((await (await account()).call('listQuickReplies')).json.quickReplies, [])
  })

  test('409 when the account has the shortcut already, also for concurrent calls', async () => {
    const answers = await Promise.all([create('twice'), create('TWICE')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const other = await create('other')
    const taken = await update(other.json.quickReply.id, { shortcut: 'twice' })
    for (const answer of [answers.find(({ status }) => status === 409), taken])
      assert.equal(answer?.json.reason, 'quick_reply_exists')
  })

  test('404 when the account has no such quick reply, also when another one has', async () => {
    const { mine, account } = await fixture()
    const other = await account()
    const made = await create('private')
    const { id } = made.json.quickReply
    for (const [caller, target] of [
      [other, id],
      [mine, 999_999_999],
    ] as const) {
      const params = { id: target }
      const changed = await caller.call('updateQuickReply', { params, body: { text: 'x' } })
      const deleted = await caller.call('deleteQuickReply', { params })
      for (const answer of [changed, deleted])
        assert.deepEqual([answer.status, answer.json.reason], [404, 'quick_reply_not_found'])
    }
  })

  test('409 when the account has 200 quick replies', async () => {
    const { store, account } = await fixture()
    const full = await account()
    const rows = Array.from({ length: 200 }, (_, index) => ({
      account_id: full.id,
      shortcut: `s${index}`,
      text: 'text',
      created_at: 1,
      updated_at: 1,
    }))
    await store.db.insertInto('quick_replies').values(rows).execute()
    const answer = await full.call('createQuickReply', { body: { shortcut: 'more', text: 'x' } })
    assert.deepEqual([answer.status, answer.json.reason], [409, 'quick_replies_full'])
  })

  test('400 names the field', async () => {
    for (const shortcut of ['', '/hours', 'two words', 'a'.repeat(33), 7])
      assert.deepEqual(faultPaths(await create(shortcut)), ['shortcut'])
    for (const text of ['', ' \n', 'x'.repeat(4097), null])
      assert.deepEqual(faultPaths(await create('fine', text)), ['text'])
    const { id } = (await create('whole')).json.quickReply
    assert.equal((await update(id, {})).status, 400)
  })
})
