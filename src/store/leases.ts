// The port of the leases: which of the processes on one database is live.
import type { LiveNode } from '../rules/lease.ts'

export interface NewNode {
  id: number
  name: string
  startedAt: number
}

export interface Renewal {
  /** dead: another node has taken over, and this life is over. */
  status: 'standby' | 'live' | 'dead'
  /** The time of the database. */
  databaseNow: number
  /** All other live nodes. */
  others: LiveNode[]
}

export interface Leases {
  /** Adds a node that waits. */
  register(node: NewNode, leaseMs: number): Promise<void>
  renew(id: number, leaseMs: number): Promise<Renewal>
  /**
   * Makes a waiting node live, unless another one is. `gone` are declared dead first if their lease has ended; `ended` are declared
   * dead in any case, because their process is known to have ended.
   */
  activate(id: number, leaseMs: number, others: { gone: number[]; ended: number[] }): Promise<boolean>
  /** The node has ended: another one need not wait for its lease. */
  leave(id: number): Promise<void>
  close(): Promise<void>
}
