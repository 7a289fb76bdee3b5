// The layer of protobuf: properly encrypted by a contact, with a content that is not a message or not the one that it claims to be.
import { proto } from 'baileys'
import { mutate } from './mutate.ts'
import { digits, newId, oddAddress, oddText } from './odd-values.ts'
import type { Random } from './random.ts'
import type { Generator, Scene } from './scene.ts'

const DEEP_QUOTES = 300

/** As the protocol pads: the last byte says how many. */
export function padded(random: Random, bytes: Uint8Array): Buffer {
  const count = 1 + random.below(16)
  return Buffer.concat([bytes, Buffer.alloc(count, count)])
}

export const encoded = (message: proto.IMessage): Uint8Array => proto.Message.encode(message).finish()

type Make = (random: Random, scene: Scene) => proto.IMessage

const oddKey = (random: Random): proto.IMessageKey => ({
  remoteJid: oddAddress(random),
  id: newId(random),
  fromMe: random.chance(0.5),
  participant: oddAddress(random),
})

/** Kinds that only the owner's phone may send are among them. */
const MESSAGES: readonly Make[] = [
  (random) => ({ conversation: oddText(random) }),
  (random) => ({
    extendedTextMessage: {
      text: oddText(random),
      matchedText: `https://${oddText(random)}`,
      jpegThumbnail: random.bytes(random.below(400)),
      contextInfo: {
        stanzaId: oddText(random),
        participant: oddAddress(random),
        mentionedJid: Array.from({ length: random.below(30) }, () => oddAddress(random)),
        quotedMessage: { conversation: oddText(random) },
        expiration: 4_294_967_295,
      },
    },
  }),
  (random) => ({ reactionMessage: { key: oddKey(random), text: oddText(random), senderTimestampMs: -1 } }),
  (random) => ({
    protocolMessage: {
      type: random.below(30) as proto.Message.ProtocolMessage.Type,
      key: oddKey(random),
      ephemeralExpiration: 4_294_967_295,
      editedMessage: { conversation: oddText(random) },
      historySyncNotification: {
        syncType: random.below(8),
        initialHistBootstrapInlinePayload: random.bytes(random.below(80)),
        directPath: `/v/${oddText(random)}`,
        mediaKey: random.bytes(random.pick([0, 16, 32])),
      },
      appStateSyncKeyShare: {
        keys: [
          { keyId: { keyId: random.bytes(6) }, keyData: { keyData: random.bytes(random.pick([0, 31, 32])) } },
        ],
      },
      appStateSyncKeyRequest: { keyIds: [{ keyId: random.bytes(6) }] },
    },
  }),
  (random) => ({
    pollCreationMessageV3: {
      name: oddText(random),
      options: Array.from({ length: random.below(20) }, () => ({ optionName: oddText(random) })),
      selectableOptionsCount: 4_294_967_295,
    },
  }),
  (random) => ({
    pollUpdateMessage: {
      pollCreationMessageKey: oddKey(random),
      vote: { encPayload: random.bytes(random.below(60)), encIv: random.bytes(random.pick([0, 12, 16])) },
    },
  }),
  (random) => ({
    locationMessage: { degreesLatitude: Number.NaN, degreesLongitude: 1e308, name: oddText(random) },
  }),
  (random) => ({
    contactMessage: { displayName: oddText(random), vcard: `BEGIN:VCARD\n${oddText(random)}` },
  }),
  (random) => ({
    interactiveResponseMessage: {
      nativeFlowResponseMessage: {
        name: oddText(random),
        paramsJson: random.pick(['{', 'null', '[]', '{"id":{}}']),
      },
    },
  }),
  (random) => ({
    deviceSentMessage: { destinationJid: oddAddress(random), message: { conversation: oddText(random) } },
  }),
  (random) => ({ viewOnceMessage: { message: { imageMessage: { caption: oddText(random) } } } }),
  (random) => ({ eventMessage: { name: oddText(random), startTime: -1 } }),
  (random) => ({
    groupInviteMessage: { groupJid: oddAddress(random), inviteCode: oddText(random), inviteExpiration: -1 },
  }),
  (random) => ({
    keepInChatMessage: { key: oddKey(random), keepType: 1 },
    pinInChatMessage: { key: oddKey(random) },
  }),
  (random) => ({ call: { callKey: random.bytes(random.below(64)) } }),
  (random) => ({ senderKeyDistributionMessage: { groupId: `${digits(random, 18)}@g.us` } }),
]

function deepMessage(): Uint8Array {
  let message: proto.IMessage = { conversation: 'deep' }
  for (let depth = 0; depth < DEEP_QUOTES; depth += 1) message = { ephemeralMessage: { message } }
  return encoded(message)
}

export const oddMessages: Generator = (random, scene) => {
  const message = () => encoded(random.pick(MESSAGES)(random, scene))
  const bytes = random.chance(0.01)
    ? padded(random, deepMessage())
    : random.pick([
        () => padded(random, message()),
        () => padded(random, message()),
        () => padded(random, mutate(random, message())),
        () => padded(random, mutate(random, message())),
        () => padded(random, random.bytes(random.below(80))),
        // The padding is longer than the text, or missing.
        () => Buffer.concat([Buffer.from(message()), Buffer.from([255])]),
        () => Buffer.alloc(random.below(3), random.below(256)),
      ])()
  return [{ as: 'plaintext', from: random.pick(scene.attackers).number, bytes }]
}
