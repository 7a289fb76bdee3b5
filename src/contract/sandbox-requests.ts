// Bodies, queries and parameters of `/sandbox/v1`.
import { z } from 'zod'
import { number as phoneNumber, queryInteger } from './fields.ts'
import { STATUS_CHAT } from './message-values.ts'
import { order, product } from './sandbox-catalogue.ts'
import { linkingVariant } from './sandbox-linking.ts'
import { location, PRIVACY_VALUES } from './sandbox-world.ts'

const groupJid = z.string().regex(/^\d{1,25}(-\d{5,15})?@g\.us$/, 'must be a group id')
export const chat = z.union([groupJid, phoneNumber])
export const messageId = z.string().min(1).max(128)
export const waitMs = queryInteger(0, 30_000, 0).meta({
  description: 'Milliseconds to wait until the answer is not empty, 0 to 30000',
})
/** A sequence number in the log of frames or of typing. */
const cursor = queryInteger(0, 999_999_999_999_999, 0)
const digits = z.string().regex(/^\d{1,15}$/, 'expected a whole number')
const optionalCursor = digits.transform(Number).optional()
const base64 = z.base64().max(1_400_000)

export const phoneParams = z.strictObject({ number: phoneNumber })
export const groupParams = z.strictObject({ jid: groupJid })
export const messageParams = z.strictObject({ number: phoneNumber, id: messageId })

export const createPhone = z
  .strictObject({
    number: phoneNumber,
    name: z.string().min(1).max(100).optional(),
  })
  .meta({ examples: [{ number: '5511912345678', name: 'Ana' }] })
export const scanQr = z
  .strictObject({
    qr: z.string().min(1).max(2048).optional().meta({ description: 'The login code, as text' }),
    instanceName: z.string().min(1).max(100).optional().meta({
      description:
        'The instance that shows the code, instead of the code itself. Understood by the gateway only',
    }),
  })
  .refine(
    ({ qr, instanceName }) => (qr === undefined) !== (instanceName === undefined),
    'must carry exactly one of qr, instanceName',
  )
  .meta({ examples: [{ instanceName: 'support-k3v9x2ma' }] })
export const enterCode = z
  .strictObject({ code: z.string().min(8).max(16) })
  .meta({ examples: [{ code: 'ABCD1234' }] })

export const listMessages = z.strictObject({
  after: z.string().max(128).optional().meta({
    description: 'A cursor from an earlier answer, or a message id. Only later messages are listed',
  }),
  chat: z.union([chat, z.literal(STATUS_CHAT)]).optional(),
  limit: queryInteger(1, 1000, 200).meta({
    description: 'A page contains fewer messages where they would exceed 4 MB',
  }),
  from: z.enum(['start', 'end']).default('start').meta({
    description:
      'The end that the limit counts from. With `end` the latest messages are listed, oldest first',
  }),
  before: optionalCursor.meta({ description: 'The `seq` of a message. Only earlier messages are listed' }),
  waitMs,
})
export const listChats = z.strictObject({
  page: queryInteger(1, 1_000_000, 1),
  limit: queryInteger(1, 200, 50),
})
export const getMedia = z.strictObject({
  card: digits
    .transform(Number)
    .optional()
    .meta({ description: 'The index of a carousel card, from 0, whose picture is returned' }),
})
export const listChanges = z.strictObject({
  after: z.string().max(64).optional().meta({
    description:
      'The `cursor` of an earlier answer. Without it the answer comes at once, with a cursor for the next call',
  }),
  waitMs,
})
export const watchMessage = z.strictObject({
  status: z.enum(['delivered', 'read', 'played']).optional(),
  waitMs,
})

