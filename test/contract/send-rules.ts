// Tests that all nine send endpoints share. Each endpoint's test file runs them on its route.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type CallInput, type Gateway, randomNumber } from '../support/gateway.ts'
import { type Fixture, faultPaths, UNLIMITED_PLAN, withInstance } from './fixture.ts'
import { usedUpKey } from './key-limit.ts'
import { sendFieldRules } from './send-field-rules.ts'
import { freshInstance, type SendId, type SendRules, sampleBody, sender, storedMessages } from './sender.ts'
import { waitRules } from './wait-rules.ts'

type Body = Record<string, unknown>

const DAY_MS = 24 * 60 * 60 * 1000

export function sendRules(gateway: () => Promise<Gateway>, rules: SendRules): () => Promise<Fixture> {
  const fixture = withInstance(gateway)
  acceptRules(fixture, rules)
  if (rules.to !== 'status') delayRules(fixture, rules)
  idempotencyRules(fixture, rules)
  waitRules(fixture, rules.id)
  refusalRules(fixture, rules)
  if (rules.to === 'number') numberRules(fixture, rules)
  sendFieldRules(fixture, rules)
  return fixture
}

/** The chat of the sample of an endpoint, and the fields of the answer that name it. */
const RECIPIENTS = {
  number: ['5511912345678@s.whatsapp.net', { number: '5511912345678' }],
  groupJid: ['120363000000000000@g.us', { groupJid: '120363000000000000@g.us' }],
  status: ['status@broadcast', {}],
} as const

function acceptRules(fixture: () => Promise<Fixture>, { id, type, to }: SendRules): void {
  test('200 returns what was committed, and nothing else', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const before = running.clock.now()
    const answer = await send()
    assert.equal(answer.status, 200)
    const { messageId, createdAt, ...rest } = answer.json
    const [chat, recipient] = RECIPIENTS[to]
    assert.deepEqual(rest, {
      success: true,
      status: 'queued',
      instanceName: instance.name,
      ...recipient,
      chat,
      type,
    })
    assert.match(messageId, /^3EB0[0-9A-F]{18}$/)
    assert.ok(Date.parse(createdAt) >= before && Date.parse(createdAt) <= running.clock.now())
    const [row, ...others] = await storedMessages(running, instance.id)
    assert.equal(others.length, 0)
    assert.deepEqual(
      [row?.id, row?.status, row?.direction, row?.kind],
      [messageId, 'queued', 'outgoing', type],
    )
    assert.deepEqual([row?.chat, row?.account_id], [chat, running.mine.id])
  })

  test('200 counts against the messages of the period', async () => {
    const running = await fixture()
    const { send } = await freshInstance(running, id)
    const used = async () => (await running.mine.call('accountLimits')).json.limits.messages.used
    const before = await used()
    await send()
    assert.equal(await used(), before + 1)
  })

  test('200 queues the message while the instance reconnects', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    await running.sessions.move(instance.id, 'connection_lost')
    const answer = await send()
    assert.equal(answer.status, 200)
    assert.equal(answer.json.status, 'queued')
  })
}

function delayRules(fixture: () => Promise<Fixture>, { id, drawsDelay }: SendRules): void {
  const title = drawsDelay ? 'is random from 3000 to 5000 ms' : 'is 0'
  test(`200 uses a delay that ${title} when delay is omitted`, async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    await Promise.all(Array.from({ length: 12 }, () => send()))
    const delays = (await storedMessages(running, instance.id)).map((row) => row.delay_ms)
    assert.equal(delays.length, 12)
    if (drawsDelay) {
      assert.ok(
        delays.every((ms) => Number.isInteger(ms) && ms >= 3000 && ms <= 5000),
        delays.join(),
      )
      assert.ok(new Set(delays).size > 1, 'always the same')
    } else assert.deepEqual(new Set(delays), new Set([0]))
  })

  test('200 treats delay null and "" as omitted, also for a repeated request', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const empty: Body[] = [{}, { delay: null }, { delay: '' }]
    for (const body of empty) assert.equal((await send(body)).status, 200, JSON.stringify(body))
    const delays = (await storedMessages(running, instance.id)).map((row) => row.delay_ms)
    const [least, most] = drawsDelay ? [3000, 5000] : [0, 0]
    assert.equal(delays.length, 3)
    assert.ok(
      delays.every((ms) => ms >= least && ms <= most),
      delays.join(),
    )
    const headers = { 'idempotency-key': `empty-delay-${instance.name}` }
    const repeated: Answer[] = []
    for (const body of empty) repeated.push(await send(body, { headers }))
    assert.deepEqual(
      repeated.map((answer) => [answer.status, answer.json.messageId]),
      repeated.map(() => [200, repeated[0]?.json.messageId]),
    )
    assert.equal((await storedMessages(running, instance.id)).length, 4)
  })

  test('200 stores delay from 0 to 60000 ms', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    for (const delay of [0, 1, 59_999, 60_000]) assert.equal((await send({ delay })).status, 200)
    const delays = (await storedMessages(running, instance.id)).map((row) => row.delay_ms)
    assert.deepEqual(delays, [0, 1, 59_999, 60_000])
  })

  test('400 when delay is not a whole number from 0 to 60000', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    for (const delay of [-1, 60_001, 1e9, '5', ' ', 3.5, true, [], {}]) {
      const answer = await send({ delay })
      assert.equal(answer.status, 400, JSON.stringify(delay))
      assert.deepEqual(faultPaths(answer), ['delay'])
    }
    assert.equal((await storedMessages(running, instance.id)).length, 0)
  })
}

