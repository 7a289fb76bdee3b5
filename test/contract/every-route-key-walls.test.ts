// Keys with walls, on every route: what is outside gets the same response as what does not exist, or the documented refusal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ensureChat } from '../../src/contacts/contact-queries.ts'
import type { Wall } from '../../src/contract/route.ts'
import { listen } from '../support/event-source.ts'
import { type Answer, contract } from '../support/gateway.ts'
import { scripted, shared } from './fixture.ts'
import { receive } from './received-message.ts'
import { apiRoutes, makeThings, sampleCalls, UNKNOWN } from './sample-calls.ts'

/** The sample calls are about this chat. */
const SAMPLE = '5511912345678@s.whatsapp.net'
const INSIDE = '5511987654321@s.whatsapp.net'
const INSIDE_NUMBER = '5511987654321'

function visible({ status, headers, bytes, json }: Answer): unknown {
  const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status, shown, text: bytes.toString().replaceAll(json?.requestId, '') }
}

contract('every route: keys with walls', (gateway) => {
  const prepared = shared(async () => {
    const running = await gateway()
    const mine = await running.account()
    const things = await makeThings(running, mine)
    const other = await running.openInstance(mine)
    const sent = await mine.call('sendText', {
      body: { instanceName: things.instance, number: INSIDE_NUMBER, message: 'inside' },
    })
    await mine.call('saveContact', {
      body: { instanceName: things.instance, number: INSIDE_NUMBER, name: 'Inside' },
    })
    const keyWith = async (walls: object): Promise<string> => {
      const made = await mine.call('createApiKey', { body: { name: 'Walled', ...walls } })
      assert.equal(made.status, 200)
      return made.json.key
    }
    return {
      ...running,
      mine,
      things,
      other,
      inside: sent.json.messageId as string,
      keyWith,
      toOther: await keyWith({ instances: [other.name] }),
      toChat: await keyWith({ chats: [INSIDE] }),
      toSample: await keyWith({ instances: [things.instance], chats: [SAMPLE] }),
      waiting: await keyWith({ approval: true }),
    }
  })

  test('every route of the API has a wall', () => {
    assert.deepEqual(
      apiRoutes.filter((route) => route.wall === undefined),
      [],
    )
  })

  const refusedOutsideInstance: ReadonlySet<Wall> = new Set(['account', 'refused'])
  for (const { id, title, wall = 'refused' } of apiRoutes.filter((route) => route.wall !== 'open')) {
    if (refusedOutsideInstance.has(wall))
      test(`403 when the key of ${title} is limited to an instance`, async () => {
        const { mine, things, toOther } = await prepared()
        const answer = await mine.call(id, { ...sampleCalls[id](things), key: toOther })
        assert.deepEqual([answer.status, answer.json.reason], [403, 'outside_walls'])
      })
    else if (id !== 'listInstances')
      test(`404 when the key of ${title} is limited to another instance, the same as for unknown data`, async () => {
        const { mine, things, toOther } = await prepared()
        const answer = await mine.call(id, { ...sampleCalls[id](things), key: toOther })
        const unknown = await mine.call(id, { ...sampleCalls[id](UNKNOWN), key: toOther })
        assert.equal(answer.status, 404)
        assert.deepEqual(visible(answer), visible(unknown))
      })
  }

  const refusedOutsideChat: ReadonlySet<Wall> = new Set([
    'chat',
    'chatChange',
    'instance',
    'counts',
    'change',
    'account',
    'refused',
  ])
  const hiddenOutsideChat: ReadonlySet<Wall> = new Set(['message', 'contact', 'forward'])
  for (const { id, title, wall = 'refused' } of apiRoutes) {
    if (refusedOutsideChat.has(wall))
      test(`403 when the key of ${title} is limited to another chat`, async () => {
        const { mine, things, toChat } = await prepared()
        const answer = await mine.call(id, { ...sampleCalls[id](things), key: toChat })
        assert.deepEqual([answer.status, answer.json.reason], [403, 'outside_walls'])
      })
    if (hiddenOutsideChat.has(wall))
      test(`404 when ${title} names data of another chat, the same as for unknown data`, async () => {
        const { mine, things, toChat } = await prepared()
        const answer = await mine.call(id, { ...sampleCalls[id](things), key: toChat })
        const unknown = await mine.call(id, { ...sampleCalls[id](UNKNOWN), key: toChat })
        assert.equal(answer.status, 404)
        assert.deepEqual(visible(answer), visible(unknown))
      })
    if ((wall === 'chat' || wall === 'chatChange') && id !== 'sendGroup' && id !== 'getGroup')
      test(`${title} is open to a key that is limited to the chat`, async () => {
        const { mine, things, toSample } = await prepared()
        const answer = await mine.call(id, { ...sampleCalls[id](things), key: toSample })
        assert.notEqual(answer.json?.reason, 'outside_walls')
      })
    if (wall === 'chatChange' || wall === 'change' || wall === 'refused')
      test(`403 when the key of ${title} sends only with approval`, async () => {
        const { mine, things, waiting } = await prepared()
        const answer = await mine.call(id, { ...sampleCalls[id](things), key: waiting })
        assert.deepEqual([answer.status, answer.json.reason], [403, 'outside_walls'])
      })
  }

  test('403 when a message from inside is forwarded to a chat outside', async () => {
    const { mine, toChat, inside, store } = await prepared()
    await store.db.updateTable('messages').set({ status: 'sent' }).where('id', '=', inside).execute()
    const forward = (number: string) =>
      mine.call('forwardMessage', { params: { messageId: inside }, body: { number }, key: toChat })
    const refused = await forward('5511912345678')
    assert.deepEqual([refused.status, refused.json.reason], [403, 'outside_walls'])
    assert.equal((await forward(INSIDE_NUMBER)).status, 200)
  })

  test('404 when a message outside is quoted, the same as an unknown one', async () => {
    const { mine, things, toChat } = await prepared()
    const quote = (quotedMessageId: string) =>
      mine.call('sendText', {
        body: { instanceName: things.instance, number: INSIDE_NUMBER, message: 'x', quotedMessageId },
        key: toChat,
      })
    const answer = await quote(things.messageId)
    assert.equal(answer.status, 404)
    assert.deepEqual(visible(answer), visible(await quote(UNKNOWN.messageId)))
  })

  test('200 lists neither contain nor count anything from outside', async () => {
    const { mine, things, other, toChat, toOther } = await prepared()
    const inInstance = { query: { instanceName: things.instance }, key: toChat }
    const messages = await mine.call('listMessages', { key: toChat })
    assert.ok(messages.json.count > 0)
    for (const message of messages.json.messages) assert.equal(message.chat, INSIDE)
    const outside = { ...inInstance.query, chat: SAMPLE }
    assert.equal((await mine.call('listMessages', { query: outside, key: toChat })).json.count, 0)
    const contacts = await mine.call('listContacts', inInstance)
    assert.deepEqual([contacts.json.total, contacts.json.contacts[0].remoteJid], [1, INSIDE])
    const search = { ...inInstance.query, search: '55119' }
    assert.equal((await mine.call('listContacts', { query: search, key: toChat })).json.total, 1)
    const chats = await mine.call('listChats', inInstance)
    assert.deepEqual(
      chats.json.chats.map((chat: { chat: string }) => chat.chat),
      [INSIDE],
    )
    assert.equal((await mine.call('listGroups', inInstance)).json.count, 0)
    const instances = await mine.call('listInstances', { key: toOther })
    assert.deepEqual(
      instances.json.instances.map((each: { apiInstanceName: string }) => each.apiInstanceName),
      [other.name],
    )
    assert.equal((await mine.call('listMessages', { key: toOther })).json.count, 0)
  })

  test('200 events, forwards, backwards and live, are those from inside', async () => {
    const { mine, things, url, toChat, other, toOther } = await prepared()
    const chatsIn = (answer: Answer) =>
      new Set(answer.json.events.map((event: { data: { chat?: string } }) => event.data.chat))
    for (const query of [{ limit: 500 }, { limit: 500, before: 'end' }])
      assert.deepEqual(chatsIn(await mine.call('listEvents', { query, key: toChat })), new Set([INSIDE]))
    const elsewhere = await mine.call('listEvents', { query: { limit: 500 }, key: toOther })
    for (const event of elsewhere.json.events) assert.equal(event.instance.apiInstanceName, other.name)
    const stream = await listen(new URL('/api/v1/events/stream', url), { authorization: `Bearer ${toChat}` })
    const send = (number: string) =>
      mine.call('sendText', { body: { instanceName: things.instance, number, message: 'live' } })
    await send('5511912345678')
    const sent = await send(INSIDE_NUMBER)
    const [heard] = await stream.until(1)
    assert.equal(heard?.data.data.messageId, sent.json.messageId)
    stream.close()
  })

  test('a chat is inside by its number and by its lid', async () => {
    const { mine, things, store, keyWith } = await prepared()
    const row = await store.db
      .selectFrom('instances')
      .select('id')
      .where('api_name', '=', things.instance)
      .executeTakeFirstOrThrow()
    const lid = '998877665544332@lid'
    await store.db
      .insertInto('addresses')
      .values({ instance_id: row.id, lid, phone: INSIDE_NUMBER, updated_at: 1 })
      .execute()
    const key = await keyWith({ chats: [lid] })
    const body = { instanceName: things.instance, number: INSIDE_NUMBER, message: 'by lid' }
    assert.equal((await mine.call('sendText', { body, key })).status, 200)
    assert.ok((await mine.call('listMessages', { key })).json.count > 0)
    const other = { ...body, number: '5511912345678' }
    assert.equal((await mine.call('sendText', { body: other, key })).status, 403)
  })

  test('a landline of Brazil does not open the chat of the mobile number with a 9 before it', async () => {
    const { mine, things, keyWith } = await prepared()
    const [landline, stranger] = ['551131234567', '5511931234567']
    const to = (number: string) => ({ instanceName: things.instance, number, message: 'private' })
    assert.equal((await mine.call('sendText', { body: to(stranger) })).status, 200)
    const key = await keyWith({ chats: [`${landline}@s.whatsapp.net`] })
    assert.equal((await mine.call('sendText', { body: to(stranger), key })).json.reason, 'outside_walls')
    assert.equal((await mine.call('listMessages', { key })).json.count, 0)
    const chat = { query: { instanceName: things.instance, number: stranger }, key }
    assert.equal((await mine.call('chatHistory', chat)).json.reason, 'outside_walls')
    assert.equal((await mine.call('sendText', { body: to(landline), key })).status, 200)
  })

  test('another form of a number is inside once the network has confirmed that both are one account', async () => {
    const running = await prepared()
    const { mine, things, keyWith } = running
    const [given, other] = ['551187650001', '5511987650001']
    const to = (number: string) => ({ instanceName: things.instance, number, message: 'two forms' })
    const sent = await mine.call('sendText', { body: to(other) })
    const { id: instanceId } = await running.store.db
      .selectFrom('instances')
      .select('id')
      .where('api_name', '=', things.instance)
      .executeTakeFirstOrThrow()
    await ensureChat(running.store.db, {
      instanceId,
      jid: `${other}@s.whatsapp.net`,
      isGroup: false,
      now: running.clock.now(),
    })
    const key = await keyWith({ chats: [`${given}@s.whatsapp.net`] })
    const seen = async () => {
      const send = await mine.call('sendText', { body: to(other), key })
      const history = await mine.call('chatHistory', {
        query: { instanceName: things.instance, number: given },
        key,
      })
      const quote = await mine.call('sendText', {
        body: { ...to(given), quotedMessageId: sent.json.messageId },
        key,
      })
      const message = await mine.call('getMessage', { params: { messageId: sent.json.messageId }, key })
      const archived = await mine.call('updateChat', {
        body: { instanceName: things.instance, number: given, archived: true },
        key,
      })
      return [send, history, quote, message, archived].map(({ status }) => status)
    }
    assert.deepEqual(await seen(), [403, 404, 404, 404, 404])
    const answers = (isConfirmed: boolean) => ({
      checkNumber: () => ({ exists: true, jid: `${other}@s.whatsapp.net`, isConfirmed }),
    })
    const check = () => mine.call('checkNumber', { query: { instanceName: things.instance, number: given } })
    // The form was found by the rule: the network did not name it for the number of the wall.
    await scripted(running, answers(false), check)
    assert.deepEqual(await seen(), [403, 404, 404, 404, 404])
    await scripted(running, answers(true), check)
    assert.deepEqual(await seen(), [200, 200, 200, 200, 200])
  })

  test('wrote_first opens the chat of a person once a message of theirs is received', async () => {
    const { mine, store, clock, openInstance, keyWith } = await prepared()
    const instance = await openInstance(mine)
    const key = await keyWith({ instances: [instance.name], chats: 'wrote_first' })
    const send = () =>
      mine.call('sendText', {
        body: { instanceName: instance.name, number: '5511912345678', message: 'hi' },
        key,
      })
    assert.equal((await send()).json.reason, 'outside_walls')
    await mine.call('sendText', {
      body: { instanceName: instance.name, number: '5511912345678', message: 'hi' },
    })
    assert.equal((await mine.call('listMessages', { key })).json.count, 0)
    await receive({ store, clock, instance }, null)
    assert.equal((await send()).status, 200)
    assert.equal((await mine.call('listMessages', { key })).json.count, 3)
    const events = await mine.call('listEvents', { query: { limit: 500 }, key })
    assert.ok(events.json.events.every((event: { data: { chat: string } }) => event.data.chat === SAMPLE))
    assert.ok(events.json.events.length > 0)
    const chats = await mine.call('listChats', { query: { instanceName: instance.name }, key })
    assert.equal(chats.json.count, 1)
  })

  test('a key with the scope read sees messages, chats, contacts and events, and nothing about linking', async () => {
    const { mine, things, keyWith } = await prepared()
    const key = await keyWith({ scopes: ['read'] })
    const readable = apiRoutes.filter((route) => route.scopes?.includes('read')).map(({ id }) => id)
    assert.deepEqual(readable.sort(), [
      'chatHistory',
      'chatPicture',
      'getContact',
      'getGroup',
      'getMessage',
      'getMessageMedia',
      'getPollVotes',
      'getStatistics',
      'instanceActivity',
      'instanceState',
      'listChats',
      'listContacts',
      'listEvents',
      'listGroups',
      'listInstances',
      'listLabels',
      'listMessages',
      'listQuickReplies',
      'listUsers',
      'profilePicture',
      'streamEvents',
    ])
    assert.equal((await mine.call('listMessages', { key })).status, 200)
    assert.equal((await mine.call('sendText', { ...sampleCalls.sendText(things), key })).status, 403)
  })

  test('a rotated key keeps its walls', async () => {
    const { mine, things, keyWith } = await prepared()
    await keyWith({ instances: [things.instance], chats: [INSIDE], messagesPerDay: 7 })
    const keys = await mine.call('listApiKeys')
    const { id } = keys.json.apiKeys.at(-1)
    const rotated = await mine.call('rotateApiKey', { params: { id }, body: {} })
    const { instances, chats, messagesPerDay, approval } = rotated.json.apiKey
    assert.deepEqual(
      { instances, chats, messagesPerDay, approval },
      { instances: [things.instance], chats: [INSIDE], messagesPerDay: 7, approval: false },
    )
    const answer = await mine.call('sendText', { ...sampleCalls.sendText(things), key: rotated.json.key })
    assert.equal(answer.json.reason, 'outside_walls')
  })

  test('a program from before walls finds no scope that it knows', async () => {
    const { store, keyWith, mine } = await prepared()
    await keyWith({ scopes: ['send'], approval: true })
    const { id, scopes } = (await mine.call('listApiKeys')).json.apiKeys.at(-1)
    assert.deepEqual(scopes, ['send'])
    const row = await store.db.selectFrom('api_keys').select('scopes').where('id', '=', id).executeTakeFirst()
    assert.equal(row?.scopes, '["walled"]')
  })
})