export const media = z.strictObject({
  type: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
  base64,
  caption: z.string().max(1024).optional(),
  mimetype: z.string().max(128).optional(),
  fileName: z.string().max(255).optional(),
  voiceNote: z.boolean().optional(),
  videoNote: z.boolean().optional().meta({ description: 'The round form of a short video' }),
  viewOnce: z.boolean().optional(),
  seconds: z.number().int().min(0).optional(),
})
const contact = z.strictObject({ name: z.string().min(1).max(256), number: phoneNumber })
const poll = z.strictObject({
  name: z.string().min(1).max(255),
  options: z.array(z.string().min(1).max(100)).min(2).max(12),
  selectableCount: z.number().int().min(0).max(12).default(1),
})
const time = z.iso.datetime({ offset: true })
const event = z.strictObject({
  name: z.string().min(1).max(100),
  description: z.string().max(2048).optional(),
  startsAt: time,
  endsAt: time.optional(),
  place: z.string().max(1000).optional(),
  canceled: z.boolean().optional(),
})
const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()

/** The file itself is the body; its `Content-Type` is the media type. */
export const sendMedia = z.strictObject({
  to: chat,
  type: media.shape.type,
  caption: media.shape.caption,
  fileName: media.shape.fileName,
  voiceNote: flag,
  videoNote: flag,
  viewOnce: flag,
  seconds: queryInteger(0, 86_400, 0).optional(),
  quoted: messageId.optional(),
})

const adText = z.string().min(1).max(2048)
const ad = z
  .strictObject({
    sourceId: adText.meta({ description: 'The advertisement' }),
    ctwaClid: adText.optional().meta({ description: 'The click' }),
    sourceUrl: adText.optional(),
    sourceApp: adText.optional(),
    title: adText.optional(),
    body: adText.optional(),
  })
  .meta({ description: 'The advertisement that the person tapped before writing' })

const SENT_PARTS = [
  'text',
  'media',
  'location',
  'contact',
  'poll',
  'event',
  'order',
  'product',
  'album',
] as const
export const sendMessage = z
  .strictObject({
    to: chat,
    text: z.string().min(1).max(65_536).optional(),
    media: media.optional(),
    location: location.optional(),
    contact: contact.optional(),
    poll: poll.optional(),
    event: event.optional(),
    order: order.optional().meta({ description: 'An order from the catalogue of the recipient' }),
    product: product.optional().meta({ description: 'A product of the catalogue of the recipient' }),
    album: z
      .strictObject({
        images: z.int().min(0).max(100).default(0),
        videos: z.int().min(0).max(100).default(0),
      })
      .optional()
      .meta({ description: 'Announces an album; its files are sent after it, with its id in `albumId`' }),
    albumId: messageId.optional().meta({ description: 'With `media`: the album that the file belongs to' }),
    quoted: messageId.optional().meta({ description: 'The id of the message that this one quotes' }),
    ad: ad.optional(),
  })
  .refine(
    (message) => SENT_PARTS.filter((part) => message[part] !== undefined).length === 1,
    `must carry exactly one of ${SENT_PARTS.join(', ')}`,
  )
  .meta({ examples: [{ to: '5521987654321', text: 'Olá 👋' }] })

/** Any message content of the protocol as JSON, for tests that the other calls do not cover, such as forged messages. */
export const sendContent = z
  .strictObject({
    to: chat,
    content: z.record(z.string(), z.unknown()).optional(),
    protobuf: base64.optional().meta({
      description:
        'The encoded message in base64, for content that JSON requests cannot contain, such as a NUL',
    }),
  })
  .refine(
    ({ content, protobuf }) => (content === undefined) !== (protobuf === undefined),
    'must carry exactly one of content, protobuf',
  )
  .meta({ examples: [{ to: '5521987654321', content: { conversation: 'Olá' } }] })

export const saveContact = z
  .strictObject({ number: phoneNumber, name: z.string().min(1).max(100) })
  .meta({ examples: [{ number: '5521987654321', name: 'Ben' }] })
