// A TCP proxy before a broker that can cut its connections, refuse new ones, or go silent; with TLS on the side of the client if wanted.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { type CertificateName, certificate } from './certificates.ts'

export interface CutProxy {
  port: number
  /** Cuts all connections, and refuses new ones until `open`. */
  cut(): void
  /** Passes nothing on, in either direction, until `open`. */
  silence(): void
  open(): void
  /** Connections at this moment. */
  connections(): number
  close(): Promise<void>
}

export async function startCutProxy(
  targetPort: number,
  { tls }: { tls?: CertificateName } = {},
): Promise<CutProxy> {
  let mode: 'open' | 'cut' | 'silent' = 'open'
  const pairs = new Set<{ near: Socket; far: Socket }>()
  const accept = (near: Socket) => {
    const far = connect(targetPort, '127.0.0.1')
    const pair = { near, far }
    pairs.add(pair)
    for (const socket of [near, far]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => void (mode === 'open' && far.write(chunk)))
    far.on('data', (chunk: Buffer) => void (mode === 'open' && near.write(chunk)))
    if (mode === 'cut') near.destroy()
  }
  const server: Server = tls ? createTlsServer(certificate(tls), accept) : createServer(accept)
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cutAll = () => {
    for (const { near, far } of pairs) {
      near.destroy()
      far.destroy()
    }
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      mode = 'cut'
      cutAll()
    },
    silence: () => void (mode = 'silent'),
    open: () => void (mode = 'open'),
    connections: () => pairs.size,
    async close() {
      cutAll()
      server.close()
      await once(server, 'close')
    },
  }
}
