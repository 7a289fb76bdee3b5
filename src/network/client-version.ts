// The version that a client presents to the network when it logs in. The network refuses old ones.

export type ClientVersion = readonly [primary: number, secondary: number, revision: number]

export interface ClientVersions {
  /** For the next connection. */
  current(): ClientVersion
  /** The network has refused this version. True: a newer one is known now. Never rejects. */
  renew(refused: ClientVersion): Promise<boolean>
}
