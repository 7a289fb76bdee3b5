// Messages in the format of the network: encoded, decoded, and read as the gateway reads them.
import { proto } from 'baileys'
import type { PersonIds, ReceivedMessage } from '../../src/network/message.ts'
import type { Envelope } from '../../src/whatsapp/from-network/envelope.ts'
import { fromNetwork, type ReceiveFacts } from '../../src/whatsapp/from-network/index.ts'
import { idsOf } from '../../src/whatsapp/from-network/people.ts'
import type { SendFacts } from '../../src/whatsapp/to-network/network-message.ts'
import type { UploadedMedia } from '../../src/whatsapp/to-network/uploaded-media.ts'

export const ME: PersonIds = {
  jid: '5511900000001@s.whatsapp.net',
  lid: '100000000000001@lid',
  phone: '5511900000001',
}
export const ANA: PersonIds = {
  jid: '5511900000002@s.whatsapp.net',
  lid: '100000000000002@lid',
  phone: '5511900000002',
}
export const GROUP = '120363000000000000@g.us'
export const NOW_MS = 1_767_000_000_000

/** As it arrives on the other side. */
export const overTheWire = (message: proto.IMessage): proto.IMessage =>
  proto.Message.decode(proto.Message.encode(message).finish())

export const envelope = (change: Partial<Envelope> = {}): Envelope => ({
  id: 'ABCDEF',
  chat: ANA.jid,
  chatAlt: null,
  participant: null,
  participantAlt: null,
  fromMe: false,
  pushName: 'Ana',
  timestamp: NOW_MS / 1000,
  ...change,
})

const KNOWN = [ME, ANA]

export const receiveFacts = (change: Partial<ReceiveFacts> = {}): ReceiveFacts => ({
  me: ME,
  nowMs: NOW_MS,
  resolve: (jid) => KNOWN.find((person) => person.jid === jid || person.lid === jid) ?? idsOf(jid),
  findOriginal: () => null,
  ...change,
})

/** Reads a message that must be one. */
export function receive(
  message: proto.IMessage,
  change: Partial<Envelope> = {},
  facts: Partial<ReceiveFacts> = {},
): ReceivedMessage {
  const received = fromNetwork(envelope(change), overTheWire(message), receiveFacts(facts))
  if (!received) throw new Error('this is not a message')
  return received
}

export const uploaded = (change: Partial<UploadedMedia> = {}): UploadedMedia => ({
  url: 'https://mmg.whatsapp.net/v/t62.7118-24/1?ccb=11-4',
  directPath: '/v/t62.7118-24/1?ccb=11-4',
  mediaKey: new Uint8Array(32).fill(1),
  mediaKeyTimestamp: 1_767_000_000,
  fileSha256: new Uint8Array(32).fill(2),
  fileEncSha256: new Uint8Array(32).fill(3),
  fileLength: 4096,
  mimetype: 'image/png',
  ...change,
})

export const sendFacts = (media: UploadedMedia[] = []): SendFacts => ({
  nowMs: NOW_MS,
  messageSecret: new Uint8Array(32).fill(7),
  media,
  chat: ANA.jid,
  me: ME.jid,
  context: {},
})
