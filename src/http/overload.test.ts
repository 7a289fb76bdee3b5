// A process that does not keep up takes no more sends, and says when to come again (decision 0034).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { routes } from '../contract/routes.ts'
import { createServer, type ServerDeps } from './server.ts'

test('sends are refused while the event loop lags, and nothing else is', async () => {
  let isTooHigh = true
  const asked: string[] = []
  const lines: string[] = []
  const server = createServer({
    routes: [routes.sendText, routes.healthz],
    handlers: { sendText: async () => asked.push('send'), healthz: async () => ({ status: 'ok' }) },
    auth: {
      caller: async () => {
        throw new Error('nobody is asked for a key')
      },
    },
    clock: Date.now,
    requestsPerSecond: 0,
    pressure: { isTooHigh: () => isTooHigh, stop: () => undefined },
    logger: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
    onRequestDone: () => undefined,
  } as unknown as ServerDeps)
  const send = () =>
    server.inject({ method: 'POST', url: '/api/v1/send/text', payload: { message: 'not read' } })
  const refused = await send()
  assert.equal(refused.statusCode, 503)
  assert.equal(refused.json<{ reason: string }>().reason, 'unavailable')
  assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
  assert.equal((await server.inject('/healthz')).statusCode, 200)
  isTooHigh = false
  assert.equal((await send()).statusCode, 500, 'the key is asked for again')
  assert.deepEqual(asked, [])
  const said = lines.map((line) => JSON.parse(line) as { level: number; err?: unknown })
  assert.deepEqual(
    said.map(({ level, err }) => [level, err !== undefined]),
    [
      [40, false],
      [50, true],
    ],
    'one is a warning without a stack, the other a fault with its cause',
  )
  await server.close()
})
