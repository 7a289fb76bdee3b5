// A session of the driver alone, with its keys in memory, for functions of the port that no endpoint offers.

import type { ConnectOptions, Credentials, NetworkEvent, NetworkSession } from '../../src/network/network.ts'
import { createWhatsAppNetwork } from '../../src/whatsapp/network.ts'
import { plainDispatcher } from '../sandbox/support/client.ts'
import type { World } from '../sandbox/support/world.ts'

export interface PortOptions extends Pick<ConnectOptions, 'syncHistory'> {
  /** Called with each message that arrives, and the session that can interpret it. */
  onArrived?: (payload: Uint8Array, session: NetworkSession) => Promise<void>
}

/** Paired with the phone of this number and open. */
export async function openPortSession(
  world: World,
  number: string,
  { syncHistory, onArrived }: PortOptions = {},
): Promise<NetworkSession> {
  const network = createWhatsAppNetwork({
    wsUrl: world.sandbox.wsUrl,
    rootPublicKey: Buffer.from(world.sandbox.rootPublicKey, 'hex'),
    uploadAgent: undefined,
    downloadDispatcher: plainDispatcher(),
    log: { debug: () => undefined, warn: () => undefined },
  })
  const credentials = memoryCredentials()
  const connect = async (wanted: 'restart' | 'opened') => {
    const reached = Promise.withResolvers<void>()
    const connected = Promise.withResolvers<NetworkSession>()
    const session = await network.connect({
      credentials,
      syncHistory,
      findSent: async () => undefined,
      findOriginals: async () => [],
      async onEvent(event: NetworkEvent) {
        if (event.kind === 'arrived') await onArrived?.(event.payload, await connected.promise)
        if (event.kind === 'qr') await world.post(`/phones/${number}/scan`, { qr: event.code })
        if (event.kind === wanted || (event.kind === 'closed' && event.cause === wanted)) reached.resolve()
      },
    })
    connected.resolve(session)
    await reached.promise
    return session
  }
  await connect('restart')
  return connect('opened')
}

export function memoryCredentials(): Credentials {
  const keys = new Map<string, Uint8Array>()
  const arrivals = new Map<string, Uint8Array>()
  return {
    async read(kind, names) {
      const found = names.map((name) => [name, keys.get(`${kind} ${name}`)] as const)
      return new Map(found.flatMap(([name, value]) => (value ? [[name, value]] : [])))
    },
    async write(changes, arrived) {
      for (const { kind, name, value } of changes)
        if (value) keys.set(`${kind} ${name}`, value)
        else keys.delete(`${kind} ${name}`)
      for (const { name, payload } of arrived) arrivals.set(name, payload)
    },
    findArrival: async (name) => arrivals.get(name),
  }
}
