// The HTTP server for sockets, media and the API. With certificate files it uses TLS.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { SANDBOX_JSON_BYTES } from '../../src/contract/route.ts'
import { listenerAddress } from '../../src/kernel/process/listener-url.ts'

export interface TlsFiles {
  certFile: string
  keyFile: string
}

const REQUEST_ID = /^[\w-]{1,64}$/

export async function createHttpServer(tls: TlsFiles | undefined): Promise<FastifyInstance> {
  const common = {
    bodyLimit: SANDBOX_JSON_BYTES,
    forceCloseConnections: true,
    // The gateway sends its request id, so that both logs show an error under the same id.
    genReqId: ({ headers: { 'x-request-id': named } }: FastifyRequest['raw']) =>
      typeof named === 'string' && REQUEST_ID.test(named)
        ? named
        : `req-${randomBytes(9).toString('base64url')}`,
  }
  if (!tls) return fastify(common)
  const https = { cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) }
  return fastify({ ...common, https })
}

/** Host and port for URLs. A server that listens on all addresses is reached over the loopback address. */
export function addressOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo
  return listenerAddress(host, port)
}
