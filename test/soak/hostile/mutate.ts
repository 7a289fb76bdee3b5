// Changes bytes in the ways that parsers handle worst: flipped bits, cut ends, lying lengths.
import type { Random } from './random.ts'

type Mutation = (random: Random, bytes: Buffer) => Buffer

const LARGE_VARINTS = [
  Buffer.from('ffffffff0f', 'hex'),
  Buffer.from('ffffffffffffff7f', 'hex'),
  Buffer.from('ffffffffffffffffff01', 'hex'),
  Buffer.from('ffffffffffffffffffffffff', 'hex'),
]

const MUTATIONS: readonly Mutation[] = [
  (random, bytes) => {
    const changed = Buffer.from(bytes)
    const at = random.below(bytes.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
    return changed
  },
  (random, bytes) => {
    const changed = Buffer.from(bytes)
    changed[random.below(bytes.length)] = random.pick([0, 1, 0x7f, 0x80, 0xff])
    return changed
  },
  (random, bytes) => bytes.subarray(0, random.below(bytes.length)),
  (random, bytes) => Buffer.concat([bytes, random.bytes(1 + random.below(40))]),
  (random, bytes) => spliced(bytes, random.below(bytes.length), random.bytes(1 + random.below(8))),
  (random, bytes) => spliced(bytes, random.below(bytes.length), random.pick(LARGE_VARINTS)),
  (random, bytes) => {
    const from = random.below(bytes.length)
    const part = bytes.subarray(from, from + 1 + random.below(64))
    return spliced(bytes, random.below(bytes.length), part)
  },
  (random, bytes) => {
    const from = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random.below(16))])
  },
]

const spliced = (bytes: Buffer, at: number, part: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])

export function mutate(random: Random, bytes: Uint8Array): Buffer {
  let changed: Buffer = Buffer.from(bytes)
  for (let left = 1 + random.below(4); left > 0; left -= 1)
    changed = changed.length === 0 ? random.bytes(4) : random.pick(MUTATIONS)(random, changed)
  return changed
}
