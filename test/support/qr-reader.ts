// Reads a QR code from a PNG without noise: no error correction, level M, upright.
import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'

type IsDark = (row: number, column: number) => boolean

/** The text in the code that this picture shows. */
export function readQrCode(png: Buffer): string {
  const { isDark, size } = findModules(readPng(png))
  const version = (size - 17) / 4
  assert.ok(Number.isInteger(version) && version >= 1 && version <= LEVEL_M.length, `version ${version}`)
  const { level, mask } = readFormat(isDark, size)
  assert.equal(level, 0, 'level M')
  const codewords = readCodewords(isDark, size, version, mask)
  return readSegments(mergeBlocks(codewords, version), version)
}

interface Picture {
  width: number
  height: number
  isDark: IsDark
}

function readPng(png: Buffer): Picture {
  assert.equal(png.toString('latin1', 1, 4), 'PNG')
  const packed: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      packed.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
    }
  }
  const [width, height, depth, colour] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]]
  const channels = { 0: 1, 2: 3, 6: 4 }[colour ?? -1]
  assert.ok(depth === 8 && channels !== undefined, 'eight bits a channel')
  const rows = unfilter(inflateSync(Buffer.concat(packed)), width * channels, channels)
  return { width, height, isDark: (row, column) => (rows[row]?.[column * channels] ?? 255) < 128 }
}

function unfilter(data: Buffer, length: number, back: number): Uint8Array[] {
  const rows: Uint8Array[] = []
  let above = new Uint8Array(length)
  for (let at = 0; at < data.length; at += length + 1) {
    const row = new Uint8Array(length)
    for (let index = 0; index < length; index += 1) {
      const [left, up, corner] = [row[index - back] ?? 0, above[index] ?? 0, above[index - back] ?? 0]
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][data[at] ?? 0] ?? 0
      row[index] = (data[at + 1 + index] ?? 0) + guess
    }
    rows.push(row)
    above = row
  }
  return rows
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

/** The finder patterns in the upper corners tell where the code is and how large its modules are. */
function findModules({ width, height, isDark }: Picture): { isDark: IsDark; size: number } {
  let top = 0
  const columns = Array.from({ length: width }, (_, column) => column)
  while (top < height && !columns.some((column) => isDark(top, column))) top += 1
  const left = columns.findIndex((column) => isDark(top, column))
  const right = columns.findLastIndex((column) => isDark(top, column)) + 1
  const finderWidth = columns.findIndex((column) => column > left && !isDark(top, column)) - left
  const version = Math.round((((right - left) / finderWidth) * 7 - 17) / 4)
  const size = version * 4 + 17
  const middle = (index: number) => Math.floor(((index + 0.5) * (right - left)) / size)
  return { size, isDark: (row, column) => isDark(top + middle(row), left + middle(column)) }
}

function readFormat(isDark: IsDark, size: number): { level: number; mask: number } {
  let bits = 0
  for (let index = 0; index < 15; index += 1) {
    const row = index < 8 ? index + Number(index >= 6) : size - 15 + index
    bits |= Number(isDark(row, 8)) << index
  }
  bits ^= 0x5412
  return { level: bits >> 13, mask: (bits >> 10) & 7 }
}

const MASKS: ((row: number, column: number) => number)[] = [
  (row, column) => (row + column) % 2,
  (row) => row % 2,
  (_row, column) => column % 3,
  (row, column) => (row + column) % 3,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2,
  (row, column) => ((row * column) % 2) + ((row * column) % 3),
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2,
]

function readCodewords(isDark: IsDark, size: number, version: number, mask: number): number[] {
  const bits: number[] = []
  const isMasked = (row: number, column: number) => MASKS[mask]?.(row, column) === 0
  for (let right = size - 1, upwards = true; right > 0; right -= 2, upwards = !upwards) {
    if (right === 6) right -= 1
    for (let step = 0; step < size; step += 1) {
      const row = upwards ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (isFunction(row, column, size, version)) continue
        bits.push(Number(isDark(row, column) !== isMasked(row, column)))
      }
    }
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((value, bit) => value * 2 + bit, 0),
  )
}

function isFunction(row: number, column: number, size: number, version: number): boolean {
  if (row === 6 || column === 6) return true
  const [nearTop, nearLeft] = [row < 9, column < 9]
  if ((nearTop && nearLeft) || (nearTop && column >= size - 8) || (row >= size - 8 && nearLeft)) return true
  if (version >= 7) {
    if (row < 6 && column >= size - 11) return true
    if (column < 6 && row >= size - 11) return true
  }
  const centres = alignmentCentres(size, version)
  const near = (place: number) => centres.find((centre) => Math.abs(centre - place) <= 2)
  const [centreRow, centreColumn] = [near(row), near(column)]
  if (centreRow === undefined || centreColumn === undefined) return false
  // No pattern stands where the finders are.
  const finders = [`6,6`, `6,${size - 7}`, `${size - 7},6`]
  return !finders.includes(`${centreRow},${centreColumn}`)
}

function alignmentCentres(size: number, version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((size - 13) / (2 * count - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step)]
}

/** Per version: codewords of error correction in a block, and how many blocks. */
const LEVEL_M: [correction: number, blocks: number][] = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
  [30, 5],
  [22, 8],
  [22, 9],
  [24, 9],
  [24, 10],
  [28, 10],
  [28, 11],
  [26, 13],
  [26, 14],
  [26, 16],
]

function mergeBlocks(codewords: number[], version: number): number[] {
  const [correction, count] = LEVEL_M[version - 1] ?? [0, 1]
  const total = codewords.length
  const shortLength = Math.floor(total / count) - correction
  const longBlocks = total % count
  const lengthOf = (block: number) => shortLength + Number(block >= count - longBlocks)
  const blocks = Array.from({ length: count }, (): number[] => [])
  let at = 0
  for (let index = 0; index <= shortLength; index += 1) {
    for (const [block, words] of blocks.entries()) {
      if (index < lengthOf(block)) words.push(codewords[at++] ?? 0)
    }
  }
  return blocks.flat()
}

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'

function readSegments(data: number[], version: number): string {
  let at = 0
  const take = (count: number) => {
    let value = 0
    for (; count > 0; count -= 1, at += 1) value = value * 2 + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
  const width = (small: number, large: number) => (version < 10 ? small : large)
  let text = ''
  for (;;) {
    const mode = at + 4 > data.length * 8 ? 0 : take(4)
    if (mode === 0) return text
    if (mode === 4) {
      const bytes = Array.from({ length: take(width(8, 16)) }, () => take(8))
      text += Buffer.from(bytes).toString()
    } else if (mode === 2) {
      for (let left = take(width(9, 11)); left > 0; left -= 2) {
        const pair = take(left > 1 ? 11 : 6)
        if (left > 1) text += ALPHANUMERIC[Math.floor(pair / 45)]
        text += ALPHANUMERIC[pair % 45]
      }
    } else {
      assert.equal(mode, 1, 'a mode of letters or digits')
      for (let left = take(width(10, 12)); left > 0; left -= 3) {
        const digits = Math.min(left, 3)
        text += String(take([0, 4, 7, 10][digits] ?? 0)).padStart(digits, '0')
      }
    }
  }
}
