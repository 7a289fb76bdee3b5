// The layer of Signal: forged and repeated ciphertexts, counters and iterations without measure, and sender keys for groups with
// hostile names. A contact can send all of it: the network sees bytes.
import { encodeBinaryNode } from 'baileys'
import { curve } from 'libsignal'
import { mutate } from './mutate.ts'
import { newId, oddAddress } from './odd-values.ts'
import { encoded, padded } from './protobuf.ts'
import type { Random } from './random.ts'
import { type Generator, type HostileFrame, type Person, remember, type Scene } from './scene.ts'

const VERSION = Buffer.from([0x33])
const KEY_TYPE = Buffer.from([5])
const MAC_BYTES = 8
const SIGNATURE_BYTES = 64
/** Steps that a receiver would have to take: none, many, more than 32 bits, and where adding one changes nothing. */
const COUNTERS = [
  0n,
  1n,
  1999n,
  2000n,
  2001n,
  25_000n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 53n,
  2n ** 53n + 2n,
  2n ** 63n,
]

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let left = value
  do {
    const low = Number(left & 0x7fn)
    left >>= 7n
    bytes.push(left > 0n ? low | 0x80 : low)
  } while (left > 0n)
  return Buffer.from(bytes)
}

const numberField = (id: number, value: bigint): Buffer =>
  Buffer.concat([varint(BigInt(id << 3)), varint(value)])
const bytesField = (id: number, value: Uint8Array): Buffer =>
  Buffer.concat([varint(BigInt((id << 3) | 2)), varint(BigInt(value.length)), value])

const oddKey = (random: Random): Buffer =>
  random.chance(0.8)
    ? Buffer.concat([KEY_TYPE, random.bytes(32)])
    : random.bytes(random.pick([0, 1, 32, 33, 64]))

const forgedMessage = (random: Random): Buffer =>
  Buffer.concat([
    VERSION,
    bytesField(1, oddKey(random)),
    numberField(2, random.pick(COUNTERS)),
    numberField(3, random.pick(COUNTERS)),
    bytesField(4, random.bytes(16 * random.below(5))),
    random.bytes(MAC_BYTES),
  ])

const forgedPreKeyMessage = (random: Random): Buffer =>
  Buffer.concat([
    VERSION,
    numberField(5, random.pick(COUNTERS)),
    numberField(1, random.pick(COUNTERS)),
    numberField(6, random.pick(COUNTERS)),
    bytesField(2, oddKey(random)),
    bytesField(3, oddKey(random)),
    bytesField(4, forgedMessage(random)),
  ])

const forgedGroupMessage = (random: Random): Buffer =>
  Buffer.concat([
    VERSION,
    numberField(1, random.pick(COUNTERS)),
    numberField(2, random.pick(COUNTERS)),
    bytesField(3, random.bytes(16 * random.below(5))),
    random.bytes(SIGNATURE_BYTES),
  ])

const FORGERIES = {
  msg: forgedMessage,
  pkmsg: forgedPreKeyMessage,
  skmsg: forgedGroupMessage,
} as const
type CipherType = keyof typeof FORGERIES

function messageWith(
  random: Random,
  scene: Scene,
  author: Person,
  type: CipherType,
  ciphertext: Buffer,
): HostileFrame {
  const direct = { from: `${author.lid}@lid`, sender_pn: `${author.number}@s.whatsapp.net` }
  const inGroup = { from: random.pick(scene.groups), participant: `${author.lid}@lid` }
  const attrs = {
    id: newId(random),
    t: '1700000000',
    type: 'text',
    addressing_mode: 'lid',
    ...(type === 'skmsg' ? inGroup : direct),
  }
  const content = [{ tag: 'enc', attrs: { v: '2', type }, content: ciphertext }]
  return { as: 'stanza', bytes: remember(scene, encodeBinaryNode({ tag: 'message', attrs, content })) }
}

export const forgeries: Generator = (random, scene) => {
  const type = random.pick(['msg', 'pkmsg', 'skmsg'] as const)
  const forged = random.chance(0.7) ? FORGERIES[type](random) : mutate(random, FORGERIES[type](random))
  return [messageWith(random, scene, random.pick(scene.attackers), type, forged)]
}

const oddGroup = (random: Random, { groups }: Scene): string =>
  random.pick([
    () => random.pick(groups),
    () => oddAddress(random),
    () => 'g'.repeat(4000),
    () => '120363000000000001@g.us\0',
    () => `${'1'.repeat(200)}@g.us`,
    () => 'status@broadcast',
  ])()

/** A sender key of the contact, who signs what it wants, also with an iteration that is out of reach. Made by hand: ours refuses that. */
export const senderKeys: Generator = (random, scene) => {
  const author = random.pick(scene.attackers)
  const { pubKey, privKey } = curve.generateKeyPair()
  const id = numberField(1, BigInt(random.below(2 ** 31)))
  const distribution = Buffer.concat([
    VERSION,
    id,
    numberField(2, random.pick(COUNTERS)),
    bytesField(3, random.bytes(random.chance(0.9) ? 32 : random.below(40))),
    bytesField(4, pubKey),
  ])
  const text = encoded({
    senderKeyDistributionMessage: {
      groupId: oddGroup(random, scene),
      axolotlSenderKeyDistributionMessage: random.chance(0.7) ? distribution : mutate(random, distribution),
    },
  })
  const ciphertext = bytesField(3, random.bytes(16 * (1 + random.below(4))))
  const signed = Buffer.concat([VERSION, id, numberField(2, random.pick(COUNTERS)), ciphertext])
  const body = Buffer.concat([signed, curve.calculateSignature(privKey, signed)])
  return [
    { as: 'plaintext', from: author.number, bytes: padded(random, text) },
    messageWith(random, scene, author, 'skmsg', random.chance(0.8) ? body : mutate(random, body)),
  ]
}
