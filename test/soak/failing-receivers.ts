// Receivers of which all but one fail, each in a way of its own: at the name, at the connection, in TLS, in the answer.
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

export interface FailingReceivers {
  nameServer: DnsServer
  /** What webhooks are made for. */
  urls: string[]
  close(): Promise<void>
}

const DRIP_MS = 1000

const answering =
  (status: number): RequestListener =>
  (request, response) => {
    request.resume().once('end', () => response.writeHead(status).end('answered'))
  }
const never: RequestListener = (request) => void request.resume()
/** A byte a second, for as long as the other side listens. */
const dripping: RequestListener = (request, response) => {
  request.resume()
  response.writeHead(200)
  const drip = setInterval(() => response.write('.'), DRIP_MS)
  response.once('close', () => clearInterval(drip))
}

export async function startFailingReceivers(): Promise<FailingReceivers> {
  const nameServer = await startDnsServer((name) => {
    if (name.startsWith('silent-name')) return undefined
    return name.startsWith('no-name') ? [] : ['127.0.0.1']
  })
  const trusted = { tls: 'trusted' } as const
  const hosts: Record<string, WebHost> = {
    good: await startWebHost(answering(200), trusted),
    broken: await startWebHost(answering(500), trusted),
    silent: await startWebHost(never, trusted),
    dripping: await startWebHost(dripping, trusted),
    'bad-certificate': await startWebHost(answering(200), { tls: 'self-signed' }),
  }
  const ports: [name: string, port: number][] = [
    ...Object.entries(hosts).map(([name, { port }]): [string, number] => [name, port]),
    ['refused', await portOfNobody()],
    ['no-name', 443],
    ['silent-name', 443],
  ]
  return {
    nameServer,
    urls: ports.map(([name, port]) => `https://${name}.receivers.test:${port}/hook`),
    async close() {
      await Promise.all([nameServer, ...Object.values(hosts)].map((one) => one.close()))
    },
  }
}

async function portOfNobody(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
