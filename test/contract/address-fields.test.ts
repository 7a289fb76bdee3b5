// Every call about a chat or a person takes the same names: number, groupJid, chat.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ensureChat } from '../../src/contacts/contact-queries.ts'
import { mergePeople } from '../../src/contacts/merge-people.ts'
import type { RouteId } from '../../src/contract/routes.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'

const LID = '111222333444555@lid'
const NUMBER = '5511912345678'
const PERSON = `${NUMBER}@s.whatsapp.net`
const GROUP = '120363000000000000@g.us'

type Address = Record<string, string>
type Call = { query?: Record<string, string>; body?: Record<string, unknown> }

const inQuery =
  (more: Record<string, string> = {}) =>
  (instanceName: string, address: Address): Call => ({ query: { instanceName, ...address, ...more } })
const inBody =
  (more: Record<string, unknown> = {}) =>
  (instanceName: string, address: Address): Call => ({ body: { instanceName, ...address, ...more } })

/** Where the address is in a call, and where its answer names the chat. */
const ROUTES: [RouteId, (name: string, address: Address) => Call, (json: never) => unknown][] = [
  ['clearChat', inQuery(), ({ chat }: { chat: { remoteJid: string } }) => chat.remoteJid],
  ['showPresence', inBody({ presence: 'typing' }), ({ chat }: { chat: string }) => chat],
  ['updateChat', inBody({ archived: true }), ({ chat }: { chat: { remoteJid: string } }) => chat.remoteJid],
  [
    'readChat',
    (instanceName, address) => ({ query: { instanceName }, body: address }),
    ({ chat }: { chat: { remoteJid: string } }) => chat.remoteJid,
  ],
  [
    'saveContact',
    inBody({ name: 'Ana' }),
    ({ contact }: { contact: { remoteJid: string } }) => contact.remoteJid,
  ],
  ['sendText', inBody({ message: 'hi' }), ({ chat }: { chat: string }) => chat],
  [
    'listChats',
    inQuery(),
    ({ chats }: { chats: { remoteJid: string }[] }) => chats.map((one) => one.remoteJid).join(),
  ],
]

const NAMES: [Address, string][] = [
  [{ number: NUMBER }, PERSON],
  [{ number: PERSON }, PERSON],
  [{ number: `${NUMBER}:12@s.whatsapp.net` }, PERSON],
  [{ number: `${NUMBER}@c.us` }, PERSON],
  [{ chat: PERSON }, PERSON],
  [{ chat: LID }, LID],
  [{ groupJid: GROUP }, GROUP],
  [{ chat: GROUP }, GROUP],
]

