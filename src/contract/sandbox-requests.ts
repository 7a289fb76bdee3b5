// Bodies, queries and parameters of `/sandbox/v1`.
import { z } from 'zod'
import { number as phoneNumber, queryInteger } from './fields.ts'
import { location } from './sandbox-world.ts'

const groupJid = z.string().regex(/^\d{1,25}(-\d{5,15})?@g\.us$/, 'must be a group id')
const chat = z.union([groupJid, phoneNumber])
const messageId = z.string().min(1).max(128)
const waitMs = queryInteger(0, 30_000, 0).meta({
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
  chat: chat.optional(),
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

const media = z.strictObject({
  type: z.enum(['image', 'video', 'audio', 'document']),
  base64,
  caption: z.string().max(1024).optional(),
  mimetype: z.string().max(128).optional(),
  fileName: z.string().max(255).optional(),
  voiceNote: z.boolean().optional(),
  seconds: z.number().int().min(0).optional(),
})
const contact = z.strictObject({ name: z.string().min(1).max(256), number: phoneNumber })
const poll = z.strictObject({
  name: z.string().min(1).max(255),
  options: z.array(z.string().min(1).max(100)).min(2).max(12),
  selectableCount: z.number().int().min(0).max(12).default(1),
})

/** The file itself is the body; its `Content-Type` is the media type. */
export const sendMedia = z.strictObject({
  to: chat,
  type: media.shape.type,
  caption: media.shape.caption,
  fileName: media.shape.fileName,
  voiceNote: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  seconds: queryInteger(0, 86_400, 0).optional(),
  quoted: messageId.optional(),
})

export const sendMessage = z
  .strictObject({
    to: chat,
    text: z.string().min(1).max(65_536).optional(),
    media: media.optional(),
    location: location.optional(),
    contact: contact.optional(),
    poll: poll.optional(),
    quoted: messageId.optional().meta({ description: 'The id of the message that this one quotes' }),
  })
  .refine(
    ({ text, media, location, contact, poll }) =>
      [text, media, location, contact, poll].filter((part) => part !== undefined).length === 1,
    'must carry exactly one of text, media, location, contact, poll',
  )
  .meta({ examples: [{ to: '5521987654321', text: 'Olá 👋' }] })

/** Any message content of the protocol as JSON, for tests that the other calls do not cover, such as forged messages. */
export const sendContent = z
  .strictObject({ to: chat, content: z.record(z.string(), z.unknown()) })
  .meta({ examples: [{ to: '5521987654321', content: { conversation: 'Olá' } }] })

export const readChat = z
  .strictObject({
    chat,
    messageId: messageId.optional(),
    played: z.boolean().default(false),
  })
  .meta({ examples: [{ chat: '5521987654321' }] })
export const tapMessage = z
  .strictObject({
    messageId,
    buttonId: z.string().max(256).optional(),
    rowId: z.string().max(256).optional(),
  })
  .refine(
    ({ buttonId, rowId }) => (buttonId === undefined) !== (rowId === undefined),
    'must carry exactly one of buttonId, rowId',
  )
  .meta({ examples: [{ messageId: '3EB0A1B2C3D4E5F60718', buttonId: 'yes' }] })
export const votePoll = z
  .strictObject({ messageId, options: z.array(z.string().max(100)).max(12) })
  .meta({ examples: [{ messageId: '3EB0A1B2C3D4E5F60718', options: ['Monday'] }] })
export const reactTo = z
  .strictObject({ messageId, emoji: z.string().max(32) })
  .meta({ examples: [{ messageId: '3EB0A1B2C3D4E5F60718', emoji: '👍' }] })
export const typeInto = z
  .strictObject({
    chat,
    state: z.enum(['typing', 'recording', 'paused']).default('typing'),
  })
  .meta({ examples: [{ chat: '5521987654321' }] })
export const editMessage = z
  .strictObject({ messageId, text: z.string().min(1).max(65_536) })
  .meta({ examples: [{ messageId: '3EB0A1B2C3D4E5F60718', text: 'Olá!' }] })
export const deleteMessage = z
  .strictObject({ messageId })
  .meta({ examples: [{ messageId: '3EB0A1B2C3D4E5F60718' }] })
export const saveContact = z
  .strictObject({ number: phoneNumber, name: z.string().min(1).max(100) })
  .meta({ examples: [{ number: '5521987654321', name: 'Ben' }] })
export const setPicture = z.strictObject({ base64: base64.nullable() }).meta({ examples: [{ base64: null }] })
export const listTyping = z.strictObject({ after: cursor, waitMs })

export const createGroup = z
  .strictObject({
    subject: z.string().min(1).max(100),
    members: z.array(phoneNumber).min(1).max(1024),
    admin: phoneNumber,
  })
  .meta({ examples: [{ subject: 'Team', members: ['5521987654321'], admin: '5511912345678' }] })
export const changeGroup = z
  .strictObject({
    by: phoneNumber.optional().meta({
      description: 'The number of the admin who makes the change; the creator of the group by default',
    }),
    subject: z.string().min(1).max(100).optional(),
    description: z.string().max(2048).optional(),
    announcement: z.boolean().optional(),
    locked: z.boolean().optional(),
    pictureBase64: base64.nullable().optional(),
  })
  .meta({ examples: [{ subject: 'The team' }] })
export const changeMembers = z
  .strictObject({
    by: phoneNumber.optional().meta({
      description: 'The number of the admin who makes the change; the creator of the group by default',
    }),
    change: z.enum(['add', 'remove', 'promote', 'demote']),
    members: z.array(phoneNumber).min(1).max(1024),
  })
  .meta({ examples: [{ change: 'add', members: ['5521987654321'] }] })
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
      kind: z.literal('restrict'),
      seconds: z.number().int().min(1).max(31_536_000).default(86_400),
    }),
  ])
  .meta({ examples: [{ number: '5511912345678', kind: 'disconnect' }] })
export const clearFaults = z.strictObject({
  number: phoneNumber.optional(),
  kind: z.enum(['reject', 'refuse', 'restrict', 'silent', 'offline']).optional().meta({
    description: 'Only faults of this kind; all lasting faults by default',
  }),
})
export const setNetwork = z
  .strictObject({ addressing: z.enum(['pn', 'lid']) })
  .meta({ examples: [{ addressing: 'pn' }] })
export const listFrames = z.strictObject({
  after: cursor,
  id: messageId.optional(),
  number: phoneNumber.optional(),
  tag: z.enum(['message', 'receipt', 'ack', 'notification']).optional(),
  limit: queryInteger(1, 10_000, 1000),
})
