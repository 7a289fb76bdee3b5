// Values that software forgets to expect.
import type { Random } from './random.ts'

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  '9007199254740993',
  '18446744073709551616',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '../../etc/passwd',
  "'; drop table messages; --",
  '%s%n',
  '<script>alert(1)</script>',
]
const LENGTHS = [300, 5000, 70_000]

export const oddText = (random: Random): string =>
  random.chance(0.05) ? 'x'.repeat(random.pick(LENGTHS)) : random.pick(TEXTS)

export const digits = (random: Random, length: number): string =>
  Array.from({ length }, () => random.below(10)).join('')

/** Like an id of the network. */
export const newId = (random: Random): string => random.bytes(10).toString('hex').toUpperCase()

const DOMAINS = [
  's.whatsapp.net',
  'lid',
  'g.us',
  'broadcast',
  'newsletter',
  'c.us',
  'hosted',
  'bot',
  'call',
  '',
]

/** An address that may be wrong in every part. */
export function oddAddress(random: Random): string {
  if (random.chance(0.2)) return oddText(random)
  const user = random.chance(0.8) ? digits(random, 1 + random.below(20)) : oddText(random)
  const device = random.chance(0.3) ? `:${random.pick(['0', '1', '99', '65536', '-1', 'x'])}` : ''
  return `${user}${device}@${random.pick(DOMAINS)}`
}
