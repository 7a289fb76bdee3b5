// A session of the driver alone that is being linked, with everything it reports.
import type { ConnectOptions, Credentials, NetworkEvent, NetworkSession } from '../../src/network/network.ts'
import { createWhatsAppNetwork } from '../../src/whatsapp/network.ts'
import type { WhatsAppSettings } from '../../src/whatsapp/settings.ts'
import { plainDispatcher } from '../sandbox/support/client.ts'
import type { World } from '../sandbox/support/world.ts'
import { memoryCredentials } from './port-session.ts'

type Kind = NetworkEvent['kind']
type EventOf<K extends Kind> = Extract<NetworkEvent, { kind: K }>

export interface PairingSession {
  session: NetworkSession
  credentials: Credentials
  events: readonly NetworkEvent[]
  /** Everything that the driver has logged. */
  log: readonly string[]
  /** The next event of this kind that fits, also if it has come before; each is returned once. */
  next<K extends Kind>(kind: K, fits?: (event: EventOf<K>) => boolean): Promise<EventOf<K>>
}

export interface PairingOptions extends Pick<ConnectOptions, 'deviceName'> {
  settings?: Partial<WhatsAppSettings>
  credentials?: Credentials
}

export async function openPairing(
  { sandbox }: Pick<World, 'sandbox'>,
  { settings = {}, credentials = memoryCredentials(), deviceName }: PairingOptions = {},
): Promise<PairingSession> {
  const events: NetworkEvent[] = []
  const log: string[] = []
  const unread: NetworkEvent[] = []
  const waiting = new Set<() => void>()
  const network = createWhatsAppNetwork({
    wsUrl: sandbox.wsUrl,
    rootPublicKey: Buffer.from(sandbox.rootPublicKey, 'hex'),
    uploadAgent: undefined,
    downloadDispatcher: plainDispatcher(),
    log: { debug: (line) => log.push(line), warn: (line) => log.push(line) },
    ...settings,
  })
  const session = await network.connect({
    credentials,
    deviceName,
    findSent: async () => undefined,
    findOriginals: async () => [],
    async onEvent(event) {
      events.push(event)
      unread.push(event)
      for (const check of waiting) check()
    },
  })
  return {
    session,
    credentials,
    events,
    log,
    next: (kind, fits = () => true) =>
      new Promise((resolve) => {
        const check = () => {
          const index = unread.findIndex((event) => event.kind === kind && fits(event as never))
          if (index < 0) return
          waiting.delete(check)
          const [event] = unread.splice(index, 1)
          resolve(event as never)
        }
        waiting.add(check)
        check()
      }),
  }
}
