// A server that fails as a busy or restarting gateway does, in an order that tests of the clients know.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startWebHost } from './web-host.ts'

interface Seen {
  call: string
  idempotencyKey: string | undefined
  /** On a connection that had a request before. */
  isReused: boolean
}

export interface ClientStub {
  url: string
  /** The requests of one call, in order. */
  seen(call: string): Seen[]
  close(): Promise<void>
}

type Answer = (response: ServerResponse, url: URL) => void

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
const refusal = (status: number, reason: string, retryAfter: string): Answer =>
  json(status, { success: false, error: 'Later.', reason, requestId: 'req-1' }, { 'retry-after': retryAfter })
const lost: Answer = (response) => void response.destroy()

const page = (events: object[], next: string | null) => ({
  success: true,
  count: events.length,
  hasMore: false,
  next,
  events,
})
/** The log has three events; each read gives the one after the cursor. */
const eventOf = (number: number): object => ({
  id: `evt_1_${number}`,
  event: 'call',
  sequence: number,
  data: {},
})
const eventAfter = (url: URL): object[] => {
  const number = Number(url.searchParams.get('after')?.split('_')[2])
  return number < 3 ? [eventOf(number + 1)] : []
}
const readLog: Answer = (response, url) => {
  const events = eventAfter(url)
  const next = (events[0] as { id: string } | undefined)?.id ?? 'evt_1_3'
  const isNewest = url.searchParams.get('before') === 'end'
  json(200, isNewest ? page([], 'evt_1_1') : page(events, next))(response, url)
}
/** The first event comes after the first two reads. A client that asks for the newest one again would miss it. */
const readEmptyLog: Answer = (response, url) => {
  const isNewest = url.searchParams.get('before') === 'end'
  json(200, page(isNewest ? [] : [eventOf(1)], 'evt_1_1'))(response, url)
}
const emptyLog = json(200, page([], null))
/** Closes the connection after one event, within a line. */
const closeStream: Answer = (response, url) => {
  const [event] = eventAfter(url)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`: nothing new\n\nevent: call\ndata: ${JSON.stringify(event)}\n\ndata: {"half`, () =>
    response.destroy(),
  )
}

/** What the first, second … request of a call gets; the last answer is repeated. */
const ANSWERS: Record<string, Answer[]> = {
  'POST /api/v1/send/text': [
    refusal(429, 'rate_limited', '3'),
    refusal(503, 'unavailable', '2'),
    lost,
    json(200, { success: true, messageId: 'stub-message' }),
  ],
  'POST /api/v1/instance/create': [lost],
  'GET /api/v1/instance/list': [lost, json(200, { success: true, count: 0, instances: [] })],
  'GET /api/v1/account/limits': [refusal(429, 'rate_limited', '3600')],
  'GET /api/v1/events': [readLog],
  'GET /api/v1/events/stream': [closeStream],
  'GET /empty/api/v1/events': [emptyLog, emptyLog, readEmptyLog],
  'GET /empty/api/v1/events/stream': [closeStream],
}

export async function startClientStub(): Promise<ClientStub> {
  const requests: Seen[] = []
  const used = new WeakSet<object>()
  const seen = (call: string) => requests.filter((each) => each.call === call)
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    request.resume().on('end', () => {
      const url = new URL(request.url ?? '', 'http://stub')
      const call = `${request.method} ${url.pathname}`
      const idempotencyKey = request.headers['idempotency-key']
      requests.push({
        call,
        idempotencyKey: [idempotencyKey].flat()[0],
        isReused: used.has(request.socket),
      })
      used.add(request.socket)
      const answers = ANSWERS[call] ?? [json(404, { success: false, error: 'Unknown.', reason: 'not_found' })]
      answers[Math.min(seen(call).length, answers.length) - 1]?.(response, url)
    })
  }
  const host = await startWebHost(handle)
  return { url: host.url, seen, close: host.close }
}
