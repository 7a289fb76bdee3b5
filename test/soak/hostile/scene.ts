// What the generators of frames know: whom they attack, and as whom.

import { lidForNumber } from '../../../sandbox/model/address.ts'
import type { InjectedFrame } from '../../../src/contract/sandbox-injections.ts'
import type { Random } from './random.ts'

export interface Person {
  number: string
  lid: string
}

export interface Scene {
  /** The owner of the attacked instance. */
  target: Person
  /** Contacts whose phones send garbage. */
  attackers: readonly Person[]
  /** Groups that the attackers claim to write in. */
  groups: readonly string[]
  /** `host:port` of the media host. */
  mediaHost: string
  /** Stanzas that were sent, to be sent again. */
  sent: Buffer[]
}

/** As the API takes it, with bytes instead of their base64 form. */
export type HostileFrame = {
  [As in InjectedFrame['as']]: Omit<Extract<InjectedFrame, { as: As }>, 'bytes'> & { bytes: Buffer }
}[InjectedFrame['as']]

/** A pure function of its arguments, except that it may add to `sent`. */
export type Generator = (random: Random, scene: Scene) => HostileFrame[]

export const personWith = (number: string): Person => ({ number, lid: lidForNumber(number) })

const MAX_REPLAYED = 200

/** Remembers a stanza for a replay. */
export function remember({ sent }: Scene, bytes: Buffer): Buffer {
  sent.push(bytes)
  if (sent.length > MAX_REPLAYED) sent.shift()
  return bytes
}
