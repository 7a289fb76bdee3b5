// The WhatsApp network through the unmodified library; the sandbox and the real one differ by an address and a root key.
import type { Agent } from 'node:https'
import { WA_CERT_DETAILS } from 'baileys'
import type { Dispatcher } from 'undici'
import type { Network } from '../network.ts'
import { createAddressTurns } from './address-turns.ts'
import { silenceLibsignal } from './quiet-libsignal.ts'
import type { DebugLog } from './quiet-logger.ts'
import { connectSession } from './session.ts'

/** Times that a test cannot wait for; absent: as long as people and networks need. */
export interface DriverTimes {
  /** How often a live connection must say something: a dead one is noticed within twice that and 5 s. */
  keepAliveMs?: number
  /** How long each of the six codes is shown. */
  codeMs?: number
}

export interface WhatsAppSettings {
  /** Where the network listens; absent: the real one. */
  wsUrl: string | undefined
  /** The root of the network's certificate chain; absent: the real one. Process-wide in the library. */
  rootPublicKey: Uint8Array | undefined
  /** How the network is reached where its certificate is nobody else's. */
  socketAgent?: Agent | undefined
  /** How media is reached where that is not plain HTTPS. */
  uploadAgent: Agent | undefined
  downloadDispatcher: Dispatcher | undefined
  times?: DriverTimes | undefined
  log: DebugLog
}

export function createWhatsAppNetwork(settings: WhatsAppSettings): Network {
  silenceLibsignal()
  if (settings.rootPublicKey) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(settings.rootPublicKey)
  const turns = createAddressTurns()
  return {
    connect: (options) => connectSession(settings, options, turns),
  }
}
