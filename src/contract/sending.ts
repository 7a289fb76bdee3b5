// Sending: the nine send endpoints and the bounds of what they carry (spec 4.1, decisions 6).
import { z } from 'zod'
import { groupJid, instanceName, number, plainText, success, timestamp } from './fields.ts'
import type { Reason } from './reasons.ts'
import { route } from './route.ts'

export const MESSAGE_KINDS = [
  'text',
  'image',
  'video',
  'document',
  'audio',
  'button',
  'list',
  'cta',
  'carousel',
  'location',
  'poll',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

export const MESSAGE_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'played',
  'failed',
] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export const FAILURE_REASONS = [
  'number_not_on_network',
  'rejected_by_network',
  'account_restricted',
  'media_unavailable',
  'media_too_large',
  'expired',
  'canceled',
  'instance_deleted',
  'logged_out',
  'internal',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

export const Failure = z
  .object({
    reason: z.enum(FAILURE_REASONS),
    error: z.string().meta({ description: 'A sentence for people' }),
    code: z.int().nullable().meta({ description: "The network's code, with `rejected_by_network`" }),
  })
  .meta({ id: 'Failure', description: 'Why a message failed' })

const delay = z.int().min(0).max(60_000).optional()
const typingDelay = delay.meta({
  description: 'Typing shown before the message leaves, in ms; omitted: a random time from 3000 to 5000',
  examples: [1200],
})
const noDelay = delay.meta({
  description: 'Typing shown before the message leaves, in ms; omitted: 0',
  examples: [0],
})

/** Text that people read: anything but emptiness. Line breaks are welcome. */
const text = (max: number) => z.string().min(1).max(max)
const shortText = text(1024).optional()

const mediaUrl = z
  .string()
  .max(2048)
  .meta({ description: 'Address of the file, http or https', examples: ['https://example.com/photo.jpg'] })

const interactiveType = z.literal('interactive').optional()
const recipient = { instanceName, number }

const replyButton = z.strictObject({
  buttonId: text(256).meta({ examples: ['yes'] }),
  buttonText: z.strictObject({ displayText: text(256).meta({ examples: ['Yes'] }) }),
  type: z.int().optional(),
})

export const TextBody = z
  .strictObject({
    ...recipient,
    type: z.literal('text').optional(),
    message: text(65_536).meta({ description: 'The text; emojis and markdown-style formatting are kept' }),
    delay: typingDelay,
  })
  .meta({
    id: 'SendText',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        type: 'text',
        message: 'Hello *there* 👋',
      },
    ],
  })

export const MediaBody = z
  .strictObject({
    ...recipient,
    type: z.enum(['image', 'video', 'document', 'audio']),
    mediaUrl,
    message: z.string().max(1024).optional().meta({ description: 'Caption; ignored for `audio`' }),
    fileName: plainText(1, 255)
      .refine((name) => !/[/\\]/.test(name), { error: 'must not contain a path' })
      .optional(),
    mimetype: z
      .string()
      .max(127)
      .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+=[\w".-]+)*$/, { error: 'expected <type>/<subtype>' })
      .optional()
      .meta({ description: 'Replaces the type found in the file', examples: ['application/pdf'] }),
    delay: typingDelay,
  })
  .meta({
    id: 'SendMedia',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        type: 'document',
        mediaUrl: 'https://example.com/invoice.pdf',
        message: 'Your invoice',
        fileName: 'invoice.pdf',
      },
    ],
  })

export const ButtonBody = z
  .strictObject({
    ...recipient,
    type: interactiveType,
    interactive: z.strictObject({
      type: z.literal('button').optional(),
      title: shortText,
      body: text(1024),
      footer: shortText,
      buttons: z
        .array(replyButton)
        .min(1)
        .max(3)
        .refine((buttons) => unique(buttons.map((button) => button.buttonId)), {
          error: 'buttonId must be unique',
        }),
    }),
    delay: noDelay,
  })
  .meta({
    id: 'SendButton',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        type: 'interactive',
        interactive: {
          type: 'button',
          title: 'Delivery',
          body: 'Is tomorrow fine?',
          footer: 'Reply within a day',
          buttons: [
            { buttonId: 'yes', buttonText: { displayText: 'Yes' }, type: 1 },
            { buttonId: 'no', buttonText: { displayText: 'No' }, type: 1 },
          ],
        },
      },
    ],
  })

