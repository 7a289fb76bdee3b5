// GET /contacts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { type Fixture, faultPaths, shared, withInstance } from './fixture.ts'
import { reportPicture } from './known-picture.ts'

const names = (answer: { json: { contacts: { name: string }[] } }) =>
  answer.json.contacts.map((contact) => contact.name)

/** In the order in which they are saved, which is not the order of the list. */
const SAVED: [name: string, address: Record<string, string>][] = [
  ['zoe', { phone: '5511900000001' }],
  ['Ana Souza', { phone: '5511900000002' }],
  ['ana souza', { phone: '5511900000003' }],
  ['100% Real', { phone: '5511900000004' }],
  ['under_score', { phone: '5511900000005' }],
  ["O'Brien", { phone: '5511900000006' }],
  ['Émile Zola', { phone: '5511900000007' }],
  ['back\\slash "quoted"', { phone: '5511900000008' }],
  ['你好世界 👋🏽', { phone: '5511900000009' }],
  ['Hidden', { remoteJid: '123456789012345@lid' }],
  ['Team', { remoteJid: '120363000000000001@g.us' }],
]
const PEOPLE = [
  '100% Real',
  'Ana Souza',
  'ana souza',
  'back\\slash "quoted"',
  'Hidden',
  "O'Brien",
  'under_score',
  'zoe',
  'Émile Zola',
  '你好世界 👋🏽',
]

