// A vote names its options by their hashes.
import { createHash } from 'node:crypto'

export const hashOf = (option: string): Buffer => createHash('sha256').update(option).digest()

export const namesOf = (hashes: Iterable<Uint8Array>, options: string[]): string[] => {
  const chosen = new Set([...hashes].map((hash) => Buffer.from(hash).toString('hex')))
  return options.filter((option) => chosen.has(hashOf(option).toString('hex')))
}
