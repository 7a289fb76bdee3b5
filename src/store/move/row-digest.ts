// A checksum of rows that does not depend on their order, so that neither engine has to sort them.
import { hash } from 'node:crypto'

/** Numbers are in decimal. */
export type Value = string | Uint8Array | null
export type MovedRow = readonly Value[]

export interface RowDigest {
  add(row: MovedRow): void
  rows(): number
  /** Equal for two sets of rows only if the rows are equal. */
  text(): string
}

const WORDS = 8

/** The hashes of all rows, added up word by word. Two equal rows do not cancel each other out, as they would with xor. */
export function createRowDigest(): RowDigest {
  const sums = new Uint32Array(WORDS)
  let count = 0
  return {
    add(row) {
      const digest = hash('sha256', encodeRow(row), 'buffer')
      for (let word = 0; word < WORDS; word += 1)
        sums[word] = (sums[word] ?? 0) + digest.readUInt32LE(word * 4)
      count += 1
    },
    rows: () => count,
    text: () => Array.from(sums, (sum) => sum.toString(16).padStart(8, '0')).join(''),
  }
}

/** With the length before each value: moving a character from one column to the next one changes the result. */
function encodeRow(row: MovedRow): Buffer {
  const pieces: Uint8Array[] = []
  for (const value of row) {
    if (value === null) {
      pieces.push(Buffer.from('null;'))
      continue
    }
    const bytes = typeof value === 'string' ? Buffer.from(value) : value
    pieces.push(Buffer.from(`${typeof value === 'string' ? 'text' : 'bytes'} ${bytes.length}:`), bytes)
  }
  return Buffer.concat(pieces)
}

export function sizeOfRow(row: MovedRow): number {
  let bytes = 0
  for (const value of row) bytes += value?.length ?? 0
  return bytes
}
