// Names, ids and delays that the gateway generates. Randomness is a parameter, so that tests are deterministic.
import { randomBytes, randomInt } from 'node:crypto'

export type RandomInt = (max: number) => number
const secureInt: RandomInt = (max) => randomInt(max)

const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789'
const SLUG_LENGTH = 40

const pick = (alphabet: string, length: number, random: RandomInt): string =>
  Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')

/** `Support Brasil` → `support-brasil`: accents are removed, other characters become dashes. */
export function slug(displayName: string): string {
  const plain = displayName.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const dashed = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
  return dashed || 'instance'
}

/** A unique API name: readable, and not guessable from the display name. */
export const apiInstanceName = (displayName: string, random: RandomInt = secureInt): string =>
  `${slug(displayName)}-${pick(LOWER, 8, random)}`

/** In the form that clients of the network use. */
export const newMessageId = (): string => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`

/** The typing delay of a request that omits it: 3000 to 5000 ms. */
export const randomTypingMs = (random: RandomInt = secureInt): number => 3000 + random(2001)
