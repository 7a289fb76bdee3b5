// GET /chats
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatIds } from '../../src/chats/rules.ts'
import { receivedMessage, reportOf } from '../../src/receiving/conformance-arrivals.ts'
import { flag } from '../../src/store/tables.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared, withInstance } from './fixture.ts'

contract('GET /chats', (gateway) => {
  const fixture = withInstance(gateway)
  const seeded = shared(async () => {
    const running = await fixture()
    const chat = (jid: string, activeAt: number, extra: object = {}) => ({
      instance_id: running.instance.id,
      jid,
      is_group: flag(jid.endsWith('@g.us')),
      name: null,
      push_name: null,
      last_message_text: null,
      last_message_at: null,
      unread_count: 0,
      archived: flag(false),
      pinned: flag(false),
      active_at: activeAt,
      created_at: 1,
      updated_at: 1,
      ...extra,
    })
    const last = {
      name: 'Ana at work',
      push_name: 'Aninha',
      last_message_text: 'See you',
      last_message_at: 1_700_000_000_000,
      unread_count: 3,
    }
    await running.store.db
      .insertInto('chats')
      .values([
        chat('5511900000001@s.whatsapp.net', 200, last),
        chat('120363000000000001@g.us', 300),
        chat('123456789012345@lid', 200),
        chat('5511900000004@s.whatsapp.net', 100, { archived: flag(true), pinned: flag(true) }),
      ])
      .execute()
    const body = { instanceName: running.instance.name, phone: '5511900000001', name: 'Ana' }
    const contact = await running.mine.call('saveContact', { body })
    return { ...running, contactId: contact.json.contact.id as number }
  })
  const list = async (query: Record<string, string | number> = {}) => {
    const { mine, instance } = await seeded()
    return mine.call('listChats', { query: { instanceName: instance.name, ...query } })
  }
  const jids = (answer: { json: { chats: { remoteJid: string }[] } }) =>
    answer.json.chats.map((chat) => chat.remoteJid)
  const LATEST = [
    '120363000000000001@g.us',
    '123456789012345@lid',
    '5511900000001@s.whatsapp.net',
    '5511900000004@s.whatsapp.net',
  ]

  test('200 returns all chats, with or without a contact, latest first', async () => {
    const { instance } = await seeded()
    const answer = await list()
    assert.equal(answer.status, 200)
    assert.deepEqual(jids(answer), LATEST)
    const { chats: _chats, ...rest } = answer.json
    const named = {
      instanceName: 'Support',
      displayName: 'Support',
      apiInstanceName: instance.name,
      internalName: instance.name,
    }
    assert.deepEqual(rest, {
      success: true,
      count: 4,
      page: 1,
      limit: 50,
      hasMore: false,
      instance: { id: instance.id, ...named },
    })
  })

  test('200 returns every field of a chat', async () => {
    const { contactId } = await seeded()
    const [group, hidden, saved] = (await list()).json.chats
    assert.deepEqual(saved, {
      id: saved.id,
      name: 'Ana at work',
      pushName: 'Aninha',
      lastMessageText: 'See you',
      lastMessageTimestamp: '2023-11-14T22:13:20.000Z',
      unreadCount: 3,
      remoteJid: '5511900000001@s.whatsapp.net',
      ...chatIds('5511900000001@s.whatsapp.net'),
      phone: '5511900000001',
      isGroup: false,
      archived: false,
      mutedUntil: null,
      pinned: false,
      unread: true,
      disappearingSeconds: 0,
      assignedTo: null,
      labels: [],
      contactId,
      contactName: 'Ana',
      lastMessage: null,
      profilePictureUrl: null,
    })
    assert.deepEqual([group.isGroup, group.phone, group.contactId, group.unreadCount], [true, null, null, 0])
    assert.deepEqual([hidden.isGroup, hidden.phone, hidden.lastMessageText], [false, null, null])
  })

  test('200 the last message has its author, type and seconds, and follows a deletion', async () => {
    const { store, instance, mine } = await seeded()
    const { accountId } = await store.db
      .selectFrom('instances')
      .select('account_id as accountId')
      .where('id', '=', instance.id)
      .executeTakeFirstOrThrow()
    const tenant = { accountId, instanceId: instance.id }
    const chat = '5511900000009@s.whatsapp.net'
    const from = { jid: chat, lid: null, phone: '5511900000009', pushName: 'Bia' }
    const content = JSON.stringify({ from, voice: true, media: { seconds: 4 } })
    const row = { chat, kind: 'audio', content, created_at: 1, sent_at: 1 }
    const voice = receivedMessage(tenant, 'voice', row, { activity: { text: null, unread: 1 } })
    await store.recordReports([reportOf(tenant, { messages: [voice] })])
    const last = async () => {
      const query = { instanceName: instance.name, number: '5511900000009' }
      return (await mine.call('listChats', { query })).json.chats[0].lastMessage
    }
    const shown = {
      messageId: 'voice',
      direction: 'incoming',
      type: 'audio',
      status: 'delivered',
      text: null,
      deleted: false,
      from,
      voice: true,
      seconds: 4,
    }
    assert.deepEqual(await last(), shown)
    const textChange = { messageId: 'voice', direction: 'incoming', isDeletion: true, text: null }
    const deletion = receivedMessage(tenant, 'gone', { chat, kind: 'delete' }, { activity: null, textChange })
    await store.recordReports([reportOf(tenant, { messages: [deletion] })])
    assert.deepEqual(await last(), { ...shown, deleted: true, seconds: null })
    await store.db.deleteFrom('chats').where('jid', '=', chat).execute()
  })

  test('200 returns pages without gaps or duplicates', async () => {
    const pages = [
      await list({ limit: 3 }),
      await list({ limit: 3, page: 2 }),
      await list({ limit: 3, page: 3 }),
    ]
    assert.deepEqual(pages.flatMap(jids), LATEST)
    assert.deepEqual(
      pages.map(({ json }) => [json.count, json.hasMore]),
      [
        [3, true],
        [1, false],
        [0, false],
      ],
    )
  })

  test('200 returns only the chats that fit the filters', async () => {
    const [group = '', hidden = '', saved = '', archived = ''] = LATEST
    const cases: [Record<string, string | number>, string[]][] = [
      [{ archived: 'true' }, [archived]],
      [{ archived: 'false' }, [group, hidden, saved]],
      [{ archived: 'false', limit: 2, page: 2 }, [saved]],
      [{ pinned: 'true' }, [archived]],
      [{ pinned: 'false' }, [group, hidden, saved]],
      [{ pinned: 'true', archived: 'false' }, []],
      [{ unread: 'true' }, [saved]],
      [{ unread: 'false' }, [group, hidden, archived]],
      [{ chat: saved }, [saved]],
      [{ chat: saved, archived: 'true' }, []],
      [{ chat: '5511900000099@s.whatsapp.net' }, []],
    ]
    for (const [query, expected] of cases)
      assert.deepEqual(jids(await list(query)), expected, JSON.stringify(query))
  })

  test('400 when a filter has another value', async () => {
    for (const [name, value] of [
      ['archived', 'yes'],
      ['pinned', '1'],
      ['unread', 'no'],
      ['chat', 'Ana'],
      ['chat', 'status@broadcast'],
    ] as const)
      assert.deepEqual(faultPaths(await list({ [name]: value })), [name])
  })

  test('400 when page or limit is out of range, or instanceName is missing', async () => {
    for (const [name, value] of [
      ['page', 0],
      ['page', 'x'],
      ['limit', 0],
      ['limit', 101],
      ['instanceName', ''],
    ] as const)
      assert.deepEqual(faultPaths(await list({ [name]: value })), [name])
    const answer = await (await seeded()).mine.call('listChats')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist', async () => {
    const answer = await list({ instanceName: 'unknown-00000000' })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })
})
