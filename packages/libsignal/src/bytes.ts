// Reads and writes numbers of variable length and byte strings with their length, as in protocol buffers.

export interface Writer {
  /** A whole number that is not negative. */
  number(value: number): void
  /** Bytes with their length in front. */
  bytes(value: Uint8Array): void
  finish(): Buffer
}

export interface Reader {
  number(): number
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
  function number(): number {
    let value = 0
    for (let factor = 1; factor < Number.MAX_SAFE_INTEGER; factor *= 0x80) {
      const byte = bytes[offset++]
      if (byte === undefined) break
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new Error('Invalid number in a message')
  }
  return {
    number,
    bytes() {
      const length = number()
      if (length > bytes.length - offset) throw new Error('Message is cut off')
      offset += length
      return bytes.subarray(offset - length, offset)
    },
    isAtEnd: () => offset >= bytes.length,
  }
}
