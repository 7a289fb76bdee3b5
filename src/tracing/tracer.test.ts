// The spans of each step: which trace they belong to, their parents, and that they contain no private data.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DueRow } from '../webhooks/deliveries-store.ts'
import { encodeSpans, type Span } from './otlp.ts'
import { createTracer } from './start-tracing.ts'
import { parseTraceparent } from './traceparent.ts'

const NOW = 1_767_268_800_123
const MESSAGE = { instanceId: 7, messageId: '3EB0A1B2C3' }
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const ANSWERED = {
  method: 'POST',
  route: '/api/v1/send/text',
  status: 200,
  elapsedMs: 12.5,
  traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
}

function setUp() {
  const spans: Span[] = []
  const tracer = createTracer(
    () => NOW,
    (span) => void spans.push(span),
  )
  const last = (): Span => spans.at(-1) ?? assert.fail('there is no span')
  return { spans, tracer, last, begun: tracer.start() }
}

const dueRow = (data: object, change: Partial<DueRow> = {}): DueRow => ({
  id: 1,
  webhook_id: 3,
  instance_id: MESSAGE.instanceId,
  tries: 0,
  early_retries: 0,
  account_id: 2,
  position: 40,
  sequence: 40,
  name: 'messages.upsert',
  data: JSON.stringify(data),
  created_at: NOW,
  display_name: 'Private name',
  own_number: null,
  evolution_name: null,
  direction: null,
  api_name: 'private-name',
  ...change,
})
const DELIVERED = { status: 200, durationMs: 8 }

describe('a sent message', () => {
  test('request, accept, send, receipt and deliveries are one trace, also if other processes report them', () => {
    const [first, second, third] = [setUp(), setUp(), setUp()]
    first.tracer.accept(first.begun, { ...MESSAGE, kind: 'text', isRequested: true })
    first.tracer.answered(MESSAGE, ANSWERED)
    second.tracer.send(second.begun, { ...MESSAGE, kind: 'text', tries: 1 }, { kind: 'retry', at: NOW })
    third.tracer.receipt(third.begun, { ...MESSAGE, status: 'delivered' })
    third.tracer
      .delivery(3, dueRow({ messageId: MESSAGE.messageId, status: 'sent' }, { name: 'messages.update' }))
      .end(DELIVERED, 'delivered')
    const [accept, request] = first.spans as [Span, Span]
    const others = [...second.spans, ...third.spans]
    assert.deepEqual(
      [request, accept, ...others].map(({ name }) => name),
      ['POST /api/v1/send/text', 'accept', 'send', 'receipt', 'delivery'],
    )
    assert.equal(new Set([request, accept, ...others].map(({ traceId }) => traceId)).size, 1)
    assert.equal(new Set([request, accept, ...others].map(({ spanId }) => spanId)).size, 5)
    assert.equal(request.parentId, undefined)
    assert.equal(accept.parentId, request.spanId)
    for (const span of others) assert.equal(span.parentId, accept.spanId)
  })

  test('a message that the gateway sends without a request begins with its acceptance', () => {
    const { tracer, begun, last } = setUp()
    tracer.accept(begun, { ...MESSAGE, kind: 'text', isRequested: false })
    assert.equal(last().parentId, undefined)
  })

  test('the request is linked to the span of the caller, if its header is valid', () => {
    const { tracer, last } = setUp()
    tracer.answered(MESSAGE, ANSWERED)
    assert.deepEqual(last().link, CALLER)
    assert.notEqual(last().traceId, CALLER.traceId)
    assert.deepEqual([last().startMs, last().durationMs], [NOW - 12.5, 12.5])
    tracer.answered(MESSAGE, { ...ANSWERED, traceparent: 'nonsense' })
    assert.equal(last().link, undefined)
  })

  test('a failure is an error with its reason, without its text', () => {
    const { tracer, begun, last } = setUp()
    const failure = { reason: 'number_not_on_network', error: 'about 5511912345678', code: null } as const
    tracer.send(begun, { ...MESSAGE, kind: 'text', tries: 2 }, { kind: 'failed', ...failure })
    const { isError, attributes } = last()
    assert.equal(isError, true)
    assert.deepEqual(attributes, {
      'messaging.system': 'whatsapp',
      'messaging.message.id': MESSAGE.messageId,
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'switchboard.instance.id': 7,
      'switchboard.message.kind': 'text',
      'switchboard.attempt': 2,
      'switchboard.outcome': 'failed',
      'error.type': 'number_not_on_network',
    })
  })

  test('the same id at two instances is two traces', () => {
    const { tracer, begun, spans } = setUp()
    tracer.accept(begun, { ...MESSAGE, kind: 'text', isRequested: true })
    tracer.accept(begun, { ...MESSAGE, instanceId: 8, kind: 'text', isRequested: true })
    assert.notEqual(spans[0]?.traceId, spans[1]?.traceId)
  })
})

