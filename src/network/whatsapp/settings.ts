// What the driver must be given to reach a network.
import type { Agent } from 'node:https'
import type { Dispatcher } from 'undici'
import type { FrameGate } from '../network.ts'
import type { DebugLog } from './quiet-logger.ts'

/** Times that tests shorten; absent: the defaults. */
export interface DriverTimes {
  /** How often the driver sends a keep-alive. A dead connection is detected within twice this time plus 5 s. */
  keepAliveMs?: number
  /** How long each of the six QR codes is valid. */
  codeMs?: number
}

export interface WhatsAppSettings {
  /** The address of the network; absent: the real one. */
  wsUrl: string | undefined
  /** The root of the network's certificate chain; absent: the real one. The library keeps it per process. */
  rootPublicKey: Uint8Array | undefined
  /** For a network with a self-signed certificate. */
  socketAgent?: Agent | undefined
  /** For media servers that plain HTTPS does not reach. */
  uploadAgent: Agent | undefined
  downloadDispatcher: Dispatcher | undefined
  times?: DriverTimes | undefined
  /** Absent: always open. */
  gate?: FrameGate | undefined
  log: DebugLog
}
