// The layer of media: files whose length, hash, key or type lie, pictures that unfold to gigabytes, and links that lead nowhere.
import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { proto } from 'baileys'
import { png } from '../../support/sample-files.ts'
import { mutate } from './mutate.ts'
import { oddText } from './odd-values.ts'
import { encoded, padded } from './protobuf.ts'
import type { Random } from './random.ts'
import type { Generator, HostileFrame, Scene } from './scene.ts'

const MAC_BYTES = 10
const BOMB_PIXELS = 20_000
const LENGTHS = [0, 1, 100, 2 ** 31, 2 ** 32, 2 ** 53]

/** A picture of some kilobytes that says it has 400 million pixels. */
function pixelBomb(): Buffer {
  const bytes = Buffer.from(png(5, 5))
  // Width and height of the header; its checksum is wrong then, which not every reader checks.
  bytes.writeUInt32BE(BOMB_PIXELS, 16)
  bytes.writeUInt32BE(BOMB_PIXELS, 20)
  return Buffer.concat([bytes, deflateSync(Buffer.alloc(1_000_000))])
}

const FILES: readonly ((random: Random) => Buffer)[] = [
  (random) => random.bytes(random.below(3000)),
  () => pixelBomb(),
  (random) => mutate(random, png(5, 5)),
  () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
  () => Buffer.alloc(0),
]

const KINDS = {
  imageMessage: 'Image',
  videoMessage: 'Video',
  audioMessage: 'Audio',
  documentMessage: 'Document',
  stickerMessage: 'Image',
} as const

function encryptFile(plain: Buffer, mediaKey: Buffer, kind: string): Buffer {
  const keys = Buffer.from(hkdfSync('sha256', mediaKey, Buffer.alloc(0), `WhatsApp ${kind} Keys`, 112))
  const iv = keys.subarray(0, 16)
  const cipher = createCipheriv('aes-256-cbc', keys.subarray(16, 48), iv)
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()])
  const mac = createHmac('sha256', keys.subarray(48, 80)).update(iv).update(bytes).digest()
  return Buffer.concat([bytes, mac.subarray(0, MAC_BYTES)])
}

export const hostileMedia: Generator = (random, scene) => {
  const field = random.pick(Object.keys(KINDS) as (keyof typeof KINDS)[])
  const mediaKey = random.bytes(32)
  const plain = random.pick(FILES)(random)
  const sealed = encryptFile(plain, mediaKey, KINDS[field])
  const stored = random.chance(0.6) ? sealed : mutate(random, sealed)
  const frames: HostileFrame[] = random.chance(0.8) ? [{ as: 'media', bytes: stored }] : []
  const reference = referenceTo(random, scene, { plain, stored, mediaKey })
  const message = { [field]: reference } as proto.IMessage
  return [
    ...frames,
    { as: 'plaintext', from: random.pick(scene.attackers).number, bytes: padded(random, encoded(message)) },
  ]
}

function referenceTo(
  random: Random,
  { mediaHost }: Scene,
  { plain, stored, mediaKey }: { plain: Buffer; stored: Buffer; mediaKey: Buffer },
) {
  const hash = createHash('sha256').update(stored).digest()
  const honest = (share: number) => random.chance(share)
  const directPath = honest(0.8) ? `/v/${hash.toString('hex')}.enc` : `/v/${oddText(random)}`
  return {
    url: honest(0.8)
      ? `https://${mediaHost}${directPath}`
      : random.pick(['file:///etc/passwd', 'http://127.0.0.1:1/', 'https://', oddText(random)]),
    directPath,
    mimetype: random.pick([
      'image/png',
      'image/webp',
      'video/mp4',
      'audio/ogg; codecs=opus',
      oddText(random),
    ]),
    mediaKey: honest(0.8) ? mediaKey : random.bytes(random.pick([0, 1, 31, 33])),
    fileSha256: honest(0.7)
      ? createHash('sha256').update(plain).digest()
      : random.bytes(random.pick([0, 32])),
    fileEncSha256: honest(0.7) ? hash : random.bytes(random.pick([0, 32])),
    fileLength: honest(0.5) ? plain.length : random.pick(LENGTHS),
    width: 4_294_967_295,
    height: 4_294_967_295,
    seconds: 4_294_967_295,
    fileName: oddText(random),
    caption: oddText(random),
    jpegThumbnail: random.bytes(random.below(600)),
    waveform: random.bytes(random.below(200)),
  }
}
