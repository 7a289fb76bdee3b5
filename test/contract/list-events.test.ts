// GET /events
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatIds, withPersonIds } from '../../src/chats/rules.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared, withInstance } from './fixture.ts'

interface ListedEvent {
  id: string
  event: string
  sequence: number
  instance: { apiInstanceName: string }
  data: Record<string, unknown>
}

contract('GET /events', (gateway) => {
  const fixture = withInstance(gateway)
  const seeded = shared(async () => {
    const running = await fixture()
    const other = await running.openInstance(running.mine)
    const send = async (instanceName: string, message: string) =>
      (await running.mine.call('sendText', { body: { instanceName, number: '5511912345678', message } })).json
        .messageId as string
    const first = await send(running.instance.name, 'one')
    await send(other.name, 'two')
    const last = await send(running.instance.name, 'three')
    await running.mine.call('cancelMessage', { params: { messageId: last } })
    return { ...running, other, first, last }
  })
  const read = async (query: Record<string, string | number> = {}) => {
    const answer = await (await seeded()).mine.call('listEvents', { query })
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    return answer.json as { count: number; hasMore: boolean; next: string | null; events: ListedEvent[] }
  }

  test('200 returns all events, oldest first, without gaps per instance', async () => {
    const { mine, instance, other } = await seeded()
    const { events, hasMore, next } = await read()
    assert.equal(hasMore, false)
    assert.equal(next, events.at(-1)?.id)
    assert.deepEqual(
      events.map((event) => event.id),
      events.map((_event, index) => `evt_${mine.id}_${index + 1}`),
    )
    for (const { name } of [instance, other]) {
      const own = events.filter((event) => event.instance.apiInstanceName === name)
      assert.deepEqual(
        own.map((event) => event.sequence),
        own.map((_event, index) => index + 1),
      )
    }
  })

  test('200 returns complete events for an accepted message and its outcome', async () => {
    const { instance, first, last } = await seeded()
    const { events } = await read({ instanceName: instance.name })
    const upsert = events.find((event) => event.data.messageId === first) as ListedEvent
    assert.equal(upsert.event, 'messages.upsert')
    const {
      from,
      sentAt: _sentAt,
      ...rest
    } = upsert.data as { from: { phone: string } } & Record<string, unknown>
    assert.match(from.phone, /^\d+$/)
    assert.deepEqual(rest, {
      messageId: first,
      ...chatIds('5511912345678@s.whatsapp.net'),
      direction: 'outgoing',
      type: 'text',
      text: 'one',
      media: null,
      quoted: null,
      interactiveReplyId: null,
      target: null,
      sendAt: null,
      reference: null,
      historical: false,
      content: { message: 'one' },
      status: 'queued',
    })
    const canceled = events.at(-1) as ListedEvent
    assert.deepEqual(
      [canceled.event, canceled.data.messageId, canceled.data.status],
      ['messages.update', last, 'failed'],
    )
    assert.equal((canceled.data.failure as { reason: string }).reason, 'canceled')
  })

  test('200 returns complete events for a saved, updated and deleted contact', async () => {
    const { account, openInstance, store } = await gateway()
    const own = await account()
    const { id: instanceId, name: instanceName } = await openInstance(own)
    const other = await openInstance(own)
    const address = { phone: '5511988887777', lid: '123456789012345@lid', updated_at: 1 }
    await store.db
      .insertInto('addresses')
      .values([
        { instance_id: instanceId, ...address },
        // Data of another instance has no effect.
        { instance_id: other.id, ...address, lid: '99@lid', updated_at: 2 },
      ])
      .execute()
    const body = { instanceName, phone: address.phone, name: 'Ana' }
    const { id } = (await own.call('saveContact', { body })).json.contact
    await own.call('updateContact', { params: { id }, body: { name: 'Ana Souza' } })
    await own.call('deleteContact', { params: { id } })
    const hidden = { instanceName, remoteJid: '123456789012399@lid', name: 'Hidden' }
    const { id: hiddenId } = (await own.call('saveContact', { body: hidden })).json.contact
    const { events } = (await own.call('listEvents', { query: { instanceName, events: 'contacts.update' } }))
      .json
    const jid = `${address.phone}@s.whatsapp.net`
    const person = withPersonIds({ jid, lid: address.lid, phone: address.phone, pushName: null })
    const ids = chatIds(jid, { lid: address.lid, username: null })
    const hiddenJid = '123456789012399@lid'
    assert.deepEqual(
      events.map((event: ListedEvent) => event.data),
      [
        { ...ids, contactId: id, person, name: 'Ana' },
        { ...ids, contactId: id, person, name: 'Ana Souza' },
        { ...ids, contactId: null, person, name: 'Ana Souza' },
        {
          ...chatIds(hiddenJid),
          contactId: hiddenId,
          person: withPersonIds({ jid: hiddenJid, lid: hiddenJid, phone: null, pushName: null }),
          name: 'Hidden',
        },
      ],
    )
  })

  test('200 returns pages after an event without gaps or duplicates', async () => {
    const all = (await read()).events.map((event) => event.id)
    const seen: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await read({ limit: 2, ...(after === undefined ? {} : { after }) })
      seen.push(...page.events.map((event) => event.id))
      after = page.next as string
      if (!page.hasMore) break
    }
    assert.deepEqual(seen, all)
    const end = all.at(-1) as string
    assert.deepEqual(await read({ after: end }), {
      success: true,
      count: 0,
      hasMore: false,
      next: end,
      events: [],
    })
  })

  test('200 returns events of one instance after a sequence or any event of the account', async () => {
    const { instance, other } = await seeded()
    const own = (await read({ instanceName: instance.name })).events
    const behind = async (after: string | number) =>
      (await read({ instanceName: instance.name, after })).events.map((event) => event.id)
    assert.deepEqual(
      await behind(1),
      own.slice(1).map((event) => event.id),
    )
    const [elsewhere] = (await read({ instanceName: other.name })).events.slice(-1)
    const position = (id: string | undefined) => Number(id?.split('_')[2])
    assert.deepEqual(
      await behind(elsewhere?.id as string),
      own.filter((event) => position(event.id) > position(elsewhere?.id)).map((event) => event.id),
    )
    assert.deepEqual(await behind(999), [])
  })

  test('200 returns only the requested events, and moves the cursor past the others', async () => {
    const { events, next } = await read({ events: 'messages.update,contacts.update' })
    assert.ok(events.length > 0)
    assert.ok(events.every((event) => event.event === 'messages.update'))
    assert.equal(next, (await read()).next)
  })

  test('200 returns pages backwards from the end without gaps or duplicates', async () => {
    const { instance } = await seeded()
    for (const query of [{}, { instanceName: instance.name }]) {
      const all = (await read(query)).events.map((event) => event.id)
      const seen: string[] = []
      for (let before = 'end'; ; ) {
        const page = await read({ ...query, limit: 2, before })
        seen.push(...page.events.map((event) => event.id))
        before = page.next as string
        if (!page.hasMore) break
      }
      assert.deepEqual(seen, all.toReversed())
    }
  })

  test('200 returns events of one instance backwards from any event of the account', async () => {
    const { instance, other } = await seeded()
    const [elsewhere] = (await read({ instanceName: other.name })).events.slice(-1)
    const position = (id: string | undefined) => Number(id?.split('_')[2])
    const own = (await read({ instanceName: instance.name })).events.map((event) => event.id)
    const found = await read({ instanceName: instance.name, before: elsewhere?.id as string })
    assert.deepEqual(
      found.events.map((event) => event.id),
      own.filter((id) => position(id) < position(elsewhere?.id)).toReversed(),
    )
    assert.ok(found.count > 0 && found.count < own.length)
  })

  test('200 returns only the requested events, also backwards', async () => {
    const forth = await read({ events: 'messages.update' })
    const back = await read({ events: 'messages.update', before: 'end' })
    assert.deepEqual(back.events, forth.events.toReversed())
    assert.equal(back.next, (await read({ limit: 1 })).next)
  })

  test('200 returns no cursor for an account without events', async () => {
    const stranger = await (await gateway()).account()
    const answer = await stranger.call('listEvents')
    assert.deepEqual(answer.json, { success: true, count: 0, hasMore: false, next: null, events: [] })
    assert.deepEqual((await stranger.call('listEvents', { query: { before: 'end' } })).json, answer.json)
  })

  test('400 when after is not valid, of another account, or a sequence without instanceName', async () => {
    const { mine } = await seeded()
    for (const query of [
      { after: 'yesterday' },
      { after: `evt_${mine.id + 1}_1` },
      { after: '7' },
      { after: '-1' },
    ]) {
      const answer = await mine.call('listEvents', { query })
      assert.equal(answer.status, 400, JSON.stringify(query))
      assert.deepEqual(faultPaths(answer), ['after'])
    }
  })

  test('400 when before is not valid, of another account, or given together with after', async () => {
    const { mine } = await seeded()
    for (const query of [
      { before: 'yesterday' },
      { before: '7' },
      { before: `evt_${mine.id + 1}_1` },
      { before: 'end', after: `evt_${mine.id}_1` },
    ]) {
      const answer = await mine.call('listEvents', { query })
      assert.equal(answer.status, 400, JSON.stringify(query))
      assert.deepEqual(faultPaths(answer), ['before'])
    }
  })

  test('400 when an event name or limit is not valid', async () => {
    const { mine } = await seeded()
    for (const limit of ['0', '501', '1.5', 'x'])
      assert.deepEqual(faultPaths(await mine.call('listEvents', { query: { limit } })), ['limit'])
    for (const events of ['', 'messages.none', 'messages.upsert,'])
      assert.match(faultPaths(await mine.call('listEvents', { query: { events } })).join(), /^events/)
  })

  test('404 when the instance does not exist', async () => {
    const answer = await (await seeded()).mine.call('listEvents', {
      query: { instanceName: 'unknown-00000000' },
    })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })
})