function idempotencyRules(fixture: () => Promise<Fixture>, { id, to }: SendRules): void {
  const another = (n: number): Body => (to === 'status' ? { message: `text ${n}` } : { delay: n })
  const key = (name: string): CallInput => ({ headers: { 'idempotency-key': name } })

  test('200 returns the first response for the same Idempotency-Key, and sends nothing', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const first = await send({}, key(`repeat ${instance.name}`))
    const again = await send({}, key(`repeat ${instance.name}`))
    assert.equal(first.headers.get('idempotency-replayed'), null)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.json, first.json)
    assert.equal((await storedMessages(running, instance.id)).length, 1)
    const other = await send({}, key(`other ${instance.name}`))
    assert.notEqual(other.json.messageId, first.json.messageId)
  })

  test('422 when the Idempotency-Key was used with another body', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const other = await freshInstance(running, id)
    const name = `reused ${instance.name}`
    assert.equal((await send(another(0), key(name))).status, 200)
    for (const answer of [await send(another(1), key(name)), await other.send(another(0), key(name))]) {
      assert.equal(answer.status, 422)
      assert.equal(answer.json.reason, 'idempotency_key_reused')
    }
    assert.equal((await storedMessages(running, instance.id)).length, 1)
    assert.equal((await storedMessages(running, other.instance.id)).length, 0)
  })

  test('200 keeps an Idempotency-Key for 24 hours, per account', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const name = `kept ${instance.name}`
    const first = await send({}, key(name))
    running.clock.advance(DAY_MS - 60_000)
    assert.equal((await send({}, key(name))).json.messageId, first.json.messageId)
    running.clock.advance(120_000)
    const later = await send({}, key(name))
    assert.equal(later.status, 200)
    assert.notEqual(later.json.messageId, first.json.messageId)
    assert.equal((await send({}, key(name))).json.messageId, later.json.messageId)
    const stranger = await freshInstance(running, id, await running.account())
    assert.equal((await stranger.send({}, key(name))).headers.get('idempotency-replayed'), null)
  })

  test('400 when the Idempotency-Key is empty, too long or not printable', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    for (const name of ['', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
      const answer = await send({}, key(name))
      assert.equal(answer.status, 400, JSON.stringify(name))
      assert.deepEqual(faultPaths(answer), ['Idempotency-Key'])
    }
    assert.equal((await send({}, key('x'.repeat(255)))).status, 200)
    assert.equal((await storedMessages(running, instance.id)).length, 1)
  })
}

