// Rows about the identifiers of people.
import type { Generated } from 'kysely'

export interface AddressesTable {
  instance_id: number
  lid: string
  phone: string
  updated_at: number
}

export interface UsernamesTable {
  instance_id: number
  lid: string
  username: string
  updated_at: number
}

export interface KnownNumbersTable {
  instance_id: number
  number: string
  jid: string | null
  asked_at: number
  /** 1: the network named `jid` for this very number. 0: it was found under another form of the number. */
  is_confirmed: Generated<number>
}
