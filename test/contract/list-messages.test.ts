// GET /messages
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexNext } from '../../src/messages/search-queries.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared, withInstance } from './fixture.ts'

interface Listed {
  messageId: string
  content: { message: string }
}
const texts = (answer: { json: { messages: Listed[] } }) =>
  answer.json.messages.map(({ content }) => content.message)

contract('GET /messages', (gateway) => {
  const fixture = withInstance(gateway)
  const seeded = shared(async () => {
    const running = await fixture()
    const second = await running.openInstance(running.mine)
    const send = async (instanceName: string, number: string, message: string): Promise<string> => {
      const sent = await running.mine.call('sendText', { body: { instanceName, number, message, delay: 0 } })
      return sent.json.messageId
    }
    const { name } = running.instance
    const ids = [
      await send(name, '5511900000001', 'one'),
      await send(name, '5511900000002', 'two'),
      await send(second.name, '5511900000001', 'three'),
      await send(name, '5511900000001', 'four'),
    ]
    await running.mine.call('cancelMessage', { params: { messageId: ids[1] as string } })
    await running.store.db
      .insertInto('messages')
      .values({
        id: 'INCOMING1',
        account_id: running.mine.id,
        instance_id: running.instance.id,
        direction: 'incoming',
        chat: '5511900000001@s.whatsapp.net',
        number: '5511900000001',
        group_jid: null,
        kind: 'text',
        content: JSON.stringify({ message: 'five' }),
        delay_ms: 0,
        status: 'read',
        failure_reason: null,
        failure_error: null,
        failure_code: null,
        lane: null,
        lane_seq: null,
        created_at: 1_700_000_000_000,
        updated_at: 1_700_000_003_000,
        sent_at: 1_700_000_000_500,
        delivered_at: 1_700_000_001_000,
        read_at: 1_700_000_002_000,
        // Its author wrote it long before it arrived.
        listed_at: running.clock.now() + 1000,
      })
      .execute()
    return { ...running, second }
  })

  test('200 returns all messages of the account, newest first', async () => {
    const { mine } = await seeded()
    const answer = await mine.call('listMessages')
    assert.equal(answer.status, 200)
    assert.deepEqual(texts(answer), ['five', 'four', 'three', 'two', 'one'])
    const { count, page, limit, hasMore } = answer.json
    assert.deepEqual({ count, page, limit, hasMore }, { count: 5, page: 1, limit: 50, hasMore: false })
  })

  test('200 returns every field of a message, with the times of its statuses', async () => {
    const { mine, instance } = await seeded()
    const [message] = (await mine.call('listMessages', { query: { direction: 'incoming' } })).json.messages
    assert.deepEqual(message, {
      messageId: 'INCOMING1',
      instanceName: instance.name,
      direction: 'incoming',
      chat: '5511900000001@s.whatsapp.net',
      number: '5511900000001',
      lid: null,
      username: null,
      groupJid: null,
      type: 'text',
      status: 'read',
      content: { message: 'five' },
      failure: null,
      sendAt: null,
      expiresAt: null,
      late: false,
      reference: null,
      starred: false,
      historical: false,
      createdAt: '2023-11-14T22:13:20.000Z',
      updatedAt: '2023-11-14T22:13:23.000Z',
      sentAt: '2023-11-14T22:13:20.500Z',
      deliveredAt: '2023-11-14T22:13:21.000Z',
      readAt: '2023-11-14T22:13:22.000Z',
    })
  })

  test('200 filters by instance, number, status and direction, alone and combined', async () => {
    const { mine, instance, second } = await seeded()
    const list = async (query: Record<string, string>) => texts(await mine.call('listMessages', { query }))
    assert.deepEqual(await list({ instanceName: second.name }), ['three'])
    assert.deepEqual(await list({ instanceName: instance.name }), ['five', 'four', 'two', 'one'])
    assert.deepEqual(await list({ number: '+55 11 90000-0001' }), ['five', 'four', 'three', 'one'])
    assert.deepEqual(await list({ status: 'queued' }), ['four', 'three', 'one'])
    assert.deepEqual(await list({ status: 'failed' }), ['two'])
    assert.deepEqual(await list({ status: 'played' }), [])
    assert.deepEqual(await list({ direction: 'outgoing' }), ['four', 'three', 'two', 'one'])
    const together = {
      instanceName: instance.name,
      number: '5511900000001',
      status: 'queued',
      direction: 'outgoing',
    }
    assert.deepEqual(await list(together), ['four', 'one'])
  })

  test('200 returns one chat in both directions, of one instance or all', async () => {
    const { mine, instance, second } = await seeded()
    const chat = '5511900000001@s.whatsapp.net'
    const list = async (query: Record<string, string>) => texts(await mine.call('listMessages', { query }))
    assert.deepEqual(await list({ instanceName: instance.name, chat }), ['five', 'four', 'one'])
    assert.deepEqual(await list({ instanceName: second.name, chat }), ['three'])
    assert.deepEqual(await list({ chat }), ['five', 'four', 'three', 'one'])
    assert.deepEqual(await list({ chat, direction: 'incoming' }), ['five'])
    assert.deepEqual(await list({ chat: '5511900000009@s.whatsapp.net' }), [])
    assert.deepEqual(await list({ chat: '120363000000000001@g.us' }), [])
  })

  test('200 returns pages without gaps or duplicates', async () => {
    const { mine } = await seeded()
    const page = (number: number) => mine.call('listMessages', { query: { page: number, limit: 2 } })
    const pages = [await page(1), await page(2), await page(3), await page(4)]
    assert.deepEqual(pages.map(texts), [['five', 'four'], ['three', 'two'], ['one'], []])
    assert.deepEqual(
      pages.map(({ json }) => json.hasMore),
      [true, true, false, false],
    )
    assert.deepEqual(
      pages.map(({ json }) => [json.page, json.limit, json.count]),
      [
        [1, 2, 2],
        [2, 2, 2],
        [3, 2, 1],
        [4, 2, 0],
      ],
    )
    const exact = await mine.call('listMessages', { query: { limit: 5 } })
    assert.equal(exact.json.hasMore, false)
  })

  test('200 filters by type and time', async () => {
    const { mine, store } = await seeded()
    const list = async (query: Record<string, string>) => texts(await mine.call('listMessages', { query }))
    assert.deepEqual(await list({ type: 'image' }), [])
    assert.deepEqual(await list({ type: 'text', direction: 'incoming' }), ['five'])
    const { listedAt } = await store.db
      .selectFrom('messages')
      .select('listed_at as listedAt')
      .where('id', '=', 'INCOMING1')
      .where('account_id', '=', mine.id)
      .executeTakeFirstOrThrow()
    const [at, before] = [listedAt, Number(listedAt) - 1].map((ms) => new Date(Number(ms)).toISOString())
    assert.deepEqual(await list({ since: String(at) }), ['five'])
    assert.deepEqual(await list({ until: String(before) }), ['four', 'three', 'two', 'one'])
  })

  test('200 finds messages by the words that they contain, alone and with filters', async () => {
    const { mine, instance, store } = await seeded()
    while ((await indexNext(store, { limit: 100, silent: [] })) !== 0);
    const list = async (query: Record<string, string>) => texts(await mine.call('listMessages', { query }))
    assert.deepEqual(await list({ search: 'FOU' }), ['four'])
    assert.deepEqual(await list({ search: 'fívé', instanceName: instance.name }), ['five'])
    assert.deepEqual(await list({ search: 'three', instanceName: instance.name }), [])
    assert.deepEqual(await list({ search: 'one', number: '5511900000001', direction: 'outgoing' }), ['one'])
    assert.deepEqual(await list({ search: 'one two' }), [])
    assert.deepEqual(await list({ search: '"*" & |' }), [])
    const other = await (await gateway()).account()
    assert.deepEqual(texts(await other.call('listMessages', { query: { search: 'four' } })), [])
  })

  test('200 returns messages of a deleted instance', async () => {
    const running = await gateway()
    const account = await running.account()
    const { name } = await running.openInstance(account)
    await account.call('sendText', { body: { instanceName: name, number: '5511900000001', message: 'last' } })
    await account.call('logoutInstance', { query: { instanceName: name } })
    await account.call('deleteInstance', { query: { instanceName: name } })
    const answer = await account.call('listMessages')
    assert.deepEqual(texts(answer), ['last'])
    assert.equal(answer.json.messages[0].instanceName, name)
    assert.equal(answer.json.messages[0].failure.reason, 'logged_out')
  })

  test('400 when a filter, page or limit is not valid', async () => {
    const { mine } = await seeded()
    const wrong: [string, string][] = [
      ['page', '0'],
      ['page', '-1'],
      ['page', '1.5'],
      ['page', 'x'],
      ['page', ''],
      ['page', '1000001'],
      ['limit', '0'],
      ['limit', '101'],
      ['status', 'lost'],
      ['direction', 'sideways'],
      ['number', '12'],
      ['chat', '5511900000001'],
      ['chat', ''],
      ['instanceName', ''],
      ['search', ''],
      ['search', 'x'.repeat(257)],
      ['type', 'letter'],
      ['since', 'yesterday'],
      ['until', '2026-01-31'],
    ]
    for (const [name, value] of wrong) {
      const answer = await mine.call('listMessages', { query: { [name]: value } })
      assert.equal(answer.status, 400, `${name}=${value}`)
      assert.deepEqual(faultPaths(answer), [name])
    }
    assert.equal((await mine.call('listMessages', { query: { limit: 100, page: 1_000_000 } })).status, 200)
  })

  test('404 when the instance does not exist', async () => {
    const { mine } = await seeded()
    const answer = await mine.call('listMessages', { query: { instanceName: 'unknown-00000000' } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })
})
