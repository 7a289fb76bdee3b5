/** The exchange: everything that is running, handed to each function that needs it. */
import type { Certificates } from './certificates.ts'
import type { Changes } from './changes.ts'
import type { Connection } from './connection.ts'
import type { Faults } from './fault-state.ts'
import type { Log } from './log.ts'
import type { MediaStore } from './media-store.ts'
import type { CodeRequests } from './pairing-code.ts'
import type { QrReferences } from './pairing-qr.ts'
import type { Phone } from './phone/phone.ts'
import type { Database } from './store/database.ts'
import type { World } from './world.ts'

export type Exchange = {
  readonly log: Log
  readonly database: Database
  readonly world: World
  readonly certificates: Certificates
  readonly media: MediaStore
  readonly faults: Faults
  readonly changes: Changes
  readonly limits: Limits
  /** One phone per account, by number. */
  readonly phones: Map<string, Phone>
  /** The socket of each linked device that is online, by `number:device`. */
  readonly online: Map<string, Connection>
  readonly qrReferences: QrReferences
  readonly codeRequests: CodeRequests
}

/** Times that tests shorten. */
export type Limits = {
  /** How long a pairing code can be typed in. */
  pairingCodeMs: number
  /** How long the network waits for a client's part in pairing. */
  pairingAnswerMs: number
}

export const DEFAULT_LIMITS: Limits = { pairingCodeMs: 180_000, pairingAnswerMs: 10_000 }