export const getPicture = z.strictObject({
  of: chat.optional().meta({
    description: 'A number or a group whose picture the phone shows; by default its own picture',
  }),
  id: z.string().max(64).optional().meta({
    description: 'The `pictureId`. An earlier picture is not found, so an answer belongs to its URL',
  }),
})
export const setPicture = z.strictObject({ base64: base64.nullable() }).meta({ examples: [{ base64: null }] })
/** The longest timer that phones offer is 90 days. */
const timerSeconds = z.number().int().min(0).max(7_776_000)
const privacy = z.strictObject({
  last: z.enum(PRIVACY_VALUES.last).optional(),
  online: z.enum(PRIVACY_VALUES.online).optional(),
  profile: z.enum(PRIVACY_VALUES.profile).optional(),
  status: z.enum(PRIVACY_VALUES.status).optional(),
  readreceipts: z.enum(PRIVACY_VALUES.readreceipts).optional(),
  groupadd: z.enum(PRIVACY_VALUES.groupadd).optional(),
  calladd: z.enum(PRIVACY_VALUES.calladd).optional(),
  messages: z.enum(PRIVACY_VALUES.messages).optional(),
})
const business = z.strictObject({
  description: z.string().max(512).optional(),
  category: z.string().max(100).optional(),
  address: z.string().max(256).optional(),
  email: z.string().max(128).optional(),
  website: z.string().max(256).optional(),
})
export const changePhone = z
  .strictObject({
    about: z.string().max(139).optional().meta({ description: 'The text that the profile shows' }),
    privacy: privacy.optional().meta({
      description: 'What others may do and see, in the terms of the network. Contacts are the address book',
    }),
    disappearingSeconds: timerSeconds.optional().meta({
      description: 'The timer that new chats start with; 0 for none',
    }),
    business: business.nullable().optional().meta({ description: 'The business profile; `null` for none' }),
    hidesNumber: z.boolean().optional().meta({
      description: 'Others see the hidden id instead of the number, with the addressing mode `lid`',
    }),
    username: z
      .string()
      .regex(/^[a-z\d._]{3,30}$/, 'expected 3 to 30 lower-case letters, digits, dots and underscores')
      .nullable()
      .optional()
      .meta({ description: 'The name that others see beside a hidden number; `null` for none' }),
  })
  .meta({ examples: [{ privacy: { groupadd: 'contacts' } }] })
export const blockPerson = z
  .strictObject({ number: phoneNumber, blocked: z.boolean().default(true) })
  .meta({ examples: [{ number: '5521987654321' }] })
export const listTyping = z.strictObject({ after: cursor, waitMs })

export const createGroup = z
  .strictObject({
    subject: z.string().min(1).max(100),
    members: z.array(phoneNumber).min(1).max(1024),
    admin: phoneNumber,
  })
  .meta({ examples: [{ subject: 'Team', members: ['5521987654321'], admin: '5511912345678' }] })
const by = phoneNumber.optional().meta({
  description:
    'The number of the member who does this; by default the creator, or the first admin after the creator has left',
})
const people = z.array(phoneNumber).min(1).max(1024)
export const changeGroup = z
  .strictObject({
    by,
    subject: z.string().min(1).max(100).optional(),
    description: z.string().max(2048).optional(),
    announcement: z.boolean().optional().meta({ description: 'Only admins send messages' }),
    locked: z
      .boolean()
      .optional()
      .meta({ description: 'Only admins change subject, description, picture and timer' }),
    joinApproval: z.boolean().optional().meta({ description: 'Admins approve new members' }),
    memberAdd: z.enum(['admins', 'all']).optional().meta({ description: 'Who adds members' }),
    disappearingSeconds: timerSeconds
      .optional()
      .meta({ description: 'The timer of new messages; 0 for none' }),
    pictureBase64: base64.nullable().optional(),
  })
  .meta({ examples: [{ subject: 'The team' }] })
export const changeMembers = z
  .strictObject({ by, change: z.enum(['add', 'remove', 'promote', 'demote']), members: people })
  .meta({ examples: [{ change: 'add', members: ['5521987654321'] }] })
export const answerRequests = z
  .strictObject({ by, action: z.enum(['approve', 'reject']), members: people })
  .meta({ examples: [{ action: 'approve', members: ['5521987654321'] }] })
export const inviteToGroup = z
  .strictObject({ by, members: people, caption: z.string().max(1024).optional() })
  .meta({ examples: [{ members: ['5521987654321'] }] })
