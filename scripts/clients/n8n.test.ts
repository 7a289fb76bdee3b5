// The n8n package offers every call of the contract, makes the request that the contract expects, and starts workflows only for signed
// deliveries.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { ROWS } from '../../integrations/n8n/nodes/Switchboard/generated/rows.ts'
import { type Property, propertiesOf } from '../../integrations/n8n/nodes/Switchboard/properties.ts'
import { FieldError, requestOf, type Values } from '../../integrations/n8n/nodes/Switchboard/request.ts'
import { clientRoutes } from './document.ts'

const rowOf = (id: string) => ROWS.find((row) => row.id === id) ?? assert.fail(id)
const request = (id: string, values: Values) => requestOf(rowOf(id), values, 'America/Sao_Paulo')

describe('the node Switchboard', () => {
  const properties = propertiesOf(ROWS)
  const shownFor = (id: string): Property[] =>
    properties.filter(({ displayOptions }) => displayOptions?.show['operation']?.includes(id))

  test('has an operation for every call, except the endless stream', () => {
    const offered = properties
      .filter(({ name }) => name === 'operation')
      .flatMap(({ options = [] }) => options)
    const ids = offered.map((option) => ('value' in option ? option.value : ''))
    const wanted = clientRoutes().map(({ id }) => id)
    assert.deepEqual(ids.toSorted(), wanted.filter((id) => id !== 'streamEvents').toSorted())
  })

  test('shows every field of a call once', () => {
    for (const row of ROWS) {
      const shown = shownFor(row.id)
      const additional = shown.find(({ name }) => name === 'additionalFields')?.options ?? []
      const names = [...shown, ...additional].map(({ name }) => name)
      assert.equal(new Set(names).size, names.length, row.id)
      for (const { name } of row.fields) assert.ok(names.includes(name), `${row.id} ${name}`)
    }
  })
})

describe('requests of the node', () => {
  const text = { instanceName: 'shop', recipient: '5511912345678', message: 'Hello' }

  test('a number and an address name the chat in different fields', () => {
    const { body } = request('sendText', { ...text, delay: 0, quotedMessageId: '' })
    assert.deepEqual(body, { instanceName: 'shop', number: '5511912345678', message: 'Hello', delay: 0 })
    const group = request('sendText', { ...text, recipient: '120363000000000000@g.us' })
    assert.deepEqual(group.body, { instanceName: 'shop', chat: '120363000000000000@g.us', message: 'Hello' })
  })

  test('a time without an offset is one in the zone of the workflow', () => {
    const sendAt = (value: unknown) =>
      (request('sendText', { ...text, sendAt: value }).body as { sendAt: string }).sendAt
    assert.equal(sendAt('2026-07-01T09:00:00'), '2026-07-01T12:00:00.000Z')
    assert.equal(sendAt('2026-07-01T09:00:00+02:00'), '2026-07-01T07:00:00.000Z')
    assert.equal(sendAt({ toISO: () => '2026-07-01T09:00:00.000Z' }), '2026-07-01T09:00:00.000Z')
    assert.throws(() => sendAt('soon'), new FieldError('Send At is not a time'))
  })

  test('JSON is parsed, lists may be one element, null empties a field', () => {
    const contacts = '[{"name":"Ana","number":"5511912345678"}]'
    const sent = request('sendContact', { instanceName: 'shop', recipient: '1', contacts })
    assert.deepEqual((sent.body as { contacts: unknown }).contacts, JSON.parse(contacts))
    assert.throws(
      () => request('sendContact', { instanceName: 'shop', recipient: '1', contacts: '{' }),
      new FieldError('Contacts is not valid JSON'),
    )
    const mentions = (value: unknown) =>
      (request('sendText', { ...text, mentions: value }).body as { mentions: unknown }).mentions
    assert.deepEqual([mentions('all'), mentions('["1","2"]')], [['all'], ['1', '2']])
    assert.deepEqual(request('updateContact', { contactId: 7, id: 7, notes: null }).body, { notes: null })
  })

  test('a value cannot change the path', () => {
    assert.equal(request('getMessage', { messageId: 'a/../b?c' }).path, '/api/v1/messages/a%2F..%2Fb%3Fc')
    for (const messageId of ['', '.', '..', undefined])
      assert.throws(() => request('getMessage', { messageId }), new FieldError('messageId is required'))
  })
})

describe('the node Switchboard Trigger', async () => {
  // By a variable, because n8n's types are not installed here.
  const file = '../../integrations/n8n/nodes/SwitchboardTrigger/SwitchboardTrigger.node.ts'
  const { SwitchboardTrigger } = await import(file)
  const secret = 'whsec_of_the_webhook'
  const body = JSON.stringify({ id: 'evt_1', event: 'messages.upsert', data: { text: 'Hello' } })
  const now = Math.floor(Date.now() / 1000)
  const sign = (time: number, content: string) =>
    createHmac('sha256', secret).update(`${time}.${content}`).digest('hex')

  async function deliver({ time = now, content = body, signature = sign(time, content), known = secret }) {
    let status = 200
    const response = {
      status(code: number) {
        status = code
        return { json: () => undefined }
      },
    }
    const answer = await new SwitchboardTrigger().webhook.call({
      getWorkflowStaticData: () => (known === '' ? {} : { secret: known }),
      getRequestObject: () => ({ rawBody: Buffer.from(content) }),
      getHeaderData: () => ({ 'x-service-timestamp': String(time), 'x-service-signature': signature }),
      getResponseObject: () => response,
      helpers: { returnJsonArray: (items: unknown[]) => items.map((json) => ({ json })) },
    })
    return { status, answer }
  }

  test('a signed delivery starts the workflow with its events', async () => {
    const { status, answer } = await deliver({})
    assert.equal(status, 200)
    assert.deepEqual(answer, { workflowData: [[{ json: JSON.parse(body) }]] })
  })

  test('a forged one, one of another time and one without a known secret get 401 and start nothing', async () => {
    const refused = { status: 401, answer: { noWebhookResponse: true } }
    assert.deepEqual(await deliver({ signature: sign(now, `${body} `) }), refused)
    assert.deepEqual(await deliver({ time: now - 600 }), refused)
    assert.deepEqual(await deliver({ time: now + 600 }), refused)
    assert.deepEqual(await deliver({ known: '' }), refused)
  })

  test('a test of the webhook is answered and starts nothing', async () => {
    const { status, answer } = await deliver({ content: JSON.stringify({ event: 'webhook.test', data: {} }) })
    assert.deepEqual([status, answer], [200, { webhookResponse: 'OK' }])
  })
})
