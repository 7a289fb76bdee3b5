// Any message that the contract allows reaches the other side, and no received content stops the gateway.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proto } from 'baileys'
import * as fc from 'fast-check'
import type { z } from 'zod'
import type { CheckUrl } from '../../src/context.ts'
import { EventSendBody } from '../../src/contract/event-send-body.ts'
import { EVENT_DATA } from '../../src/contract/events.ts'
import * as bodies from '../../src/contract/message-bodies.ts'
import { RECEIVED_TYPES } from '../../src/contract/messages.ts'
import { STATUS_FONTS, StatusBody } from '../../src/contract/status-body.ts'
import type { OutgoingContent, ReceivedMessage } from '../../src/network/message.ts'
import type { OutgoingMessage } from '../../src/sending/accept.ts'
import * as outgoing from '../../src/sending/outgoing.ts'
import { fromNetwork } from '../../src/whatsapp/from-network/index.ts'
import { toNetwork } from '../../src/whatsapp/to-network/index.ts'
import { mediaRequests } from '../../src/whatsapp/to-network/uploaded-media.ts'
import {
  envelope,
  overTheWire,
  receive,
  receiveFacts,
  sendFacts,
  uploaded,
} from '../support/wire-messages.ts'

const words = (max = 40) => fc.string({ unit: 'binary', minLength: 1, maxLength: max })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const to = { instanceName: fc.constant('support-1'), number: fc.constant('5511912345678') }
const everyUrl: CheckUrl = (text) => ({ href: text })
const url = fc.webUrl({ validSchemes: ['https'], withQueryParameters: true })
const button = fc.record({
  buttonId: words(),
  buttonText: fc.record({ displayText: words() }),
  type: maybe(fc.constant(1)),
})
const header = fc.oneof(
  fc.record({ type: fc.constantFrom('image', 'video'), mediaUrl: url }),
  fc.record({ type: fc.constant('document'), mediaUrl: url, fileName: maybe(fc.constant('plan.pdf')) }),
)
const buttons = fc.uniqueArray(button, { minLength: 1, maxLength: 3, selector: ({ buttonId }) => buttonId })

/** The kinds whose words are all there on the other side, and where they are put in. */
interface Kind<S extends z.ZodType> {
  schema: S
  body: fc.Arbitrary<unknown>
  toOutgoing: (body: z.output<S>) => OutgoingMessage
  text: (body: z.output<S>) => string | null
}
const kind = <S extends z.ZodType>(described: Kind<S>) => ({
  body: described.body,
  run: (input: unknown) => {
    // Content that the schema refuses is not a case here. With these bounds it refuses nothing, and an error shows if it does.
    const body = described.schema.parse(input)
    return { stored: described.toOutgoing(body), text: described.text(body) }
  },
})