contract('number, groupJid and chat', (gateway) => {
  const fixture = withInstance(gateway)
  /** An instance with the three chats. */
  const chats = async () => {
    const running = await fixture()
    const { id: instanceId, name } = await running.openInstance(running.mine)
    for (const jid of [LID, PERSON, GROUP])
      await ensureChat(running.store.db, { instanceId, jid, isGroup: jid === GROUP, now: 1 })
    return { ...running, instanceId, name }
  }

  test('200 every call takes each of them, and means the same chat', async () => {
    const { mine, name } = await chats()
    for (const [id, call, chatIn] of ROUTES)
      for (const [address, chat] of NAMES) {
        const { status, json } = await mine.call(id, call(name, address))
        const label = `${id} ${JSON.stringify(address)} ${JSON.stringify(json)}`
        assert.deepEqual([status, status === 200 && chatIn(json as never)], [200, chat], label)
      }
  })

  test('200 the lid of a person whose number is known by now means the chat of the number', async () => {
    const { mine, name, instanceId, store } = await chats()
    await store.db.deleteFrom('chats').where('instance_id', '=', instanceId).where('jid', '=', LID).execute()
    const row = { instance_id: instanceId, lid: LID, phone: NUMBER, updated_at: 1 }
    await store.db.insertInto('addresses').values(row).execute()
    for (const [id, call, chatIn] of ROUTES) {
      const { status, json } = await mine.call(id, call(name, { chat: LID }))
      assert.deepEqual([status, status === 200 && chatIn(json as never)], [200, PERSON], id)
    }
    const { json } = await mine.call('listMessages', { query: { instanceName: name, chat: LID } })
    assert.deepEqual([json.count, json.messages[0].chat, json.messages[0].number], [1, PERSON, NUMBER])
  })

  test('400 an identifier in `number` that is not of a person names `chat`, and a channel is not supported', async () => {
    const { mine, name } = await chats()
    for (const [id, call] of ROUTES) {
      for (const number of [GROUP, LID]) {
        const answer = await mine.call(id, call(name, { number }))
        assert.deepEqual([answer.status, faultPaths(answer)], [400, ['number']], id)
        assert.match(answer.json.error, /expected the number of a person; .* is named by `chat`/)
      }
      const answer = await mine.call(id, call(name, { chat: '120363000000000000@newsletter' }))
      assert.deepEqual([answer.status, faultPaths(answer)], [400, ['chat']], id)
      assert.match(answer.json.error, /channels are not supported/)
    }
  })

  test('400 names the fields unless exactly one of them is given', async () => {
    const { mine, name } = await chats()
    for (const [id, call] of ROUTES) {
      const isFilter = id === 'listChats'
      const given: Address[] = [
        { number: NUMBER, chat: PERSON },
        { groupJid: GROUP, chat: GROUP },
      ]
      for (const address of isFilter ? given : [...given, {}]) {
        const answer = await mine.call(id, call(name, address))
        assert.deepEqual([answer.status, faultPaths(answer)], [400, ['number']], id)
        const quantity = isFilter ? 'at most' : 'exactly'
        assert.match(answer.json.error, new RegExp(`expected ${quantity} one of number, groupJid`))
      }
      const status = await mine.call(id, call(name, { chat: 'status@broadcast' }))
      assert.deepEqual([status.status, faultPaths(status)], [400, ['chat']], id)
    }
  })

  test('200 people are named by lid in paths and lists', async () => {
    const running = await chats()
    const { mine, name } = running
    const query = { instanceName: name }
    const person = await mine.call('getPerson', { params: { number: LID }, query })
    assert.deepEqual(
      [person.json.person.number, person.json.person.jid, person.json.person.lid],
      [null, LID, LID],
    )
    const blocked: unknown[] = []
    const setBlocked = async (_id: number, jid: string, isBlocked: boolean) =>
      void blocked.push([jid, isBlocked])
    await scripted(running, { setBlocked }, async () => {
      for (const id of ['blockPerson', 'unblockPerson'] as const)
        assert.equal((await mine.call(id, { params: { number: LID }, query })).status, 200)
    })
    assert.deepEqual(blocked, [
      [LID, true],
      [LID, false],
    ])
    const followed = await mine.call('subscribePresence', {
      body: { instanceName: name, subscribe: [LID, PERSON] },
    })
    assert.deepEqual(followed.json.numbers, [
      { number: null, chat: LID, outcome: 'subscribed' },
      { number: NUMBER, chat: PERSON, outcome: 'subscribed' },
    ])
    const wrong = await mine.call('getPerson', { params: { number: GROUP }, query })
    assert.deepEqual([wrong.status, faultPaths(wrong)], [400, ['number']])
  })

  test('200 for a lid whose person is merged while the message is accepted: it waits behind those for the number', async () => {
    const running = await fixture()
    const { store, clock } = running
    const { id: instanceId, name: instanceName } = await running.openInstance(running.mine)
    // Nothing is sent meanwhile.
    await running.sessions.move(instanceId, 'connection_lost')
    const send = async (message: string) =>
      (await running.mine.call('sendText', { body: { instanceName, chat: LID, message } })).status
    assert.equal(await send('first'), 200)
    const { acceptSend } = store
    store.acceptSend = async (wanted) => {
      store.acceptSend = acceptSend
      await mergePeople({ store, clock: clock.now }, instanceId, [{ lid: LID, phone: NUMBER }])
      return acceptSend.call(store, wanted)
    }
    assert.equal(await send('second'), 200)
    const rows = await store.db
      .selectFrom('messages')
      .select(['chat', 'number', 'content', 'lane'])
      .where('instance_id', '=', instanceId)
      .orderBy('lane_seq')
      .execute()
    assert.deepEqual(
      rows.map(({ chat, number, content }) => [chat, number, JSON.parse(content).message]),
      [
        [PERSON, NUMBER, 'first'],
        [PERSON, NUMBER, 'second'],
      ],
    )
    assert.equal(new Set(rows.map(({ lane }) => lane)).size, 1)
  })
})
