// The layer of binary nodes: encrypted as it should be, and with a content that is not a node, or not the one that it claims to be.
import { deflateSync } from 'node:zlib'
import { encodeBinaryNode } from 'baileys'
import { mutate } from './mutate.ts'
import { newId, oddAddress } from './odd-values.ts'
import type { Random } from './random.ts'
import type { Generator } from './scene.ts'

const BOMB_BYTES = 32 * 1024 * 1024
const DEPTH = 2000
const LIST_8 = 248
const LIST_16 = 249
const BINARY_32 = 254
const COMPRESSED = Buffer.from([2])

/** Made once: it takes a while. */
let bomb: Buffer | undefined
const compressionBomb = (): Buffer =>
  (bomb ??= Buffer.concat([COMPRESSED, deflateSync(Buffer.alloc(BOMB_BYTES, LIST_8))]))

/** Each list has one element, the next list. */
const deepNode = (): Buffer =>
  Buffer.concat([
    Buffer.from([0]),
    Buffer.concat(Array.from({ length: DEPTH }, () => Buffer.from([LIST_8, 2, 3, LIST_8, 1]))),
  ])

const plainNode = (random: Random): Uint8Array =>
  encodeBinaryNode({
    tag: random.pick(['message', 'receipt', 'notification', 'call', 'presence']),
    attrs: { id: newId(random), from: oddAddress(random), type: random.pick(['text', 'w:gp2', 'retry']) },
    content: random.chance(0.5)
      ? [{ tag: 'enc', attrs: { v: '2' }, content: random.bytes(40) }]
      : random.bytes(9),
  })

export const brokenNodes: Generator = (random) => {
  const bytes = random.chance(0.001)
    ? compressionBomb()
    : random.pick([
        () => mutate(random, plainNode(random)),
        () => mutate(random, plainNode(random)),
        () => mutate(random, plainNode(random)),
        () => Buffer.concat([Buffer.from([0]), random.bytes(random.below(60))]),
        () => Buffer.from([0, LIST_16, 0xff, 0xff, ...random.bytes(8)]),
        () => Buffer.from([0, LIST_8, 2, BINARY_32, 0x7f, 0xff, 0xff, 0xff, ...random.bytes(8)]),
        () => Buffer.concat([COMPRESSED, random.bytes(20)]),
        () => Buffer.concat([COMPRESSED, deflateSync(mutate(random, plainNode(random)))]),
        () => (random.chance(0.1) ? deepNode() : Buffer.from([0])),
        () => Buffer.alloc(0),
      ])()
  return [{ as: 'frame', bytes }]
}
