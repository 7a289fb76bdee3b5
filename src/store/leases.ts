// The port of the leases: the nodes on one database, which of them live, and what is left to take.

import type { CommitLoss, FoundServer, KnownServer } from '../instances/rules.ts'
import type { LiveNode } from '../nodes/rules.ts'

export interface NewNode {
  id: number
  name: string
  /** Where the other nodes reach this one; null: it works alone, and further nodes wait. */
  url: string | null
  version: string
}

/** Another node that works on the database. */
export interface PeerNode extends LiveNode {
  url: string | null
  startedAt: number
  isDraining: boolean
  /** How many instances it served at its last renewal. */
  instances: number
}

export interface Renewal {
  /** dead: another node has taken over, and this life is over. */
  status: 'standby' | 'live' | 'draining' | 'dead'
  /** The time of the database. */
  databaseNow: number
  /** All other nodes that are live or draining. */
  others: PeerNode[]
  /** How many instances no node serves, up to a limit. */
  untaken: number
  /** The connection of the leases could not be opened: the store lent one of its own. */
  isShared?: boolean
  /** The server, for the search for lost commits. */
  found: FoundServer
  /** The server as of this renewal. Undefined: the row of this node is missing, or it is dead. */
  renewed: KnownServer | undefined
  /** The server that a node has recorded in the database. Undefined: none has. */
  recorded: KnownServer | undefined
}

/** Commits that the database has lost. */
export interface LostCommits {
  loss: Exclude<CommitLoss, 'none'>
  known: KnownServer
  found: FoundServer
}

export interface Leases {
  /** Adds a node that waits. Returns when it started, on the clock of the database. */
  register(node: NewNode, leaseMs: number): Promise<number>
  renew(id: number, leaseMs: number, instances: number): Promise<Renewal>
  /**
   * Makes a waiting node live. A node without a URL must be alone; a node with one waits only for nodes without. `gone` are declared
   * dead first if their lease has ended; `ended` are declared dead in any case, because their process is known to have ended.
   */
  activate(id: number, leaseMs: number, others: { gone: number[]; ended: number[] }): Promise<boolean>
  /** Declares nodes dead whose lease has ended. Returns those that are dead now because of this call. */
  end(id: number, gone: number[]): Promise<number[]>
  /** A draining node hands over its instances and takes none. */
  setDraining(id: number, isDraining: boolean): Promise<void>
  /** The node has ended: another one need not wait for its lease. */
  leave(id: number): Promise<void>
  /**
   * Makes the database safe to use after lost commits: ratchets are forgotten, and numbers that were given out since then are skipped.
   * False: another node has done it.
   */
  recover(lost: LostCommits): Promise<boolean>
  /** Records the server in the database, and lets the store open connections to it. */
  trust(server: KnownServer, recorded: KnownServer | undefined): Promise<void>
  close(): Promise<void>
}
