// What the driver must be given to reach a network.
import type { Agent } from 'node:https'
import type { Dispatcher } from 'undici'
import type { OpenTunnel } from '../kernel/outbound/tunnel.ts'
import type { ClientVersions } from '../network/client-version.ts'
import type { FrameGate } from '../network/network.ts'
import type { DebugLog } from './library/quiet-logger.ts'

/** Times that tests shorten; absent: the defaults. */
export interface DriverTimes {
  /** How often the driver sends a keep-alive. A dead connection is detected within twice this time plus 5 s. */
  keepAliveMs?: number
  /** How long each of the six QR codes is valid. */
  codeMs?: number
  /** How long a pairing code is valid. */
  pairingCodeMs?: number
  /** After what time the signed pre-key is replaced. */
  signedKeyMs?: number
  /** How often the driver looks for requests without an answer. A request ends at the third check. */
  answerCheckMs?: number
  /** When a message that could not be decrypted is requested from the phone, and when it is reported. */
  unreadable?: { phoneMs: number; reportMs: number }
}

/** Absent fields: TLS with the usual certificate authorities. */
export interface HostSecurity {
  /** The certificate of a network with a self-signed one. */
  ca?: Uint8Array | undefined
  /** Media servers use no TLS, although their URLs say https. */
  mediaIsPlain?: boolean
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
  /** Opens connections through the proxy of an instance. Absent: instances with a proxy cannot connect. */
  openTunnel?: OpenTunnel | undefined
  /** How the hosts of the network are reached at the end of a tunnel. */
  hosts?: HostSecurity | undefined
  times?: DriverTimes | undefined
  /** Whether a passkey that the network demands may be used. False: such a pairing ends. Absent: true. */
  passkeys?: boolean | undefined
  /** Absent: the version of the network library. */
  versions?: ClientVersions | undefined
  /** Absent: always open. */
  gate?: FrameGate | undefined
  /** For times that callers compare with theirs. Absent: the clock of this machine. */
  clock?: (() => number) | undefined
  /** The network closed a connection, or the connection was lost: the library's status code, null if there is none. */
  onClose?: ((code: number | null) => void) | undefined
  log: DebugLog & { warn(message: string): void }
}
