// Load shedding: while the event loop lags, sends are refused with `Retry-After` (decision 0034).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { routes } from '../../contract/routes.ts'
import { createServer, type ServerDeps } from './server.ts'

test('only sends are refused while the event loop lags', async () => {
  let isLagging = true
  let handled = 0
  const lines: string[] = []
  const server = createServer({
    routes: [
      { route: routes.sendText, handle: async () => void (handled += 1) },
      { route: routes.healthz, handle: async () => ({ status: 'ok' }) },
    ],
    auth: {
      caller: async () => {
        throw new Error('the key is checked')
      },
    },
    clock: Date.now,
    requestsPerSecond: 0,
    trustedProxies: [],
    lag: { isLagging: () => isLagging, stop: () => undefined },
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
  isLagging = false
  assert.equal((await send()).statusCode, 500, 'the key is checked again')
  assert.equal(handled, 0)
  const logged = lines.map((line) => JSON.parse(line) as { level: number; err?: unknown })
  assert.deepEqual(
    logged.map(({ level, err }) => [level, err !== undefined]),
    [
      [40, false],
      [50, true],
    ],
    'the refusal is a warning without a stack, the failure an error with its cause',
  )
  await server.close()
})