export const resetInvite = z.strictObject({ by }).meta({ examples: [{}] })
export const joinGroup = z
  .strictObject({
    code: z.string().min(1).max(64).optional().meta({ description: 'The code of an invite link' }),
    messageId: messageId.optional().meta({ description: 'A message with a personal invitation' }),
  })
  .refine(
    ({ code, messageId: message }) => (code === undefined) !== (message === undefined),
    'must carry exactly one of code, messageId',
  )
  .meta({ examples: [{ code: 'AbCdEfGhIjKlMnOpQrStUv' }] })
export const leaveGroup = z
  .strictObject({ number: phoneNumber })
  .meta({ examples: [{ number: '5521987654321' }] })

export const createFault = z
  .discriminatedUnion('kind', [
    z.strictObject({
      number: phoneNumber,
      kind: z.literal('disconnect'),
      code: z.number().int().min(400).max(599).optional().meta({
        description:
          'The code of the stream error, such as 503 or 515. Without it the socket closes without an error',
      }),
    }),
    z.strictObject({
      number: phoneNumber,
      kind: z.literal('reject'),
      code: z.number().int().min(400).max(999).default(500),
      count: z.number().int().min(1).optional().meta({ description: 'How many are refused; all by default' }),
    }),
    z.strictObject({
      number: phoneNumber,
      /**
       * Logins fail with that code: 503 while the network is down, 402 for an account that is banned for a while, 403 for one
       * that is banned, 405 for a client that is too old.
       */
      kind: z.literal('refuse'),
      code: z.number().int().min(400).max(599).default(503),
      seconds: z.number().int().min(1).max(31_536_000).optional().meta({
        description:
          'The refusal ends after this many seconds. With code 402 the client gets the remaining time',
      }),
      count: z.number().int().min(1).optional().meta({ description: 'How many are refused; all by default' }),
    }),
    /** As when another client logs in with the same credentials. */
    z.strictObject({ number: phoneNumber, kind: z.literal('replace') }),
    z.strictObject({ number: phoneNumber, kind: z.literal('silent') }),
    z.strictObject({ number: phoneNumber, kind: z.literal('offline') }),
    z.strictObject({ number: phoneNumber, kind: z.literal('unlink') }),
    z.strictObject({
      number: phoneNumber,
      kind: z.literal('linking'),
      variant: linkingVariant.meta({
        description: 'What goes wrong the next time that the phone links a client',
      }),
    }),
    z.strictObject({
      number: phoneNumber,
      kind: z.literal('restrict'),
      seconds: z.number().int().min(1).max(31_536_000).default(86_400),
    }),
  ])
  .meta({ examples: [{ number: '5511912345678', kind: 'disconnect' }] })
export const clearFaults = z.strictObject({
  number: phoneNumber.optional(),
  kind: z.enum(['reject', 'refuse', 'restrict', 'silent', 'offline', 'linking']).optional().meta({
    description: 'Only faults of this kind; all lasting faults by default',
  }),
})
const clientVersion = z
  .string()
  .regex(/^2\.3000\.\d{1,9}$|^2\.3000\.[1-3]\d{9}$/, 'must be a version such as 2.3000.1023456789')
export const setNetwork = z
  .strictObject({
    addressing: z.enum(['pn', 'lid']).optional(),
    minimumVersion: clientVersion.nullable().optional().meta({
      description: 'Logins of older clients fail with 405; `null`: every version may log in',
    }),
    announcedVersion: clientVersion.nullable().optional().meta({
      description:
        'The version on the page that clients read; `null`: the usual one, or `minimumVersion` if that is newer',
    }),
  })
  .refine((body) => Object.keys(body).length > 0, 'must carry at least one field')
  .meta({ examples: [{ addressing: 'pn' }] })
export const listFrames = z.strictObject({
  after: cursor,
  id: messageId.optional(),
  number: phoneNumber.optional(),
  tag: z.enum(['message', 'receipt', 'ack', 'notification', 'call']).optional(),
  limit: queryInteger(1, 10_000, 1000),
})
