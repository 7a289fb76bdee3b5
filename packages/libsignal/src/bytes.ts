// Reads and writes numbers of variable length and byte strings with their length, as in protocol buffers.

/** Every number on the wire is unsigned and has 32 bits. Beyond 2^53, adding one would change nothing, and a loop would never end. */
export const MAX_NUMBER = 2 ** 32 - 1
export const isNumber = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER
/** This many bytes, of seven bits each, hold a number of the wire, and the largest number that was ever stored. */
const NUMBER_BYTES = 5
const STORED_BYTES = 8

export interface Writer {
  /** A whole number that is not negative. */
  number(value: number): void
  /** Bytes with their length in front. */
  bytes(value: Uint8Array): void
  finish(): Buffer
}

export interface Reader {
  /** Throws above 32 bits. */
  number(): number
  /** For records of the store: also times, and larger numbers that earlier versions stored. */
  storedNumber(): number
  bytes(): Buffer
  isAtEnd(): boolean
}

const FIRST_SIZE = 512

export function createWriter(): Writer {
  let buffer = Buffer.allocUnsafe(FIRST_SIZE)
  let length = 0
  const reserve = (size: number): void => {
    if (length + size <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + size))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }
  function number(value: number): void {
    reserve(8)
    let rest = value
    while (rest > 0x7f) {
      buffer[length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    buffer[length++] = rest
  }
  return {
    number,
    bytes(value) {
      number(value.length)
      reserve(value.length)
      buffer.set(value, length)
      length += value.length
    },
    // A copy, so that the writer's larger buffer can be freed.
    finish: () => Buffer.from(buffer.subarray(0, length)),
  }
}

export function createReader(source: Uint8Array): Reader {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  let offset = 0
  function read(maxBytes: number): number {
    let value = 0
    let factor = 1
    for (let count = 0; count < maxBytes; count += 1) {
      const byte = bytes[offset++]
      if (byte === undefined) break
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 0x80
    }
    throw new Error('Invalid number in a message')
  }
  function number(): number {
    const value = read(NUMBER_BYTES)
    if (value > MAX_NUMBER) throw new Error('Number in a message is too large')
    return value
  }
  return {
    number,
    storedNumber: () => read(STORED_BYTES),
    bytes() {
      const length = number()
      if (length > bytes.length - offset) throw new Error('Message is cut off')
      offset += length
      return bytes.subarray(offset - length, offset)
    },
    isAtEnd: () => offset >= bytes.length,
  }
}
