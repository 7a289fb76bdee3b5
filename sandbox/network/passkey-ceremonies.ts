// Clients for which the network demands a passkey, and how far each of them has come.
import type { KeyPair } from 'baileys'
import type { Account } from '../model/world.ts'
import type { Connection } from './connection.ts'
import type { Companion } from './pairing-requests.ts'

/** requested: the network waits for the assertion. accepted: the assertion is valid. compared: the phone shows a code. */
type CeremonyStep = 'requested' | 'accepted' | 'compared' | 'linked' | 'ended'

export interface Ceremony {
  account: Account
  /** As the phone knows it from the code that it has read. */
  companion: Companion
  step: CeremonyStep
  /** In base64url. */
  challenge: string
  expiresAt: number
  /** Issued for the next assertion only. */
  ref: string | undefined
  /** What the client sent with the assertion. */
  prologue:
    | { identity: Buffer; publicKey: Buffer; deviceType: number; ref: string; commitment: Buffer }
    | undefined
  /** The client has proved that the phone read its code. */
  proven: boolean
  /** Of the phone. */
  primary: { keys: KeyPair; nonce: Buffer } | undefined
  /** What the phone shows. */
  code: string | null
}

export interface Ceremonies {
  /** Those in progress. */
  byConnection: Map<Connection, Ceremony>
  /** The latest one of each number, also after its end. */
  latest: Map<string, Ceremony>
}

export const noCeremonies = (): Ceremonies => ({ byConnection: new Map(), latest: new Map() })

/** The client has disconnected. */
export function endCeremony({ byConnection }: Ceremonies, connection: Connection): void {
  const ceremony = byConnection.get(connection)
  if (ceremony && ceremony.step !== 'linked') ceremony.step = 'ended'
  byConnection.delete(connection)
}
