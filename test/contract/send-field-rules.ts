// The fields that every send takes: groupJid, quotedMessageId, mentions, sendAt, expiresAt, reference.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, faultPaths } from './fixture.ts'
import { receive } from './received-message.ts'
import { freshInstance, type SendRules, storedMessages } from './sender.ts'

const GROUP = '120363000000000000@g.us'
const LID = '111222333444555@lid'
const HOUR_MS = 60 * 60 * 1000
const YEAR_MS = 366 * 24 * HOUR_MS
const iso = (at: number): string => new Date(at).toISOString()

export function sendFieldRules(fixture: () => Promise<Fixture>, rules: SendRules): void {
  if (rules.to === 'number') groupRules(fixture, rules)
  if (rules.to === 'number') chatRules(fixture, rules)
  if (rules.to === 'number') replyRules(fixture, rules)
  if (rules.to !== 'status') quoteRules(fixture, rules)
  timeRules(fixture, rules)
  referenceRules(fixture, rules)
}

function groupRules(fixture: () => Promise<Fixture>, { id }: SendRules): void {
  test('200 sends to a group with groupJid instead of number, and mentions people there', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const mentions = ['5511912345678', '5511987654321']
    const answer = await send({ number: undefined, groupJid: GROUP, mentions })
    assert.deepEqual([answer.status, answer.json.groupJid, answer.json.number], [200, GROUP, undefined])
    const all = await send({ number: undefined, groupJid: GROUP, mentions: ['all'] })
    assert.equal(all.status, 200)
    const rows = await storedMessages(running, instance.id)
    assert.deepEqual(
      rows.map(({ chat, group_jid: group, content }) => [chat, group, JSON.parse(content).mentions]),
      [
        [GROUP, GROUP, mentions],
        [GROUP, GROUP, ['all']],
      ],
    )
  })

  test('400 unless exactly one of number, groupJid and chat is given, or when mentions are not for a group', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const toGroup = { number: undefined, groupJid: GROUP }
    for (const [body, path] of [
      [{ groupJid: GROUP }, 'number'],
      [{ number: undefined }, 'number'],
      [{ chat: LID }, 'number'],
      [{ number: undefined, groupJid: GROUP, chat: GROUP }, 'number'],
      [{ number: undefined, groupJid: '1@s.whatsapp.net' }, 'groupJid'],
      [{ mentions: ['5511912345678'] }, 'mentions'],
      [{ ...toGroup, mentions: ['all', '5511912345678'] }, 'mentions'],
      [{ ...toGroup, mentions: [] }, 'mentions'],
      [{ ...toGroup, mentions: ['somebody'] }, 'mentions.0'],
      [{ ...toGroup, mentions: [GROUP] }, 'mentions.0'],
      [{ number: undefined, chat: LID, mentions: ['5511912345678'] }, 'mentions'],
    ] as const) {
      const answer = await send(body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(faultPaths(answer), [path])
    }
    assert.deepEqual(await storedMessages(running, instance.id), [])
  })
}

function chatRules(fixture: () => Promise<Fixture>, { id }: SendRules): void {
  test('200 sends to the chat of an event: a person without a number, a number, a group', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const person = '5511912345678@s.whatsapp.net'
    const shown: unknown[] = []
    for (const chat of [LID, person, GROUP]) {
      const { status, json } = await send({ number: undefined, chat })
      shown.push([status, json.chat, json.number, json.groupJid])
    }
    assert.deepEqual(shown, [
      [200, LID, undefined, undefined],
      [200, person, '5511912345678', undefined],
      [200, GROUP, undefined, GROUP],
    ])
    await send()
    const mentions = [LID, '5511912345678']
    assert.equal((await send({ number: undefined, chat: GROUP, mentions: [LID, person] })).status, 200)
    const rows = await storedMessages(running, instance.id)
    assert.deepEqual(
      rows.map(({ chat, number, group_jid: group, lane_seq: ordinal }) => [chat, number, group, ordinal]),
      [
        [LID, null, null, 1],
        [person, '5511912345678', null, 1],
        [GROUP, null, GROUP, 1],
        [person, '5511912345678', null, 2],
        [GROUP, null, GROUP, 2],
      ],
    )
    assert.deepEqual(JSON.parse(rows[4]?.content ?? '').mentions, mentions)
  })

  test('200 a repeated request may name the same chat in another field', async () => {
    const { send } = await freshInstance(await fixture(), id)
    const headers = { 'idempotency-key': `named-twice-${id}` }
    const first = await send({ delay: 0 }, { headers })
    const again = await send(
      { number: undefined, chat: '5511912345678@s.whatsapp.net', delay: 0 },
      { headers },
    )
    assert.deepEqual(
      [again.status, again.json.messageId, again.headers.get('idempotency-replayed')],
      [200, first.json.messageId, 'true'],
    )
  })

  test('400 when chat is not a person or a group', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const refused = [
      'status@broadcast',
      '12345@broadcast',
      '120363000000000000@newsletter',
      '5511912345678',
      'ana@lid',
      '1234@lid',
      `${'1'.repeat(21)}@lid`,
      `${'1'.repeat(101)}@lid`,
      '111222333444555:3@lid',
      '111222333444555@lid\n',
      ' 111222333444555@lid',
      '5511912345678@c.us',
      7,
      null,
    ]
    for (const chat of refused) {
      const answer = await send({ number: undefined, chat })
      assert.deepEqual([answer.status, faultPaths(answer)], [400, ['chat']], JSON.stringify(chat))
    }
    assert.deepEqual(await storedMessages(running, instance.id), [])
  })
}

