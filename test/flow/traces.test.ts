// Traces of the real process: what a collector receives, and what happens without one.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { type Collector, type ReceivedSpan, startCollector } from '../support/collector.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import { api, type LinkedGateway, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { logLines } from '../support/process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'
import { startHere } from '../support/started-here.ts'
import { startWebHost } from '../support/web-host.ts'

const TARGETS = { ALLOW_TARGETS: '127.0.0.1', EXTRA_CA_FILE: AUTHORITY_FILE }
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`
const TEXT = 'private words'
/** The value of a metric in the text format; undefined where it has no such sample. */
const sampleOf = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}
const metricsOf = async ({ url }: LinkedGateway): Promise<string> => (await fetch(`${url}/metrics`)).text()

type Running = LinkedGateway & { stop(): Promise<unknown> }
type Starter<Server> = (
  storeLocation: StoreLocation,
  key: string,
  more: Record<string, string>,
) => Promise<Server>

interface Setting<Server extends Running = Running> {
  server: Server
  instanceName: string
  owner: string
  friend: string
}

/** A server with a linked instance, and the phone of a friend. */
async function startLinked<Server extends Running>(
  storeLocation: StoreLocation,
  key: string,
  more: Record<string, string>,
  start: Starter<Server>,
): Promise<Setting<Server>> {
  const server = await start(storeLocation, key, { ...TARGETS, ...(await onSharedSandbox()), ...more })
  const [owner, friend] = [newNumber(), newNumber()]
  const instanceName = await linkedInstance(server, owner)
  await world(server, 'POST /phones', { number: friend, name: 'Friend of the owner' })
  return { server, instanceName, owner, friend }
}

async function sendText(
  { server, instanceName, friend }: Setting,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/send/text`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ instanceName, number: friend, message: TEXT, delay: 0 }),
  })
  assert.equal(response.status, 200)
  return ((await response.json()) as { messageId: string }).messageId
}

const untilDelivered = ({ server, instanceName }: Setting, messageId: string): Promise<unknown> =>
  until(`delivery of ${messageId}`, async () => {
    const { message } = await api(server, `GET /messages/${messageId}?instanceName=${instanceName}`)
    return ['delivered', 'read'].includes(message.status as string) ? true : undefined
  })

for (const engine of behaviourEngines('postgres'))
  describe(`traces on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let collector: Collector
    let receiver: Receiver
    let setting: Setting<Started>
    const key = newKey()
    before(async () => {
      ;[storeLocation, collector, receiver] = [
        await engine.createLocation(),
        await startCollector(),
        await startReceiver(),
      ]
      const exported = {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20secret',
        OTEL_SERVICE_NAME: 'gateway under test',
      }
      setting = await startLinked(storeLocation, key, exported, startWithKey)
      const url = `https://127.0.0.1:${receiver.port}/hook`
      await api(setting.server, 'POST /webhooks', { url, events: ['messages.upsert', 'messages.update'] })
    })
    after(async () => {
      await setting.server.stop()
      await receiver.close()
      await collector.close()
      await storeLocation.dispose()
    })

    const spanOf = (name: string, messageId: string): Promise<ReceivedSpan> =>
      collector.span(
        `${name} of ${messageId}`,
        (span) => span.name === name && span.attributes['messaging.message.id'] === messageId,
      )

    test('request, accept, send, receipt and delivery of a sent message are one trace, linked to that of the caller', async () => {
      const messageId = await sendText(setting, { traceparent: TRACEPARENT })
      const request = await spanOf('POST /api/v1/send/text', messageId)
      const accept = await spanOf('accept', messageId)
      const send = await spanOf('send', messageId)
      const receipt = await spanOf('receipt', messageId)
      const delivery = await collector.span(
        'a delivery of the trace',
        ({ name, traceId }) => name === 'delivery' && traceId === accept.traceId,
      )
      const trace = [request, accept, send, receipt, delivery]
      assert.equal(new Set(trace.map(({ traceId }) => traceId)).size, 1)
      assert.deepEqual(request.links, [CALLER])
      assert.equal(request.parentSpanId, undefined)
      assert.equal(accept.parentSpanId, request.spanId)
      for (const span of [send, receipt, delivery]) assert.equal(span.parentSpanId, accept.spanId)
      assert.equal(send.attributes['switchboard.outcome'], 'sent')
      assert.equal(send.attributes['switchboard.attempt'], 1)
      for (const { startTimeUnixNano, endTimeUnixNano } of trace)
        assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano))
    })

    test('arrival, event and delivery of a received message are one trace, and the receiver gets its traceparent', async () => {
      const { server, owner, friend } = setting
      const { messageId } = await world(server, `POST /phones/${friend}/send`, { to: owner, text: TEXT })
      const arrival = await spanOf('arrival', messageId)
      const event = await spanOf('event', messageId)
      const delivery = await collector.span(
        'the delivery of the event',
        ({ name, parentSpanId }) => name === 'delivery' && parentSpanId === event.spanId,
      )
      assert.deepEqual([event.traceId, delivery.traceId], [arrival.traceId, arrival.traceId])
      assert.equal(event.parentSpanId, arrival.spanId)
      assert.deepEqual(event.attributes['switchboard.event.names'], ['messages.upsert'])
      assert.equal(delivery.attributes['switchboard.outcome'], 'delivered')
      const eventId = delivery.attributes['switchboard.event.id']
      const posted = receiver.received.find(({ json }) => json.id === eventId)
      assert.equal(posted?.headers.traceparent, `00-${delivery.traceId}-${delivery.spanId}-01`)
    })

    test('statistics count what was sent, received and delivered, once', async () => {
      const counted = await until('three deliveries', async () => {
        const { totals } = await api(setting.server, 'GET /statistics')
        return totals.delivered >= 3 ? totals : undefined
      })
      const { sent, received, failed, retried, deliveryMs } = counted
      assert.deepEqual([sent, received, failed, retried], [1, 1, 0, 0])
      assert.ok(deliveryMs.median > 0)
    })

    test('a send that another process finishes after a kill belongs to the same trace', async () => {
      const { server, owner } = setting
      await world(server, 'POST /faults', { number: owner, kind: 'reject', code: 503 })
      const messageId = await sendText(setting)
      const accept = await spanOf('accept', messageId)
      const retried = await spanOf('send', messageId)
      assert.equal(retried.attributes['switchboard.outcome'], 'retry')
      await server.stop('SIGKILL')
      setting.server = await startWithKey(storeLocation, key, {
        ...TARGETS,
        ...(await onSharedSandbox()),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      })
      await world(setting.server, `DELETE /faults?number=${owner}`)
      // A connection makes waiting messages due: the pause after many refusals is long.
      await api(setting.server, `POST /instance/restart?instanceName=${setting.instanceName}`)
      await untilDelivered(setting, messageId)
      const sent = await collector.span(
        'the send',
        ({ name, attributes }) =>
          name === 'send' &&
          attributes['messaging.message.id'] === messageId &&
          attributes['switchboard.outcome'] === 'sent',
      )
      assert.deepEqual([sent.traceId, sent.parentSpanId], [accept.traceId, accept.spanId])
      assert.equal(sent.resource['service.name'], 'switchboard')
    })

    test('requests go to the path of the protocol with the headers of the settings, and contain no private data', async () => {
      await until('a request', async () => collector.requests[0])
      const [{ path, headers } = { path: '', headers: {} }] = collector.requests
      assert.deepEqual(
        [path, headers['content-type'], headers['x-token']],
        ['/v1/traces', 'application/json', 'a secret'],
      )
      assert.equal(collector.spans[0]?.resource['service.name'], 'gateway under test')
      const all = collector.bodies.join('\n')
      const { owner, friend, instanceName } = setting
      const secrets = [
        key,
        TEXT,
        owner,
        friend,
        instanceName,
        'Friend of',
        '127.0.0.1',
        'a secret',
        '@s.whatsapp',
      ]
      for (const secret of secrets) assert.ok(!all.includes(secret), secret)
    })

    test('a replay of a request with the same idempotency key adds no second request to the trace', async () => {
      const headers = { 'idempotency-key': 'traced once' }
      const messageId = await sendText(setting, headers)
      assert.equal(await sendText(setting, headers), messageId)
      // Spans of one process are exported in order: that of a later request comes after those of both.
      await spanOf('POST /api/v1/send/text', await sendText(setting))
      const requests = collector.spans.filter(
        ({ name, attributes }) => name.startsWith('POST') && attributes['messaging.message.id'] === messageId,
      )
      assert.equal(requests.length, 1)
    })
  })