describe('a received message', () => {
  test('arrival, event and delivery are one trace, each the child of the one before', () => {
    const { tracer, begun, spans } = setUp()
    tracer.arrival(begun, tracer.start(), { ...MESSAGE, kind: 'text', events: ['messages.upsert'] })
    const data = { messageId: MESSAGE.messageId, direction: 'incoming', text: 'private', historical: false }
    const delivery = tracer.delivery(3, dueRow(data, { tries: 1 }))
    delivery.end({ status: 503, durationMs: 20 }, 'retry')
    const [arrival, event, delivered] = spans as [Span, Span, Span]
    assert.deepEqual([arrival.name, event.name, delivered.name], ['arrival', 'event', 'delivery'])
    assert.deepEqual(
      [arrival.parentId, event.parentId, delivered.parentId],
      [undefined, arrival.spanId, event.spanId],
    )
    assert.deepEqual([event.traceId, delivered.traceId], [arrival.traceId, arrival.traceId])
    assert.deepEqual(parseTraceparent(delivery.traceparent), {
      traceId: delivered.traceId,
      spanId: delivered.spanId,
    })
    assert.deepEqual(delivered.attributes, {
      'switchboard.instance.id': 7,
      'switchboard.event.id': 'evt_2_40',
      'switchboard.event.name': 'messages.upsert',
      'switchboard.webhook.id': 3,
      'switchboard.attempt': 2,
      'switchboard.outcome': 'retry',
      'http.request.method': 'POST',
      'http.response.status_code': 503,
      'error.type': '503',
    })
    assert.equal(delivered.isError, true)
  })

  test('two attempts of a delivery are two spans', () => {
    const { tracer, spans } = setUp()
    const row = dueRow({ messageId: MESSAGE.messageId, direction: 'incoming' })
    for (let attempt = 0; attempt < 2; attempt += 1) tracer.delivery(3, row).end(DELIVERED, 'delivered')
    assert.notEqual(spans[0]?.spanId, spans[1]?.spanId)
  })

  test('a delivery from the history, and one without a message, has no parent', () => {
    const { tracer, spans } = setUp()
    const historical = { messageId: MESSAGE.messageId, direction: 'incoming', historical: true }
    for (const data of [historical, { state: 'open' }])
      tracer.delivery(3, dueRow(data)).end(DELIVERED, 'delivered')
    assert.deepEqual(
      spans.map(({ parentId }) => parentId),
      [undefined, undefined],
    )
  })

  test('an event without a message has the same trace on every attempt, and another one in another database', () => {
    const traceOf = (change: Partial<DueRow>) => {
      const { tracer, last } = setUp()
      tracer.delivery(3, dueRow({ state: 'open' }, change)).end(DELIVERED, 'delivered')
      return last().traceId
    }
    assert.equal(traceOf({ tries: 0 }), traceOf({ tries: 5 }))
    assert.notEqual(traceOf({}), traceOf({ position: 41 }))
    assert.notEqual(traceOf({}), traceOf({ created_at: NOW + 1 }))
  })
})

describe('the form of the protocol', () => {
  test('ids are hexadecimal, times are texts in nanoseconds, and absent attributes are left out', () => {
    const { tracer, last } = setUp()
    tracer.answered(MESSAGE, ANSWERED)
    const resource = {
      attributes: { 'service.name': 'test' },
      scope: { name: 'switchboard', version: '1.0.0' },
    }
    const event = { ...last(), attributes: { number: 5, text: 'x', names: ['a', 'b'], absent: undefined } }
    assert.deepEqual(JSON.parse(encodeSpans(resource, [event])), {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'test' } }] },
          scopeSpans: [
            {
              scope: resource.scope,
              spans: [
                {
                  traceId: event.traceId,
                  spanId: event.spanId,
                  name: 'POST /api/v1/send/text',
                  kind: 2,
                  startTimeUnixNano: '1767268800110500000',
                  endTimeUnixNano: '1767268800123000000',
                  attributes: [
                    { key: 'number', value: { intValue: '5' } },
                    { key: 'text', value: { stringValue: 'x' } },
                    {
                      key: 'names',
                      value: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } },
                    },
                  ],
                  links: [CALLER],
                },
              ],
            },
          ],
        },
      ],
    })
    assert.match(event.traceId, /^[0-9a-f]{32}$/)
    assert.match(event.spanId, /^[0-9a-f]{16}$/)
  })
})