const listSection = z.strictObject({
  title: shortText,
  rows: z
    .array(z.strictObject({ title: text(256), description: shortText, rowId: text(256) }))
    .min(1)
    .max(10),
})

export const ListBody = z
  .strictObject({
    ...recipient,
    type: interactiveType,
    interactive: z.strictObject({
      type: z.literal('list').optional(),
      title: shortText,
      text: text(1024),
      buttonText: text(256).meta({ description: 'Label of the toggle that opens the list' }),
      sections: z
        .array(listSection)
        .min(1)
        .max(10)
        .refine((sections) => rowIds(sections).length <= 10, {
          error: 'at most 10 rows in all sections together',
        })
        .refine((sections) => unique(rowIds(sections)), { error: 'rowId must be unique' }),
      footerText: shortText,
    }),
    delay: noDelay,
  })
  .meta({
    id: 'SendList',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        type: 'interactive',
        interactive: {
          type: 'list',
          title: 'Menu',
          text: 'What would you like?',
          buttonText: 'Open',
          sections: [{ title: 'Drinks', rows: [{ title: 'Coffee', description: 'Hot', rowId: 'coffee' }] }],
          footerText: 'Open until 18:00',
        },
      },
    ],
  })

const ctaButton = z
  .strictObject({
    index: z.int().min(0).optional(),
    urlButton: z
      .strictObject({
        displayText: text(256),
        url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }).max(2048),
      })
      .optional(),
    callButton: z
      .strictObject({
        displayText: text(256),
        phoneNumber: z
          .string()
          .regex(/^\+?[\d ()-]{7,24}$/, { error: 'expected an international phone number' }),
      })
      .optional(),
  })
  .refine((button) => (button.urlButton === undefined) !== (button.callButton === undefined), {
    error: 'exactly one of urlButton and callButton',
  })

export const CtaBody = z
  .strictObject({
    ...recipient,
    type: interactiveType,
    interactive: z.strictObject({
      type: z.literal('cta').optional(),
      body: text(1024),
      title: shortText,
      footer: shortText,
      buttons: z.array(ctaButton).min(1).max(3),
    }),
    delay: noDelay,
  })
  .meta({
    id: 'SendCta',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        type: 'interactive',
        interactive: {
          type: 'cta',
          body: 'Need help?',
          buttons: [
            { index: 0, urlButton: { displayText: 'Our site', url: 'https://example.com' } },
            { index: 1, callButton: { displayText: 'Call us', phoneNumber: '+5511912345678' } },
          ],
        },
      },
    ],
  })

export const CarouselBody = z
  .strictObject({
    ...recipient,
    type: interactiveType,
    interactive: z.strictObject({
      type: z.literal('carousel').optional(),
      body: text(1024).meta({ description: 'Text above the cards' }),
      cards: z
        .array(
          z.strictObject({
            header: z.strictObject({ type: z.literal('image').optional(), mediaUrl }),
            body: text(1024),
            buttons: z.array(replyButton).min(1).max(3),
          }),
        )
        .min(1)
        .max(10),
    }),
    delay: noDelay,
  })
  .meta({
    id: 'SendCarousel',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        type: 'interactive',
        interactive: {
          type: 'carousel',
          body: 'This week',
          cards: [
            {
              header: { type: 'image', mediaUrl: 'https://example.com/shoe.jpg' },
              body: 'Shoe, 49',
              buttons: [{ buttonId: 'buy-shoe', buttonText: { displayText: 'Buy' }, type: 1 }],
            },
          ],
        },
      },
    ],
  })

