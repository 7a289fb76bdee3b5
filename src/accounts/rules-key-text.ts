// The text of an API key: `sk_`, 32 random characters and a checksum. The checksum detects typing errors without a query.
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(`^sk_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}

export function newKeyText(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
  return `sk_${random}${checksum(random)}`
}

/** False only for a key of this form with a wrong checksum. Keys from the environment may have any form. */
export function mayBeKey(text: string): boolean {
  const match = FORM.exec(text)
  return match === null || checksum(match[1] as string) === match[2]
}

export const hashKey = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Enough to recognize a key, not enough to use it. */
export const keyHint = (text: string): string => `${text.slice(0, 5)}…${text.slice(-4)}`
