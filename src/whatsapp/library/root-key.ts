// The key that signs the certificates of a network. The library has one for the whole process, in a constant. Here each connection
// has its own, so that gateways of several sandboxes can run in one process.
import { AsyncLocalStorage } from 'node:async_hooks'
import { WA_CERT_DETAILS } from 'baileys'

const LIBRARY_KEY = WA_CERT_DETAILS.PUBLIC_KEY
const rootKey = new AsyncLocalStorage<Buffer>()

/** Connections that `connect` opens accept certificates of this root. The events of their sockets keep the context. */
export function withRootKey<T>(publicKey: Uint8Array, connect: () => T): T {
  Object.defineProperty(WA_CERT_DETAILS, 'PUBLIC_KEY', {
    configurable: true,
    enumerable: true,
    get: () => rootKey.getStore() ?? LIBRARY_KEY,
  })
  return rootKey.run(Buffer.from(publicKey), connect)
}