function refusalRules(fixture: () => Promise<Fixture>, { id }: SendRules): void {
  test('400 with the path of every missing field', async () => {
    const { mine } = await fixture()
    const { type: _type, ...required } = sampleBody(id, 'x')
    const answer = await mine.call(id, { body: {} })
    assert.equal(answer.status, 400)
    const missing = faultPaths(answer).filter((path) => path !== 'type')
    assert.deepEqual(missing, Object.keys(required).sort())
    for (const detail of answer.json.details)
      if (detail.path !== 'type' && detail.path !== 'number') assert.equal(detail.message, 'required')
  })

  test('403 when the message limit is reached', async () => {
    const running = await fixture()
    const account = await running.account({ limits: { ...UNLIMITED_PLAN, messages: 1 } })
    const { instance, send } = await freshInstance(running, id, account)
    const answers = await Promise.all([send(), send()])
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 403])
    const refused = await send()
    const { reason, resource, limit, used } = refused.json
    assert.deepEqual(
      { reason, resource, limit, used },
      { reason: 'limit_reached', resource: 'messages', limit: 1, used: 1 },
    )
    assert.equal((await storedMessages(running, instance.id)).length, 1)
  })

  test('404 when the instance does not exist or is deleted', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    await running.mine.call('logoutInstance', { query: { instanceName: instance.name } })
    await running.mine.call('deleteInstance', { query: { instanceName: instance.name } })
    for (const answer of [await send(), await send({ instanceName: 'unknown-00000000' })]) {
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'instance_not_found')
    }
  })

  test('409 when the instance was never paired or is logged out', async () => {
    const running = await fixture()
    const created = await running.mine.call('createInstance', { body: { instanceName: 'New' } })
    const { id: newId, apiInstanceName } = created.json.instance
    const loggedOut = await freshInstance(running, id)
    await running.mine.call('logoutInstance', { query: { instanceName: loggedOut.instance.name } })
    for (const answer of [await sender(running.mine, id, apiInstanceName)(), await loggedOut.send()]) {
      assert.equal(answer.status, 409)
      assert.equal(answer.json.reason, 'instance_not_connected')
    }
    for (const instanceId of [newId, loggedOut.instance.id])
      assert.equal((await storedMessages(running, instanceId)).length, 0)
  })

  test('429 when the key has used its messages of the day', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const refused = await send({}, { key: await usedUpKey(running, running.mine) })
    assert.deepEqual([refused.status, refused.json.reason], [429, 'key_limit_reached'])
    assert.deepEqual([refused.json.limit, refused.json.used], [1, 1])
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal((await storedMessages(running, instance.id)).length, 0)
  })

  test('429 when more than 10,000 messages are queued for the instance', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const waiting = (count: number) =>
      running.store.db
        .updateTable('instances')
        .set({ queued_count: count })
        .where('id', '=', instance.id)
        .execute()
    await waiting(9999)
    assert.equal((await send()).status, 200)
    const refused = await send()
    assert.equal(refused.status, 429)
    assert.equal(refused.json.reason, 'queue_full')
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal((await storedMessages(running, instance.id)).length, 1)
    await waiting(0)
    assert.equal((await send()).status, 200)
  })
}

function numberRules(fixture: () => Promise<Fixture>, { id }: SendRules): void {
  test('200 removes +, spaces, dashes and brackets from the number', async () => {
    const { mine, instance } = await fixture()
    const send = sender(mine, id, instance.name)
    const digits = randomNumber()
    for (const number of [
      digits,
      `+${digits}`,
      ` ${digits.slice(0, 2)} (${digits.slice(2, 4)}) ${digits.slice(4, 9)}-${digits.slice(9)} `,
    ])
      assert.equal((await send({ number })).json.number, digits)
    for (const number of ['1234567', '123456789012345']) assert.equal((await send({ number })).status, 200)
  })

  test('400 when number is not a phone number', async () => {
    const { mine, instance } = await fixture()
    const send = sender(mine, id, instance.name)
    const wrong = [
      '',
      '1',
      '123456',
      '1234567890123456',
      '1'.repeat(40),
      '1'.repeat(41),
      '55119abc45678',
      '5511.912345678',
    ]
    for (const number of [
      ...wrong,
      '+',
      '٥٥١١٩١٢٣٤٥٦٧٨',
      '5511912345678@g.us',
      '5511912345678@lid',
      5511912345678,
      null,
      ['5511912345678'],
    ]) {
      const answer = await send({ number })
      assert.equal(answer.status, 400, String(number))
      assert.deepEqual(faultPaths(answer), ['number'])
    }
  })
}

/** Each entry is a change to the valid body, and the path in the error details. `title` completes "400 when …". */
export function refuses(
  fixture: () => Promise<Fixture>,
  id: SendId,
  title: string,
  changes: readonly (readonly [change: Body, path: string])[],
): void {
  test(`400 when ${title}`, async () => {
    const { mine, instance } = await fixture()
    for (const [change, path] of changes) {
      const answer = await sender(mine, id, instance.name)(change)
      assert.equal(answer.status, 400, JSON.stringify(change).slice(0, 200))
      assert.equal(answer.json.reason, 'invalid_request')
      assert.deepEqual(faultPaths(answer), [path], JSON.stringify(change).slice(0, 200))
    }
  })
}

/** Each entry is a change to the valid body, and the content that GET /messages/{messageId} returns. */
export function stores(
  fixture: () => Promise<Fixture>,
  id: SendId,
  title: string,
  cases: readonly (readonly [change: Body, content: Body])[],
): void {
  test(`200 ${title}`, async () => {
    const { mine, instance } = await fixture()
    for (const [change, content] of cases) {
      const sent = await sender(mine, id, instance.name)(change)
      assert.equal(sent.status, 200, JSON.stringify(sent.json))
      const read = await mine.call('getMessage', { params: { messageId: sent.json.messageId } })
      assert.deepEqual(read.json.message.content, content)
      assert.equal(read.json.message.type, sent.json.type)
    }
  })
}