function replyRules(fixture: () => Promise<Fixture>, { id }: SendRules): void {
  test('200 replies to a message of the same chat, and shows the quoted text and author', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const received = await receive({ ...running, instance }, null)
    const answer = await send({ quotedMessageId: received })
    assert.equal(answer.status, 200)
    const reply = await running.mine.call('getMessage', { params: { messageId: answer.json.messageId } })
    assert.deepEqual(reply.json.message.content.quoted, {
      messageId: received,
      text: 'see',
      participant: '5511912345678@s.whatsapp.net',
    })
    const own = await send({ quotedMessageId: answer.json.messageId })
    assert.equal(own.status, 200, 'a sent message that is still queued')
  })
}

function quoteRules(fixture: () => Promise<Fixture>, { id }: SendRules): void {
  test('400 when the quoted message is in another chat', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const body = { instanceName: instance.name, number: '5511900000009', message: 'elsewhere' }
    const { messageId } = (await running.mine.call('sendText', { body })).json
    const answer = await send({ quotedMessageId: messageId })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['quotedMessageId'])
    assert.equal((await storedMessages(running, instance.id)).length, 1)
  })

  test('404 when the quoted message is unknown, or belongs to another account', async () => {
    const running = await fixture()
    const { send } = await freshInstance(running, id)
    const stranger = await freshInstance(running, id, await running.account())
    const theirs = (await stranger.send()).json.messageId
    for (const quotedMessageId of ['3EB0000000000000000000', theirs]) {
      const answer = await send({ quotedMessageId })
      assert.deepEqual([answer.status, answer.json.reason], [404, 'message_not_found'])
    }
  })

  test('409 when the quoted message was never sent', async () => {
    const running = await fixture()
    const { send } = await freshInstance(running, id)
    const { messageId } = (await send()).json
    await running.mine.call('cancelMessage', { params: { messageId } })
    const answer = await send({ quotedMessageId: messageId })
    assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_sent'])
  })

  test('409 when the quoted message was deleted', async () => {
    const running = await fixture()
    const { send } = await freshInstance(running, id)
    const { messageId } = (await send()).json
    await running.mine.call('deleteMessage', { params: { messageId } })
    const answer = await send({ quotedMessageId: messageId })
    assert.deepEqual([answer.status, answer.json.reason], [409, 'message_deleted'])
  })
}

