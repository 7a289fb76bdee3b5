// Names and ids that the gateway makes. Randomness comes in, so that the form can be tested.
import { randomBytes, randomInt } from 'node:crypto'

export type RandomInt = (max: number) => number
const secureInt: RandomInt = (max) => randomInt(max)

const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789'
const SLUG_LENGTH = 40

const pick = (alphabet: string, length: number, random: RandomInt): string =>
  Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')

/** `Support Brasil` → `support-brasil`; letters lose their accents, all else becomes a dash. */
export function slug(displayName: string): string {
  const plain = displayName.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const dashed = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
  return dashed || 'instance'
}

/** The unique API name: readable, and impossible to guess from the display name. */
export const apiInstanceName = (displayName: string, random: RandomInt = secureInt): string =>
  `${slug(displayName)}-${pick(LOWER, 8, random)}`

/** In the form that the network's own clients use, fixed before the first try. */
export const newMessageId = (): string => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`

/** Omitted typing time: 3000 to 5000 ms, never the same twice in a row for long (spec 8.2). */
export const randomTypingMs = (random: RandomInt = secureInt): number => 3000 + random(2001)