export const LocationBody = z
  .strictObject({
    ...recipient,
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: shortText.meta({ description: 'Title of the location' }),
    address: shortText,
    delay: noDelay,
  })
  .meta({
    id: 'SendLocation',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        latitude: -23.5614,
        longitude: -46.6559,
        name: 'Our shop',
        address: 'Avenida Paulista 1000',
      },
    ],
  })

export const PollBody = z
  .strictObject({
    ...recipient,
    pollName: text(1024).meta({ description: 'The question' }),
    options: z
      .array(text(256))
      .min(2)
      .max(12)
      .refine((options) => unique(options), { error: 'options must be distinct' }),
    selectableCount: z
      .int()
      .min(1)
      .max(12)
      .default(1)
      .meta({ description: 'Answers that one voter may select' }),
    delay: noDelay,
  })
  .refine((body) => body.selectableCount <= body.options.length, {
    path: ['selectableCount'],
    error: 'at most the number of options',
  })
  .meta({
    id: 'SendPoll',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        pollName: 'Which day?',
        options: ['Monday', 'Tuesday'],
        selectableCount: 1,
      },
    ],
  })

export const GroupBody = z
  .strictObject({ instanceName, groupJid, message: text(65_536), delay: noDelay })
  .meta({
    id: 'SendGroup',
    examples: [
      { instanceName: 'support-k3v9x2ma', groupJid: '120363000000000000@g.us', message: 'Hello everyone' },
    ],
  })

export const SendAnswer = z
  .object({
    success,
    messageId: z.string().meta({ description: 'The id that the network sees; the same on every try' }),
    status: z.enum(MESSAGE_STATUSES),
    instanceName: z.string().meta({ description: 'Unique API name of the instance' }),
    number: z.string().optional().meta({ description: 'The recipient, digits only; absent for a group' }),
    groupJid: z.string().optional().meta({ description: 'The group; absent for a number' }),
    type: z.enum(MESSAGE_KINDS),
    createdAt: timestamp,
  })
  .meta({
    id: 'SendAnswer',
    description: 'Committed to disk: the message will be sent, or reported failed.',
    examples: [
      {
        success: true,
        messageId: '3EB0A1B2C3D4E5F60718',
        status: 'queued',
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        type: 'text',
        createdAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  })

function unique(values: string[]): boolean {
  return new Set(values).size === values.length
}
function rowIds(sections: { rows: { rowId: string }[] }[]): string[] {
  return sections.flatMap((section) => section.rows.map((row) => row.rowId))
}

const REFUSALS: readonly Reason[] = [
  'instance_not_found',
  'instance_not_connected',
  'limit_reached',
  'queue_full',
]

const send = <const Id extends string, const Path extends string, Body extends z.ZodType>(
  id: Id,
  path: Path,
  body: Body,
  summary: string,
  reasons: readonly Reason[] = REFUSALS,
) =>
  route({
    id,
    area: 'api',
    method: 'POST',
    path,
    tag: 'Sending',
    summary,
    scopes: ['send'],
    idempotent: true,
    body,
    answer: SendAnswer,
    reasons,
  })

const WITH_MEDIA: readonly Reason[] = [...REFUSALS, 'url_not_allowed']

export const sendText = send('sendText', '/send/text', TextBody, 'Send a text')
export const sendMedia = send(
  'sendMedia',
  '/send/media',
  MediaBody,
  'Send an image, video, document or audio',
  WITH_MEDIA,
)
export const sendButton = send('sendButton', '/send/button', ButtonBody, 'Send reply buttons')
export const sendList = send('sendList', '/send/list', ListBody, 'Send a list menu')
export const sendCta = send('sendCta', '/send/cta', CtaBody, 'Send call-to-action buttons')
export const sendCarousel = send(
  'sendCarousel',
  '/send/carousel',
  CarouselBody,
  'Send a carousel of cards',
  WITH_MEDIA,
)
export const sendLocation = send('sendLocation', '/send-location', LocationBody, 'Send a location')
export const sendPoll = send('sendPoll', '/send-poll', PollBody, 'Send a poll')
export const sendGroup = send('sendGroup', '/send-group', GroupBody, 'Send a text to a group')
