// A receiver beside the gateway gets its deliveries over plain HTTP, if the operator has named its host.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verifyDelivery } from '../../src/contract/verify-delivery.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { ask } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { startHere } from '../support/started-here.ts'
import { startWebHost } from '../support/web-host.ts'

for (const engine of behaviourEngines('sqlite'))
  describe(`plain webhooks on ${engine.name}`, () => {
    test('a host in ALLOW_TARGETS gets signed deliveries over http, and any other host is refused', async () => {
      const at = await engine.createLocation()
      const arrived = Promise.withResolvers<{ body: string; headers: Record<string, string> }>()
      const host = await startWebHost((request, response) => {
        let body = ''
        request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
        request.on('end', () => {
          arrived.resolve({ body, headers: request.headers as Record<string, string> })
          response.end('ok')
        })
      })
      const settings = { ALLOW_TARGETS: '127.0.0.1', ...(await onSharedSandbox()) }
      const gateway = await startHere(at, newKey(), settings)
      try {
        for (const url of ['http://example.com/hook', 'http://localhost/hook', 'http://127.0.0.2/hook']) {
          const refused = await ask(gateway, 'POST /api/v1/webhooks', { url })
          assert.deepEqual([refused.status, refused.json.reason], [400, 'url_not_allowed'], url)
        }
        const saved = await ask(gateway, 'POST /api/v1/webhooks', { url: `${host.url}/hook` })
        assert.equal(saved.status, 200, saved.bytes.toString())
        const { id, secret } = saved.json.webhook
        const tested = await ask(gateway, `POST /api/v1/webhooks/${id}/test`, {})
        assert.deepEqual([tested.status, tested.json.delivered], [200, true])
        const { body, headers } = await arrived.promise
        assert.equal(await verifyDelivery({ body, headers, secret }), true)
      } finally {
        await gateway.stop()
        await host.close()
        await at.dispose()
      }
    })
  })
