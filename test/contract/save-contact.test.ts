// POST /contacts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine, randomNumber } from '../support/gateway.ts'
import { faultPaths, UNLIMITED_PLAN, withInstance } from './fixture.ts'

contractOnEachEngine('POST /contacts', (gateway) => {
  const fixture = withInstance(gateway)
  const save = async (body: Record<string, unknown>) => {
    const { mine, instance } = await fixture()
    return mine.call('saveContact', { body: { instanceName: instance.name, name: 'Ana', ...body } })
  }

  test('200 saves a person by phone number, with defaults for all other fields', async () => {
    const { clock } = await fixture()
    const before = clock.now()
    const answer = await save({ phone: '+55 (11) 98888-0001' })
    assert.equal(answer.status, 200)
    const { contact } = answer.json
    assert.ok(Date.parse(contact.createdAt) >= before)
    assert.equal(contact.createdAt, contact.updatedAt)
    assert.deepEqual(contact, {
      id: contact.id,
      name: 'Ana',
      number: '5511988880001',
      phone: '5511988880001',
      lid: null,
      username: null,
      groupJid: null,
      remoteJid: '5511988880001@s.whatsapp.net',
      isGroup: false,
      profilePicUrl: null,
      profilePictureUrl: null,
      chat: {
        id: contact.chat.id,
        chat: '5511988880001@s.whatsapp.net',
        name: null,
        pushName: null,
        lastMessageText: null,
        lastMessageTimestamp: null,
        unreadCount: 0,
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

  test('200 saves a person, a person with a hidden number and a group by network identifier', async () => {
    const saved: [string, string | null, boolean][] = [
      ['5511988880002@s.whatsapp.net', '5511988880002', false],
      ['123456789012345@lid', null, false],
      ['120363000000000002@g.us', null, true],
      ['5511988880002-1612345678@g.us', null, true],
    ]
    for (const [remoteJid, phone, isGroup] of saved) {
      const { contact } = (await save({ remoteJid })).json
      assert.deepEqual([contact.remoteJid, contact.phone, contact.isGroup], [remoteJid, phone, isGroup])
    }
  })

  test('200 stores every field exactly', async () => {
    const fields = {
      name: "Ana 'D’Ávila' 👩🏽 <script>",
      notes: 'Prefers\nmornings "always"',
      customData: {
        nested: { list: [1, 2.5, null, true, 'x'], empty: {} },
        'a key': '√',
        constructor: 'kept',
      },
      assignedUserId: 7,
      assignedDepartmentId: 8,
      funnelStageId: 9_007_199_254_740_991,
      showTimeInStage: true,
    }
    const answer = await save({ phone: randomNumber(), ...fields })
    assert.equal(answer.status, 200)
    const read = await (await fixture()).mine.call('getContact', { params: { id: answer.json.contact.id } })
    assert.deepEqual(read.json, answer.json)
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(read.json.contact[name], value, name)
  })

  test('200 updates given fields when saved again, keeps the others, and counts once', async () => {
    const running = await fixture()
    const used = async () => (await running.mine.call('accountLimits')).json.limits.contacts.used
    const phone = randomNumber()
    const before = await used()
    const first = await save({ phone, notes: 'first', customData: { a: 1 } })
    running.clock.advance(5)
    const second = await save({ remoteJid: `${phone}@s.whatsapp.net`, name: 'Renamed' })
    const { contact } = second.json
    assert.deepEqual(
      [contact.id, contact.name, contact.notes, contact.customData],
      [first.json.contact.id, 'Renamed', 'first', { a: 1 }],
    )
    assert.equal(contact.createdAt, first.json.contact.createdAt)
    assert.ok(contact.updatedAt > first.json.contact.updatedAt)
    assert.equal((await save({ phone, notes: null })).json.contact.notes, null)
    assert.equal(await used(), before + 1)
  })

  test('200 adds the keys of customData to the stored ones, which PATCH replaces', async () => {
    const { mine } = await fixture()
    const phone = randomNumber()
    await save({ phone, customData: { crm: 7, shop: { orders: 1 } } })
    const { contact } = (await save({ phone, customData: { shop: { visits: 2 }, bot: null } })).json
    assert.deepEqual(contact.customData, { crm: 7, shop: { visits: 2 }, bot: null })
    const body = { customData: { crm: 8 } }
    const replaced = await mine.call('updateContact', { params: { id: contact.id }, body })
    assert.deepEqual(replaced.json.contact.customData, { crm: 8 })
  })

  test('400 when the stored keys and the added ones are too long together', async () => {
    const phone = randomNumber()
    assert.equal((await save({ phone, customData: { a: 'x'.repeat(40_000) } })).status, 200)
    const answer = await save({ phone, customData: { b: 'x'.repeat(40_000) } })
    assert.deepEqual([answer.status, faultPaths(answer)], [400, ['customData']])
    assert.equal((await save({ phone, customData: { a: 'y', b: 'x'.repeat(40_000) } })).status, 200)
  })

  test('200 creates one contact for ten concurrent calls', async () => {
    const running = await fixture()
    const { name } = await running.openInstance(running.mine)
    const used = async () => (await running.mine.call('accountLimits')).json.limits.contacts.used
    const before = await used()
    const body = { instanceName: name, phone: randomNumber() }
    const answers = await Promise.all(Array.from({ length: 10 }, () => save(body)))
    assert.deepEqual(
      answers.map((answer) => answer.status),
      Array(10).fill(200),
    )
    assert.equal(new Set(answers.map((answer) => answer.json.contact.id)).size, 1)
    assert.equal(await used(), before + 1)
    const list = await running.mine.call('listContacts', { query: { instanceName: name } })
    assert.equal(list.json.total, 1)
  })

  test('200 saves an existing chat unchanged', async () => {
    const { store, instance } = await fixture()
    const jid = `${randomNumber()}@s.whatsapp.net`
    const chat = await store.db
      .insertInto('chats')
      .values({
        instance_id: instance.id,
        jid,
        is_group: 0,
        name: null,
        push_name: 'Aninha',
        last_message_text: 'See you',
        last_message_at: 1_700_000_000_000,
        unread_count: 2,
        active_at: 1,
        created_at: 1,
        updated_at: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { contact } = (await save({ remoteJid: jid })).json
    assert.deepEqual(contact.chat, {
      id: chat.id,
      chat: jid,
      name: null,
      pushName: 'Aninha',
      lastMessageText: 'See you',
      lastMessageTimestamp: '2023-11-14T22:13:20.000Z',
      unreadCount: 2,
    })
  })

  test('400 unless exactly one of number, groupJid, chat and their aliases is given', async () => {
    const remoteJid = '5511988880001@s.whatsapp.net'
    for (const address of [{}, { phone: '5511988880001', remoteJid }, { chat: remoteJid, remoteJid }]) {
      const answer = await save(address)
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['number'])
    }
  })

  test('400 when a field is out of range', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(257) }, 'name'],
      [{ name: 'a\nb' }, 'name'],
      [{ name: undefined }, 'name'],
      [{ phone: '12' }, 'phone'],
      [{ phone: 5511988880001 }, 'phone'],
      [{ phone: undefined, remoteJid: 'ana' }, 'remoteJid'],
      [{ phone: undefined, remoteJid: '1@broadcast' }, 'remoteJid'],
      [{ phone: undefined, remoteJid: `${'1'.repeat(21)}@s.whatsapp.net` }, 'remoteJid'],
      [{ notes: 'x'.repeat(10_001) }, 'notes'],
      [{ notes: 5 }, 'notes'],
      [{ customData: [] }, 'customData'],
      [{ customData: null }, 'customData'],
      [{ customData: { a: 'x'.repeat(65_536) } }, 'customData'],
      [{ customData: { ['k'.repeat(129)]: 1 } }, `customData.${'k'.repeat(129)}`],
      [{ assignedUserId: 0 }, 'assignedUserId'],
      [{ assignedUserId: '7' }, 'assignedUserId'],
      [{ assignedDepartmentId: 1.5 }, 'assignedDepartmentId'],
      [{ funnelStageId: 9_007_199_254_740_992 }, 'funnelStageId'],
      [{ showTimeInStage: 'true' }, 'showTimeInStage'],
      [{ isGroup: true }, 'isGroup'],
    ]
    for (const [fields, path] of wrong) {
      const answer = await save({ phone: '5511988880001', ...fields })
      assert.equal(answer.status, 400, JSON.stringify(fields).slice(0, 100))
      assert.deepEqual(faultPaths(answer), [path])
    }
    for (const fields of [
      { name: 'x'.repeat(256) },
      { notes: 'x'.repeat(10_000) },
      { notes: '' },
      { assignedUserId: null },
    ])
      assert.equal((await save({ phone: '5511988880001', ...fields })).status, 200)
  })

  test('403 when the contact limit is reached, including groups; updates stay possible', async () => {
    const running = await gateway()
    const limited = await running.account({ limits: { ...UNLIMITED_PLAN, contacts: 2 } })
    const { name: instanceName } = await running.openInstance(limited)
    const add = (address: Record<string, string>) =>
      limited.call('saveContact', { body: { instanceName, name: 'Ana', ...address } })
    const addresses = [
      { phone: '5511988880001' },
      { remoteJid: '120363000000000002@g.us' },
      { phone: '5511988880003' },
    ]
    const answers = await Promise.all(addresses.map(add))
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 200, 403])
    const refused = answers.find((answer) => answer.status === 403)
    const { reason, resource, limit, used } = refused?.json ?? {}
    assert.deepEqual([reason, resource, limit, used], ['limit_reached', 'contacts', 2, 2])
    const saved = addresses[answers.findIndex((answer) => answer.status === 200)]
    assert.equal((await add(saved as Record<string, string>)).status, 200)
    const chats = await limited.call('listChats', { query: { instanceName } })
    assert.equal(chats.json.count, 2, 'a refused contact leaves no chat behind')
  })

  test('404 when the instance does not exist', async () => {
    const answer = await save({ phone: '5511988880001', instanceName: 'unknown-00000000' })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })
})
