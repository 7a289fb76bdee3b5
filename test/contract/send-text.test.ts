// POST /send/text
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'
import { refuses, sendRules, stores } from './send-rules.ts'
import { freshInstance, storedMessages } from './sender.ts'

contractOnEachEngine('POST /send/text', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendText', type: 'text', drawsDelay: true, to: 'number' })

  stores(fixture, 'sendText', 'stores the text exactly: emojis, formatting, line breaks, any script', [
    ...[
      'Olá 👋🏽',
      '*bold* _italic_ ~gone~ ```code```',
      'a\r\nb\tc',
      'שלום\u200f 你好',
      ' ',
      '\u0001',
      '👨‍👩‍👧‍👦',
      'e\u0301',
    ].map((message) => [{ message }, { message }] as const),
    [{ message: 'x'.repeat(65_536) }, { message: 'x'.repeat(65_536) }],
    [{ type: 'text', message: 'hi' }, { message: 'hi' }],
    [
      { message: 'hi', linkPreview: true },
      { message: 'hi', linkPreview: true },
    ],
    [{ message: 'hi', linkPreview: false }, { message: 'hi' }],
  ])

  refuses(
    fixture,
    'sendText',
    'the message is empty, too long or not text, or linkPreview is not true or false',
    [
      [{ message: '' }, 'message'],
      [{ message: 'x'.repeat(65_537) }, 'message'],
      [{ message: 5 }, 'message'],
      [{ message: null }, 'message'],
      [{ linkPreview: 'yes' }, 'linkPreview'],
    ],
  )

  refuses(fixture, 'sendText', 'type is not text, or instanceName is not valid', [
    [{ type: 'image' }, 'type'],
    [{ type: null }, 'type'],
    [{ instanceName: '' }, 'instanceName'],
    [{ instanceName: 'x'.repeat(101) }, 'instanceName'],
    [{ instanceName: 'a\nb' }, 'instanceName'],
  ])

  test('400 with the paths of missing and unknown fields', async () => {
    const { mine } = await fixture()
    const answer = await mine.call('sendText', {
      body: { instanceName: 'x', mesage: 'typo', number: '5511912345678' },
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['mesage', 'message'])
    assert.match(answer.json.error, /^The request is not valid: /)
  })

  test('200 sends one message for 100 concurrent requests with the same Idempotency-Key (promise A4)', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, 'sendText')
    const input = { headers: { 'idempotency-key': `parallel ${instance.name}` } }
    const answers = await Promise.all(Array.from({ length: 100 }, () => send({}, input)))
    const accepted = answers.filter((answer) => answer.status === 200)
    assert.ok(accepted.length >= 1)
    assert.equal(new Set(accepted.map((answer) => answer.json.messageId)).size, 1)
    assert.equal(accepted.filter((answer) => !answer.headers.has('idempotency-replayed')).length, 1)
    for (const { status, json } of answers)
      assert.ok(status === 200 || json.reason === 'idempotency_in_flight', JSON.stringify(json))
    const rows = await storedMessages(running, instance.id)
    assert.deepEqual(
      rows.map((row) => row.id),
      [accepted[0]?.json.messageId],
    )
    assert.equal((await send({}, input)).headers.get('idempotency-replayed'), 'true')
  })

  test('200 keeps the order of messages in a chat', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, 'sendText')
    for (const message of ['1', '2', '3']) await send({ message })
    await send({ message: 'elsewhere', number: '5511900000000' })
    const rows = await storedMessages(running, instance.id)
    assert.deepEqual(
      rows.map((row) => [row.lane_seq, JSON.parse(row.content).message]),
      [
        [1, '1'],
        [2, '2'],
        [3, '3'],
        [1, 'elsewhere'],
      ],
    )
    assert.equal(new Set(rows.slice(0, 3).map((row) => row.lane)).size, 1)
  })
})
