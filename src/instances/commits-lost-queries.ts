// The record of commits that the database has lost in a failover (decision 0125).

/** A fact. Its value is the JSON of `LossRecord`. */
export const COMMITS_LOST = 'commits_lost'

export interface LossRecord {
  loss: 'possible' | 'certain'
  /** When a node noticed it, on the clock of the database. */
  at: number
}