describe('without a collector', () => {
  const [sqlite] = engines
  const stops: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const stop of stops.toReversed()) await stop()
  })
  async function start<Server extends Running>(
    more: Record<string, string>,
    starter: Starter<Server>,
  ): Promise<Setting<Server>> {
    const storeLocation = await (sqlite ?? assert.fail()).createLocation()
    stops.push(storeLocation.dispose)
    const setting = await startLinked(storeLocation, newKey(), more, starter)
    stops.push(() => setting.server.stop())
    return setting
  }

  test('nothing is exported or counted, and deliveries have no traceparent', async () => {
    const receiver = await startReceiver()
    stops.push(receiver.close)
    const setting = await start({ OTEL_SERVICE_NAME: 'off' }, startHere)
    const url = `https://127.0.0.1:${receiver.port}/hook`
    await api(setting.server, 'POST /webhooks', { url, events: ['messages.upsert'] })
    await untilDelivered(setting, await sendText(setting, { traceparent: TRACEPARENT }))
    const [posted] = await receiver.until(1)
    assert.equal(posted?.headers.traceparent, undefined)
    const text = await metricsOf(setting.server)
    for (const outcome of ['exported', 'dropped'])
      assert.equal(sampleOf(text, `switchboard_trace_spans_total{outcome="${outcome}"}`), 0)
  })

  test('a collector that is down changes nothing about sending, and the stop is clean', async () => {
    const gone = await startWebHost(() => undefined)
    await gone.close()
    const setting = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: gone.url }, startWithKey)
    for (let count = 0; count < 3; count += 1) await untilDelivered(setting, await sendText(setting))
    const failure = await until('the log line', async () =>
      logLines(setting.server).find(({ msg }) => msg === 'traces: the collector did not take spans'),
    )
    assert.equal(failure.why, 'The host could not be reached.')
    assert.equal((await setting.server.stop()).code, 0)
  })

  test('a collector that never answers changes nothing about sending, and the stop is clean', async () => {
    const silent = await startWebHost(() => undefined)
    stops.push(silent.close)
    const setting = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url }, startWithKey)
    await untilDelivered(setting, await sendText(setting))
    await until('a request', async () => (silent.requests() > 0 ? true : undefined))
    await untilDelivered(setting, await sendText(setting))
    assert.equal((await setting.server.stop()).code, 0)
  })

  test('a collector that refuses loses its spans, which are counted', async () => {
    const refusing = await startWebHost((_request, response) => void response.writeHead(400).end())
    stops.push(refusing.close)
    const setting = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url }, startHere)
    await untilDelivered(setting, await sendText(setting))
    await until('dropped spans', async () => {
      const text = await metricsOf(setting.server)
      return sampleOf(text, 'switchboard_trace_spans_total{outcome="dropped"}') ? true : undefined
    })
  })
})