const KINDS = {
  text: kind({
    schema: bodies.TextBody,
    body: fc.record({ ...to, message: words(2000), delay: fc.constant(0) }),
    toOutgoing: outgoing.textMessage,
    text: ({ message }) => message,
  }),
  media: kind({
    schema: bodies.MediaBody,
    body: fc.record({
      ...to,
      type: fc.constantFrom('image', 'video', 'document', 'audio'),
      mediaUrl: url,
      message: maybe(fc.oneof(fc.constant(''), words(200))),
      mimetype: maybe(fc.constantFrom('image/png', 'audio/ogg; codecs=opus', 'application/pdf')),
      delay: fc.constant(0),
    }),
    toOutgoing: (body) => outgoing.mediaMessage({ ...body, type: body.type ?? 'document' }, everyUrl),
    text: ({ type, message }) => (type === 'audio' ? null : message || null),
  }),
  button: kind({
    schema: bodies.ButtonBody,
    body: fc.record({
      ...to,
      interactive: fc.record({
        header: maybe(header),
        title: maybe(words()),
        body: words(200),
        footer: maybe(words()),
        buttons,
      }),
    }),
    toOutgoing: (body) => outgoing.buttonMessage(body, everyUrl),
    text: ({ interactive }) => interactive.body,
  }),
  list: kind({
    schema: bodies.ListBody,
    body: fc.record({
      ...to,
      interactive: fc.record({
        title: maybe(words()),
        text: words(200),
        buttonText: words(),
        footerText: maybe(words()),
        sections: fc
          .uniqueArray(fc.record({ title: words(), description: maybe(words()), rowId: words() }), {
            minLength: 1,
            maxLength: 10,
            selector: ({ rowId }) => rowId,
          })
          .map((rows) => [{ rows }]),
      }),
    }),
    toOutgoing: outgoing.listMessage,
    text: ({ interactive }) => interactive.text,
  }),
  cta: kind({
    schema: bodies.CtaBody,
    body: fc.record({
      ...to,
      interactive: fc.record({
        header: maybe(header),
        body: words(200),
        buttons: fc.array(
          fc.oneof(
            fc.record({ urlButton: fc.record({ displayText: words(), url }) }),
            fc.record({ copyButton: fc.record({ displayText: words(), copyCode: words() }) }),
            fc.record({
              index: fc.nat(9),
              callButton: fc.record({
                displayText: words(),
                phoneNumber: fc.constant('+55 (11) 91234-5678'),
              }),
            }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    }),
    toOutgoing: (body) => outgoing.ctaMessage(body, everyUrl),
    text: ({ interactive }) => interactive.body,
  }),
  carousel: kind({
    schema: bodies.CarouselBody,
    body: fc.record({
      ...to,
      interactive: fc.record({
        body: words(200),
        cards: fc.array(fc.record({ header: fc.record({ mediaUrl: url }), body: words(), buttons }), {
          minLength: 1,
          maxLength: 10,
        }),
      }),
    }),
    toOutgoing: (body) => outgoing.carouselMessage(body, everyUrl),
    text: ({ interactive }) => interactive.body,
  }),
  pix: kind({
    schema: bodies.PixBody,
    body: fc.record({
      ...to,
      merchantName: fc.string({ minLength: 1, maxLength: 100 }),
      keyType: fc.constant('email'),
      key: fc.constant('shop@example.com'),
    }),
    toOutgoing: outgoing.pixMessage,
    text: () => null,
  }),
  location: kind({
    schema: bodies.LocationBody,
    body: fc.record({
      ...to,
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      name: maybe(words()),
      address: maybe(words()),
    }),
    toOutgoing: outgoing.locationMessage,
    text: () => null,
  }),
  poll: kind({
    schema: bodies.PollBody,
    body: fc.record({
      ...to,
      pollName: words(200),
      options: fc.uniqueArray(words(), { minLength: 2, maxLength: 12 }),
      selectableCount: fc.constantFrom(1, 2),
    }),
    toOutgoing: outgoing.pollMessage,
    text: ({ pollName }) => pollName,
  }),
  event: kind({
    schema: EventSendBody,
    body: fc.record({
      ...to,
      name: words(200),
      description: maybe(words(200)),
      startsAt: fc
        .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((time) => time.toISOString()),
      place: maybe(words()),
    }),
    toOutgoing: outgoing.eventMessage,
    text: ({ name }) => name,
  }),
  status: kind({
    schema: StatusBody,
    body: fc.record({
      instanceName: fc.constant('support-1'),
      message: words(300),
      font: maybe(fc.constantFrom(...STATUS_FONTS)),
    }),
    toOutgoing: (body) => outgoing.statusMessage(body, everyUrl),
    text: ({ message = null }) => message,
  }),
}

/** As the queue keeps it and the driver takes it out again. */
function storedContent({ kind, content }: OutgoingMessage): OutgoingContent {
  const taken: OutgoingContent = JSON.parse(JSON.stringify({ kind, content }))
  return taken
}

/** As the event of a received message is made. */
const asEvent = ({ media, sentAtMs, fromMe, id, target, ...rest }: ReceivedMessage) => ({
  ...rest,
  target: target ? { messageId: target.messageId, direction: null, author: target.author } : null,
  messageId: id,
  direction: fromMe ? 'outgoing' : 'incoming',
  media: media && { ...media, downloadPath: `/messages/${id}/media` },
  status: null,
  sentAt: new Date(sentAtMs).toISOString(),
})

/** NUL is the one character that no store takes. */
const withoutNul = (text: string | null): string | null => text?.replaceAll('\0', '') || null

describe('any content that the contract allows', () => {
  for (const [name, { body, run }] of Object.entries(KINDS)) {
    test(`${name}: converts, survives encoding and fits the event`, () => {
      fc.assert(
        fc.property(body, (input) => {
          const { stored, text } = run(input)
          const content = storedContent(stored)
          const media = mediaRequests(content).map(() => uploaded())
          const received = receive(toNetwork(content, sendFacts(media)).message)
          assert.equal(received.text, withoutNul(text))
          EVENT_DATA['messages.upsert'].parse(asEvent(received))
        }),
      )
    })
  }
})

const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constant(null))
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constant('a\0b'), fc.constant(null))
const anyJid = fc.constantFrom('1@lid', '5511@s.whatsapp.net', '1-2@g.us', 'x', '', '@', ':@lid', null)
const anyBytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(null))
const part = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.option(fc.record(fields, { requiredKeys: [] }), { nil: null })
const contextInfo = part({
  stanzaId: anyText,
  participant: anyJid,
  mentionedJid: fc.array(anyJid.map(String), { maxLength: 3 }),
  quotedMessage: part({ conversation: anyText }),
})
const key = part({ id: anyText, remoteJid: anyJid, participant: anyJid, fromMe: fc.boolean() })
const file = {
  url: anyText,
  directPath: anyText,
  mimetype: anyText,
  caption: anyText,
  fileName: anyText,
  mediaKey: anyBytes,
  fileSha256: anyBytes,
  fileLength: fc.nat(),
  contextInfo,
}
const anyContent = fc.record(
  {
    conversation: anyText,
    extendedTextMessage: part({ text: anyText, matchedText: anyText, contextInfo }),
    imageMessage: part(file),
    videoMessage: part(file),
    documentMessage: part(file),
    audioMessage: part(file),
    stickerMessage: part(file),
    locationMessage: part({ degreesLatitude: anyNumber, degreesLongitude: anyNumber, name: anyText }),
    contactMessage: part({ displayName: anyText, vcard: anyText }),
    eventMessage: part({ name: anyText, description: anyText, joinLink: anyText }),
    contactsArrayMessage: part({ contacts: fc.array(part({ vcard: anyText }).map((card) => card ?? {})) }),
    pollCreationMessage: part({ name: anyText, options: fc.array(fc.record({ optionName: anyText })) }),
    pollUpdateMessage: part({
      pollCreationMessageKey: key,
      vote: part({ encPayload: anyBytes, encIv: anyBytes }),
    }),
    reactionMessage: part({ key, text: anyText }),
    protocolMessage: part({ key, type: fc.nat(40), editedMessage: part({ conversation: anyText }) }),
    interactiveResponseMessage: part({
      nativeFlowResponseMessage: part({ name: anyText, paramsJson: fc.oneof(anyText, fc.json()) }),
    }),
    interactiveMessage: part({
      header: part({ title: anyText }),
      body: part({ text: anyText }),
      nativeFlowMessage: part({
        buttons: fc.array(
          fc.record({
            name: fc.constantFrom('quick_reply', 'cta_url', 'cta_call', 'cta_copy', 'payment_info', 'x'),
            buttonParamsJson: fc.oneof(anyText, fc.json()),
          }),
          { maxLength: 4 },
        ),
      }),
    }),
    listResponseMessage: part({ title: anyText, singleSelectReply: part({ selectedRowId: anyText }) }),
    albumMessage: part({ contextInfo }),
    messageContextInfo: part({ messageSecret: anyBytes }),
  },
  { requiredKeys: [] },
)

/** Must not throw, must be JSON, must fit the event. */
function holds(message: proto.IMessage, change: Parameters<typeof envelope>[0]): void {
  const findOriginal = () => ({ secrets: [new Uint8Array(32)], options: ['a'] })
  const received = fromNetwork(envelope(change), message, receiveFacts({ findOriginal }))
  if (received === null) return
  assert.ok(RECEIVED_TYPES.includes(received.type))
  assert.deepEqual(JSON.parse(JSON.stringify(received)), received)
  assert.ok(!JSON.stringify(received).includes(String.raw`\u0000`))
  EVENT_DATA['messages.upsert'].parse(asEvent(received))
}

describe('any content that strangers send', () => {
  const anyEnvelope = fc.record({
    chat: anyJid.map(String),
    chatAlt: anyJid,
    participant: anyJid,
    fromMe: fc.boolean(),
    pushName: anyText,
    timestamp: fc.oneof(fc.double(), fc.constant(null)),
  })

  test('unusual content in unusual envelopes is read without an error and fits the event', () => {
    fc.assert(
      fc.property(anyContent, anyEnvelope, (content, change) => {
        // By way of the wire, since that is what it comes over, and as it is, since the library fills in objects as well.
        holds(overTheWire(proto.Message.fromObject(content)), change)
        holds(proto.Message.fromObject(content), change)
      }),
      { numRuns: 300 },
    )
  })

  test('all bytes that decode to a message are read without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        let message: proto.IMessage
        try {
          message = proto.Message.decode(bytes)
        } catch {
          return
        }
        holds(message, {})
      }),
      { numRuns: 2000 },
    )
  })
})
