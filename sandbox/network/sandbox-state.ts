// The state of a running sandbox. A function that needs only one part of it takes that part.
import type { Calls } from '../model/calls.ts'
import type { Changes } from '../model/changes.ts'
import type { KeyBundle } from '../model/key-bundle.ts'
import type { Log } from '../model/log.ts'
import type { Device } from '../model/world.ts'
import type { MediaStore } from '../store/media-store.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import type { Certificates } from '../wire/certificates.ts'
import type { Stanza } from '../wire/stanza.ts'
import type { Online } from './connection.ts'
import type { Faults } from './fault-state.ts'
import type { CodeRequests, QrReferences } from './pairing-requests.ts'
import type { Ceremonies } from './passkey-ceremonies.ts'

export interface SandboxState extends StoredWorld {
  readonly log: Log
  readonly certificates: Certificates
  readonly media: MediaStore
  readonly faults: Faults
  readonly changes: Changes
  readonly limits: SandboxLimits
  readonly calls: Calls
  /** One phone per account, by number. */
  readonly phones: ReadonlyMap<string, NetworkPhone>
  readonly online: Online
  readonly qrReferences: QrReferences
  readonly codeRequests: CodeRequests
  readonly ceremonies: Ceremonies
  /** How often each device has queried a single group since the start, by `number:device`. */
  readonly groupQueries: Map<string, number>
}

/** The parts that store stanzas and send them to devices. */
export type DeliveryState = Pick<SandboxState, 'database' | 'log' | 'online' | 'phones'>
/** As `DeliveryState`, for functions that also look up accounts and groups. */
export type RoutingState = DeliveryState & Pick<SandboxState, 'world'>
/** As `RoutingState`, for functions that change accounts or groups and record that for the API. */
export type WorldChangeState = RoutingState & Pick<SandboxState, 'changes'>

/** The part of a phone that the network uses. The whole phone is defined in the phones layer. */
export interface NetworkPhone {
  /** Receives a stanza from the phone's queue. */
  receive(queued: { seq: number; node: Stanza }): void
  /** Receives a stanza that is never queued, such as typing. */
  receiveTransient(node: Stanza): void
  /** Receives everything in the queue: at start, and when an offline phone comes back. */
  receiveQueued(): void
  readonly presence: PhonePresence
  takeBundle(): KeyBundle
  pushHistory(device: Device): Promise<void>
}

export interface PhonePresence {
  /** Whether the person has the app open. A phone without a connection is not available. */
  readonly available: boolean
  /** When the last device of the account became unavailable, in Unix seconds. */
  lastSeen: number
}

/** Timeouts that tests shorten. */
export interface SandboxLimits {
  /** How long a pairing code is valid. */
  pairingCodeMs: number
  /** How long the network waits for each answer of the client during pairing. */
  pairingAnswerMs: number
  /** How long the network waits for the assertion of a passkey. */
  passkeyMs: number
  /** How long a call rings. */
  callRingMs: number
}

export const DEFAULT_LIMITS: SandboxLimits = {
  pairingCodeMs: 180_000,
  pairingAnswerMs: 10_000,
  passkeyMs: 600_000,
  callRingMs: 60_000,
}
