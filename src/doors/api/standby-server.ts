// Answers while this process waits for another one on the same database to end: it is alive, but not ready.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import { ignoreErrors } from '../../kernel/async/ignore-errors.ts'
import { listenerAddress } from '../../kernel/process/listener-url.ts'

const RETRY_SECONDS = 5
const WAITING = 'Another process serves this gateway. This one takes over when the other ends.'

export interface StandbyServer {
  url: string
  close(): Promise<void>
}

/** Fastify would bring routes, keys and hooks that need the store of a live node. */
export async function startStandbyServer(host: string, port: number): Promise<StandbyServer> {
  const server = createServer((request, response) => {
    const isHealth = request.url?.split('?')[0] === '/healthz'
    const body = isHealth
      ? { status: 'standby', version: PRODUCT_VERSION, held: null }
      : { success: false, error: WAITING, reason: 'unavailable', requestId: randomUUID() }
    response.writeHead(isHealth ? 200 : 503, {
      'content-type': 'application/json; charset=utf-8',
      ...(isHealth ? {} : { 'retry-after': String(RETRY_SECONDS) }),
    })
    response.end(JSON.stringify(body))
  })
  server.listen(port, host)
  await once(server, 'listening')
  // A connection that cannot be accepted concerns its caller only.
  ignoreErrors(server)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${listenerAddress(host, bound)}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
