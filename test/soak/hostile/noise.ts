// The layer of the connection: frames that were not encrypted, lengths that lie, and handshakes that make no sense. The client cannot
// keep such a connection, so these frames are rare.
import { proto } from 'baileys'
import { mutate } from './mutate.ts'
import type { Generator } from './scene.ts'

const LENGTH_BYTES = 3

function framed(length: number, content: Buffer): Buffer {
  const head = Buffer.alloc(LENGTH_BYTES)
  head.writeUIntBE(length, 0, LENGTH_BYTES)
  return Buffer.concat([head, content])
}

export const rawFrames: Generator = (random) => {
  const content = random.bytes(random.below(200))
  const bytes = random.pick([
    () => framed(content.length, content),
    () => framed(0, Buffer.alloc(0)),
    () => Buffer.concat(Array.from({ length: 50 }, () => framed(1, random.bytes(1)))),
    () => framed(15, random.bytes(15)),
    () => random.bytes(1 + random.below(2)),
    () => framed(0xff_ff_ff, content),
  ])()
  return [{ as: 'socket', bytes }]
}

/** The next handshake needs a new connection, so the present one is broken as well. */
export const handshakes: Generator = (random, scene) => {
  const hello = proto.HandshakeMessage.encode({
    serverHello: {
      ephemeral: random.bytes(random.pick([0, 31, 32, 33])),
      static: random.bytes(random.pick([0, 16, 48])),
      payload: random.bytes(random.below(300)),
    },
  }).finish()
  const bytes = random.pick([
    () => Buffer.from(hello),
    () => mutate(random, hello),
    () => random.bytes(random.below(100)),
    () => Buffer.alloc(0),
  ])()
  return [{ as: 'hello', bytes }, ...rawFrames(random, scene)]
}
