// What an operator can observe: request log lines without private data, health, readiness and metrics.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { until } from '../support/linked.ts'
import { logLines } from '../support/process.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { get, makeLoggedIn, newKey, post, startWithKey } from '../support/started.ts'

for (const engine of behaviourEngines('postgres')) {
  describe(`observability on ${engine.name}`, () => {
    test('each request is one JSON line with id, client, account, instance and route, without its URL', async () => {
      const storeLocation = await engine.createLocation()
      const server = await startWithKey(storeLocation, newKey(), {
        TRUST_PROXY: '127.0.0.1',
        ...(await onSharedSandbox()),
      })
      try {
        const instanceName = await makeLoggedIn(server, storeLocation)
        const sent = await post(server, '/send/text', {
          instanceName,
          number: '5511912345678',
          message: 'secret text',
        })
        const state = await get(server, `/api/v1/instance/state?instanceName=${instanceName}&nosuch=1`)
        const unknown = await get(server, '/api/v1/messages/3EB0NOSUCHMESSAGE')
        assert.equal((await get(server, '/api/v1/nowhere/at/all?x=1')).status, 404)
        const noKey = await fetch(`${server.url}/api/v1/account/limits`, {
          headers: { 'x-forwarded-for': '203.0.113.1, 198.51.100.7' },
        })
        await server.stop()

        const requests = logLines(server).filter((line) => line.msg === 'request')
        const lineOf = (answer: Response) => {
          const found = requests.filter((line) => line.requestId === answer.headers.get('x-request-id'))
          assert.equal(found.length, 1, 'one line for each request')
          const { level: _level, time, ms, requestId: _requestId, msg: _msg, ...rest } = found[0] ?? {}
          assert.deepEqual([typeof time, typeof ms], ['number', 'number'])
          return rest
        }
        const account = 1
        assert.deepEqual(lineOf(sent), {
          route: '/api/v1/send/text',
          method: 'POST',
          status: 200,
          client: '127.0.0.1',
          account,
          instance: instanceName,
        })
        assert.deepEqual(lineOf(state), {
          route: '/api/v1/instance/state',
          method: 'GET',
          status: 400,
          client: '127.0.0.1',
          account,
          instance: instanceName,
        })
        assert.deepEqual(lineOf(unknown), {
          route: '/api/v1/messages/:messageId',
          method: 'GET',
          status: 404,
          client: '127.0.0.1',
          account,
        })
        assert.deepEqual(lineOf(noKey), {
          route: '/api/v1/account/limits',
          method: 'GET',
          status: 401,
          client: '198.51.100.7',
        })
        assert.doesNotMatch(server.stdout(), /nosuch|NOSUCH|nowhere|secret text|5511912345678|\?/)
      } finally {
        await server.stop('SIGKILL')
        await storeLocation.dispose()
      }
    })

    test('the log level applies, and the ready line is printed at every level', async () => {
      const storeLocation = await engine.createLocation()
      const server = await startWithKey(storeLocation, newKey(), { LOG_LEVEL: 'silent' })
      try {
        await get(server, '/api/v1/account/limits')
        await server.stop()
        const lines = logLines(server)
        assert.deepEqual(
          lines.map(({ msg, url }) => ({ msg, url })),
          [{ msg: 'listening', url: server.url }],
        )
      } finally {
        await server.stop('SIGKILL')
        await storeLocation.dispose()
      }
    })

    test('health, readiness and metrics are correct', async () => {
      const storeLocation = await engine.createLocation()
      const server = await startWithKey(storeLocation, newKey())
      try {
        const health = await fetch(`${server.url}/healthz`)
        assert.equal(((await health.json()) as { status: string }).status, 'ok')
        const ready = await until('ready', async () => {
          const answer = await fetch(`${server.url}/readyz`)
          return answer.status === 200 ? answer : undefined
        })
        const { clock, ...readiness } = (await ready.json()) as { clock: { state: string } }
        assert.equal(clock.state, 'steady')
        assert.deepEqual(readiness, {
          status: 'ready',
          checks: {
            store: 'ok',
            sessions: 'ok',
            ...(engine.name === 'postgres' ? { cluster: 'ok' } : {}),
            sandbox: 'ok',
          },
          held: null,
        })

        const instanceName = await makeLoggedIn(server, storeLocation)
        const body = { instanceName, number: '5511912345678', message: 'hi' }
        await Promise.all(Array.from({ length: 20 }, () => post(server, '/send/text', body)))
        await post(server, '/send/text', { ...body, number: 'x' })
        await get(server, '/api/v1/messages/3EB0NOSUCHMESSAGE')
        const text = await (await fetch(`${server.url}/metrics`)).text()
        const value = (name: string): number => {
          const line = text.split('\n').find((each) => each.startsWith(`${name} `))
          assert.ok(line, `${name} is not measured`)
          return Number(line.split(' ').at(-1))
        }
        const requests = (route: string, method: string, status: number): number =>
          value(
            `switchboard_http_request_seconds_count{route="${route}",method="${method}",status="${status}"}`,
          )
        assert.equal(requests('/api/v1/send/text', 'POST', 200), 20)
        assert.equal(requests('/api/v1/send/text', 'POST', 400), 1)
        assert.equal(requests('/api/v1/messages/:messageId', 'GET', 404), 1)
        assert.equal(value('switchboard_queue_depth'), 20)
        // Writes of sessions are included.
        const writes = value('switchboard_store_commit_size_sum')
        assert.ok(writes >= 20)
        const commits = value('switchboard_store_commit_size_count')
        assert.ok(commits >= 1 && commits <= writes)
        assert.equal(value('switchboard_store_commit_seconds_count'), commits)
        assert.ok(value('switchboard_store_commit_seconds_sum') > 0)
        assert.ok(value('nodejs_eventloop_lag_seconds') >= 0)
        // No label that identifies accounts, people or instances.
        assert.doesNotMatch(text, new RegExp(`${instanceName}|5511912345678|NOSUCH`))
      } finally {
        await server.stop('SIGKILL')
        await storeLocation.dispose()
      }
    })
  })
}
