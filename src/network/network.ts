// The port of the messaging network: what a live connection can be asked, and how it says no.
import type { FileContent } from '../contract/route.ts'

/**
 * unavailable: no way to the network right now. timeout: it did not answer in time.
 * not_logged_in: the session has no login to work with.
 */
export type NetworkErrorKind = 'unavailable' | 'timeout' | 'not_logged_in'

export class NetworkError extends Error {
  readonly kind: NetworkErrorKind

  constructor(kind: NetworkErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'NetworkError'
    this.kind = kind
  }
}

export interface QrCode {
  code: string
  expiresAt: number
}

export interface Pairing {
  qr: QrCode | null
  pairingCode: string | null
}

export interface NumberOnNetwork {
  exists: boolean
  jid: string
}

/** The live sessions, one per instance, as requests need them. Each call may raise a `NetworkError`. */
export interface LiveSessions {
  /** Starts or restarts pairing; with a number, by code. */
  pair(instanceId: number, number: string | undefined): Promise<Pairing>
  /** The current login code, waiting for one where needed; null when none came in time. */
  qr(instanceId: number, waitMs: number): Promise<QrCode | null>
  /** Drops and reopens the connection, keeping the login. */
  restart(instanceId: number): Promise<void>
  /** Ends the login at the network and closes the connection. Never raises: what is offline cannot be told. */
  logOut(instanceId: number): Promise<void>
  checkNumber(instanceId: number, number: string): Promise<NumberOnNetwork>
  profilePicture(instanceId: number): Promise<FileContent | null>
  close(): Promise<void>
}
