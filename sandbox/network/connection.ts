// The connection of one client, as the network layer uses it.
import type { proto } from 'baileys'
import type { Account, Device } from '../model/world.ts'
import type { Stanza } from '../wire/stanza.ts'

export interface Connection {
  /** The host that this client connected to. Media URLs for it use the same host. */
  readonly host: string
  /** The static key that the client proved in the handshake. */
  clientKey: Buffer
  /** The keys of a client that asks to be paired. */
  registration: proto.ClientPayload.IDevicePairingRegistrationData | undefined
  /** The name that a client which asks to be paired chooses for the account. */
  pushName: string | undefined
  /** Of a client that asks to be paired: the network no longer accepts a code with this secret. */
  retiredSecret: string | undefined
  login: Login | undefined
  /** Set by a fault: the socket stays open, and stanzas in both directions are dropped. */
  silent: boolean
  /** The connection is closed after the answer to the present query. */
  endsWithAnswer: boolean
  send(node: Stanza): void
  /** Sends an encoded stanza. Queued stanzas are stored encoded. */
  sendEncoded(bytes: Uint8Array): void
  /** Sends bytes as they are, outside the encryption. */
  sendRaw(bytes: Uint8Array): void
  /** Sends a query to the client and resolves with its answer. */
  request(node: Stanza): Promise<Stanza>
  /** Passes the client's answer to the query that waits for it. */
  answer(node: Stanza): void
  close(): void
}

export interface Login {
  account: Account
  device: Device
  /** True after the client reported that it is ready. From then on stanzas are sent as they come. */
  live: boolean
  /** The queue up to this sequence number was sent when the client became live. */
  flushedThrough: number
  /** Numbers whose presence this client subscribed to. */
  subscriptions: Set<string>
  available: boolean
}

/** The connection of each linked device that is online, by `number:device`. */
export type Online = Map<string, Connection>