function timeRules(fixture: () => Promise<Fixture>, { id }: SendRules): void {
  test('200 schedules a message: it is listed as scheduled, not queued, and can be cancelled', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const sendAt = iso(running.clock.now() + HOUR_MS)
    const answer = await send({ sendAt, expiresAt: iso(running.clock.now() + 2 * HOUR_MS) })
    assert.deepEqual([answer.status, answer.json.status, answer.json.sendAt], [200, 'scheduled', sendAt])
    const counts = () =>
      running.store.db
        .selectFrom('instances')
        .select(['queued_count', 'scheduled_count'])
        .where('id', '=', instance.id)
        .executeTakeFirstOrThrow()
    assert.deepEqual(await counts(), { queued_count: 0, scheduled_count: 1 })
    const query = { instanceName: instance.name, status: 'scheduled' }
    const [listed] = (await running.mine.call('listMessages', { query })).json.messages
    assert.deepEqual([listed.messageId, listed.sendAt, listed.late], [answer.json.messageId, sendAt, false])
    const params = { messageId: answer.json.messageId }
    const cancelled = await running.mine.call('cancelMessage', { params })
    assert.equal(cancelled.json.message.failure.reason, 'canceled')
    assert.deepEqual(await counts(), { queued_count: 0, scheduled_count: 0 })
  })

  test('200 accepts a time with an offset, and sends at once what is due now', async () => {
    const running = await fixture()
    const { send } = await freshInstance(running, id)
    const at = running.clock.now() + 10 * HOUR_MS
    const offset = iso(at + 2 * HOUR_MS).replace('Z', '+02:00')
    assert.equal((await send({ sendAt: offset })).json.sendAt, iso(at))
    const now = await send({ sendAt: iso(running.clock.now() - 1000) })
    assert.deepEqual([now.json.status, now.json.sendAt], ['queued', undefined])
  })

  test('400 when a time is past, too far ahead, in the wrong order or not a time', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const now = running.clock.now()
    for (const [body, path] of [
      [{ sendAt: iso(now - HOUR_MS) }, 'sendAt'],
      [{ sendAt: iso(now + YEAR_MS + HOUR_MS) }, 'sendAt'],
      [{ sendAt: 'tomorrow' }, 'sendAt'],
      [{ sendAt: now }, 'sendAt'],
      [{ expiresAt: iso(now - 1) }, 'expiresAt'],
      [{ expiresAt: '2026-13-01T00:00:00Z' }, 'expiresAt'],
      [{ sendAt: iso(now + 2 * HOUR_MS), expiresAt: iso(now + HOUR_MS) }, 'expiresAt'],
    ] as const) {
      const answer = await send(body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(faultPaths(answer), [path])
    }
    assert.deepEqual(await storedMessages(running, instance.id), [])
  })
}

function referenceRules(fixture: () => Promise<Fixture>, { id }: SendRules): void {
  test('200 stores the reference, and shows it in the answer, the message, the list and the event', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const reference = `order ${id} ✓`
    const { status, json } = await send({ reference })
    assert.deepEqual([status, json.reference], [200, reference])
    assert.equal((await send()).json.reference, undefined)
    const rows = await storedMessages(running, instance.id)
    const named = rows.filter((row) => row.reference === reference)
    // The files of an album have the reference of the album.
    assert.equal(named.length, rows.length / 2)
    const { message } = (await running.mine.call('getMessage', { params: { messageId: json.messageId } }))
      .json
    assert.equal(message.reference, reference)
    const query = { instanceName: instance.name, reference }
    const listed = (await running.mine.call('listMessages', { query })).json.messages
    assert.deepEqual(
      listed.map(({ messageId }: { messageId: string }) => messageId).sort(),
      named.map((row) => row.id).sort(),
    )
    const { events } = (await running.mine.call('listEvents', { query: { limit: 500 } })).json
    const upsert = events.find(
      ({ data }: { data: { messageId?: string } }) => data.messageId === json.messageId,
    )
    assert.deepEqual([upsert.event, upsert.data.reference], ['messages.upsert', reference])
  })

  test('422 when an idempotency key is used again with another reference', async () => {
    const { send } = await freshInstance(await fixture(), id)
    const headers = { 'idempotency-key': `reference-${id}` }
    const first = await send({ reference: 'one', delay: undefined }, { headers })
    const again = await send({ reference: 'one', delay: undefined }, { headers })
    assert.deepEqual([again.status, again.json], [200, first.json])
    for (const reference of ['two', undefined]) {
      const answer = await send({ reference, delay: undefined }, { headers })
      assert.deepEqual([answer.status, answer.json.reason], [422, 'idempotency_key_reused'])
    }
  })

  test('400 when the reference is empty, too long, has control characters or is not a text', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    for (const reference of ['', 'x'.repeat(129), 'line\nbreak', 'nul\u0000', 7, null]) {
      const answer = await send({ reference })
      assert.equal(answer.status, 400, JSON.stringify(reference))
      assert.deepEqual(faultPaths(answer), ['reference'])
    }
    assert.equal((await send({ reference: 'x'.repeat(128) })).status, 200)
    assert.equal(
      (await storedMessages(running, instance.id)).every((row) => row.reference?.length === 128),
      true,
    )
  })
}
