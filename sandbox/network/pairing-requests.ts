// Clients that wait to be paired, by QR code or by typed code.
import type { Stanza } from '../wire/stanza.ts'
import type { Connection } from './connection.ts'

/** A client that shows a code and waits until a person types it. */
export interface CodeRequest {
  connection: Connection
  wrappedEphemeral: Buffer
  reference: Buffer
  expiresAt: number
  /** Called with the client's answer to the phone's hello. */
  finish: ((answer: Stanza) => void) | undefined
}
/** The latest request for each number. */
export type CodeRequests = Map<string, CodeRequest>

/** The references that the network has issued, each with the client that shows it, or why it is no longer valid. */
export type QrReferences = Map<string, Connection | 'used' | 'gone'>

/** The keys of the companion that the phone got from the QR code or derived with the typed code. */
export interface Companion {
  identityKey: Buffer
  advSecret: Buffer
}