contract('GET /contacts', (gateway) => {
  const fixture = withInstance(gateway)
  const seeded = shared(async (): Promise<Fixture> => {
    const running = await fixture()
    for (const [name, address] of SAVED) {
      const body = { instanceName: running.instance.name, name, ...address }
      assert.equal((await running.mine.call('saveContact', { body })).status, 200)
    }
    return running
  })
  const list = async (query: Record<string, string | number | boolean> = {}) => {
    const { mine, instance } = await seeded()
    return mine.call('listContacts', { query: { instanceName: instance.name, ...query } })
  }

  test('200 returns contacts sorted by name, then id, without groups', async () => {
    const { instance } = await seeded()
    const answer = await list()
    assert.equal(answer.status, 200)
    assert.deepEqual(names(answer), PEOPLE)
    const { contacts: _contacts, ...rest } = answer.json
    assert.deepEqual(rest, {
      success: true,
      count: 10,
      total: 10,
      page: 1,
      limit: 50,
      hasMore: false,
      instance: {
        id: instance.id,
        instanceName: 'Support',
        displayName: 'Support',
        apiInstanceName: instance.name,
        internalName: instance.name,
      },
    })
  })

  test('200 returns groups saved as contacts with includeGroups', async () => {
    const answer = await list({ includeGroups: true })
    assert.equal(answer.json.total, 11)
    const group = answer.json.contacts.find((contact: { name: string }) => contact.name === 'Team')
    assert.deepEqual([group.isGroup, group.phone, group.remoteJid], [true, null, '120363000000000001@g.us'])
    assert.equal((await list({ includeGroups: false })).json.total, 10)
  })

  test('200 returns every field of a contact and its chat', async () => {
    const running = await seeded()
    const jid = '5511900000002@s.whatsapp.net'
    await running.store.db
      .updateTable('chats')
      .set({
        name: 'Ana at work',
        push_name: 'Aninha',
        last_message_text: 'See you',
        last_message_at: 1_700_000_000_000,
        unread_count: 3,
      })
      .where('instance_id', '=', running.instance.id)
      .where('jid', '=', jid)
      .execute()
    await reportPicture(running, running.instance.id, jid)
    const contact = (await list()).json.contacts[1]
    const query = new URLSearchParams({ instanceName: running.instance.name, chat: jid })
    const address = `${running.url}/api/v1/chats/picture?${query.toString()}&v=`
    assert.ok(contact.profilePictureUrl.startsWith(address), contact.profilePictureUrl)
    assert.deepEqual(contact, {
      id: contact.id,
      name: 'Ana Souza',
      phone: '5511900000002',
      remoteJid: jid,
      number: '5511900000002',
      lid: null,
      username: null,
      groupJid: null,
      isGroup: false,
      profilePicUrl: contact.profilePictureUrl,
      profilePictureUrl: contact.profilePictureUrl,
      chat: {
        id: contact.chat.id,
        chat: jid,
        name: 'Ana at work',
        pushName: 'Aninha',
        lastMessageText: 'See you',
        lastMessageTimestamp: '2023-11-14T22:13:20.000Z',
        unreadCount: 3,
      },
      assignedUserId: null,
      assignedDepartmentId: null,
      funnelStageId: null,
      notes: null,
      customData: {},
      showTimeInStage: false,
      createdAt: contact.createdAt,
      updatedAt: contact.updatedAt,
    })
  })

  test('200 searches name, phone and identifier for literal text, ignoring case', async () => {
    const found: [string, string[]][] = [
      ['ANA', ['Ana Souza', 'ana souza']],
      ['an', ['Ana Souza', 'ana souza']],
      ['%', ['100% Real']],
      ['_', ['under_score']],
      ["'", ["O'Brien"]],
      ["o'b", ["O'Brien"]],
      ['0% r', ['100% Real']],
      ['r_s', ['under_score']],
      ['a%a', []],
      ['\\', ['back\\slash "quoted"']],
      ['k\\s', ['back\\slash "quoted"']],
      ['"quoted"', ['back\\slash "quoted"']],
      ['" OR "', []],
      ['ana* NOT', []],
      ['É', ['Émile Zola']],
      ['émi', ['Émile Zola']],
      ['世界', ['你好世界 👋🏽']],
      ['好世界', ['你好世界 👋🏽']],
      ['👋🏽', ['你好世界 👋🏽']],
      ['5511900000001', ['zoe']],
      ['0000007', ['Émile Zola']],
      ['@lid', ['Hidden']],
      ['123456789012345', ['Hidden']],
      ['no such contact', []],
      ['a s', ['Ana Souza', 'ana souza']],
      ['', PEOPLE],
    ]
    for (const [search, expected] of found) {
      const answer = await list({ search })
      assert.deepEqual(names(answer), expected, search)
      assert.equal(answer.json.total, expected.length, search)
      assert.equal(answer.json.hasMore, false)
    }
    assert.deepEqual(names(await list({ search: 'team' })), [])
    assert.deepEqual(names(await list({ search: 'team', includeGroups: true })), ['Team'])
  })

  test('200 searches the chat names too, after the next change of the contact', async () => {
    const running = await gateway()
    const account = await running.account()
    const instance = await running.openInstance(account)
    await running.store.db
      .insertInto('chats')
      .values({
        instance_id: instance.id,
        jid: '5511900000099@s.whatsapp.net',
        is_group: 0,
        name: 'Chat Name',
        push_name: 'Push Name',
        last_message_text: 'secret text',
        last_message_at: 1,
        active_at: 1,
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    await account.call('saveContact', {
      body: { instanceName: instance.name, phone: '5511900000099', name: 'Saved' },
    })
    const search = async (text: string) =>
      names(await account.call('listContacts', { query: { instanceName: instance.name, search: text } }))
    assert.deepEqual(await search('chat n'), ['Saved'])
    assert.deepEqual(await search('PUSH'), ['Saved'])
    assert.deepEqual(await search('secret'), [], 'messages are not searched')
  })

  test('200 does not return a chat without a contact', async () => {
    const running = await gateway()
    const account = await running.account()
    const instance = await running.openInstance(account)
    await running.store.db
      .insertInto('chats')
      .values({
        instance_id: instance.id,
        jid: '5511900000098@s.whatsapp.net',
        is_group: 0,
        name: 'Unsaved',
        push_name: null,
        last_message_text: null,
        last_message_at: null,
        active_at: 1,
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    assert.equal(
      (await account.call('listContacts', { query: { instanceName: instance.name } })).json.total,
      0,
    )
  })

  test('200 returns only contacts of the instance', async () => {
    const running = await seeded()
    const second = await running.openInstance(running.mine)
    await running.mine.call('saveContact', {
      body: { instanceName: second.name, phone: '5511900000001', name: 'zoe elsewhere' },
    })
    const query = { instanceName: second.name }
    assert.deepEqual(names(await running.mine.call('listContacts', { query })), ['zoe elsewhere'])
    assert.deepEqual(
      names(await running.mine.call('listContacts', { query: { ...query, search: 'ana' } })),
      [],
    )
    assert.deepEqual(names(await list({ search: 'zoe' })), ['zoe'])
  })

  test('200 returns pages without gaps or duplicates, with and without a search', async () => {
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list({ page, limit: 3 })))
    assert.deepEqual(pages.flatMap(names), PEOPLE)
    assert.deepEqual(
      pages.map(({ json }) => json.count),
      [3, 3, 3, 1, 0],
    )
    assert.deepEqual(
      pages.map(({ json }) => json.hasMore),
      [true, true, true, false, false],
    )
    assert.ok(pages.every(({ json }) => json.total === 10 && json.limit === 3))
    const searched = [await list({ search: 'a', limit: 6 }), await list({ search: 'a', limit: 6, page: 2 })]
    const all = names(await list({ search: 'a' }))
    assert.ok(all.length > 6)
    assert.deepEqual(searched.flatMap(names), all)
    assert.deepEqual(
      searched.map(({ json }) => json.hasMore),
      [true, false],
    )
  })

  test('400 when page, limit, includeGroups or search is not valid', async () => {
    const wrong: [string, string][] = [
      ['page', '0'],
      ['page', '-1'],
      ['page', '1e3'],
      ['page', '1.0'],
      ['page', ' 1'],
      ['page', '1000001'],
      ['limit', '0'],
      ['limit', '101'],
      ['limit', 'all'],
      ['includeGroups', 'yes'],
      ['includeGroups', '1'],
      ['search', 'x'.repeat(257)],
      ['search', 'a\u0000b'],
      ['instanceName', ''],
    ]
    for (const [name, value] of wrong) {
      const answer = await list({ [name]: value })
      assert.equal(answer.status, 400, `${name}=${value}`)
      assert.deepEqual(faultPaths(answer), [name])
    }
    const { mine } = await seeded()
    assert.deepEqual(faultPaths(await mine.call('listContacts')), ['instanceName'])
    for (const [name, value] of [
      ['limit', 1],
      ['limit', 100],
      ['page', 1_000_000],
      ['search', 'x'.repeat(256)],
    ] as const)
      assert.equal((await list({ [name]: value })).status, 200)
  })

  test('404 when the instance does not exist', async () => {
    const answer = await list({ instanceName: 'unknown-00000000' })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })
})
