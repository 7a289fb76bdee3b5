// The part of the network port about phone calls, which the gateway can only see and reject.
import type { CallStatus } from '../contract/calls.ts'
import type { KnownPerson } from './groups.ts'

export interface NetworkCall {
  id: string
  from: KnownPerson
  /** The identifier of the caller as the network used it, to reject the call. */
  creator: string
  status: CallStatus
  atMs: number
  /** Only an offer says these; null: unknown. */
  isVideo: boolean | null
  isGroup: boolean | null
  groupJid: string | null
}
