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

/** As a pattern of SQL: the API names that an instance with this display name can have. A slug has no character with a meaning there. */
export const apiNamePattern = (displayName: string): string => `${slug(displayName)}-${'_'.repeat(8)}`

/** A sentence for a name that no instance has, with those that may be meant. */
export function didYouMean(apiNames: readonly string[]): string {
  const [first, ...others] = apiNames
  if (first === undefined) return ''
  return others.length === 0 ? ` Did you mean ${first}?` : ` Did you mean one of ${apiNames.join(', ')}?`
}

/** In the form that clients of the network use. */
export const newMessageId = (): string => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`

/** The typing delay of a request that omits it: 3000 to 5000 ms. */
export const randomTypingMs = (random: RandomInt = secureInt): number => 3000 + random(2001)
