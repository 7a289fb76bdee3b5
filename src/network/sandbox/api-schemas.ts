/** Requests and answers of `/sandbox/v1`, the calls that drive the simulated world. Imports nothing but zod. */
import { z } from 'zod'

/** People write numbers in many ways; the world knows them as digits. */
const phoneNumber = z
  .string()
  .transform((value) => value.replaceAll(/[+\s\-()]/g, ''))
  .pipe(z.string().regex(/^\d{7,15}$/, 'must be a phone number of 7 to 15 digits'))

const groupJid = z.string().regex(/^\d+@g\.us$/, 'must be a group id')
const chat = z.union([groupJid, phoneNumber])
const messageId = z.string().min(1).max(128)
const waitMs = z.coerce.number().int().min(0).max(30_000).default(0)
const base64 = z.base64().max(140_000_000)

export const phoneParams = z.strictObject({ number: phoneNumber })
export const groupParams = z.strictObject({ jid: groupJid })
export const messageParams = z.strictObject({ number: phoneNumber, id: messageId })
export const noQuery = z.strictObject({})

export const createPhone = z.strictObject({
  number: phoneNumber,
  name: z.string().min(1).max(100).optional(),
})
/** The gateway accepts `{instanceName}` too and resolves it to the code before it forwards the call. */
export const scanQr = z.strictObject({ qr: z.string().min(1).max(2048) })
export const enterCode = z.strictObject({ code: z.string().min(8).max(16) })

export const listMessages = z.strictObject({
  /** A cursor from an earlier answer, or a message id: only what came later is listed. */
  after: z.string().max(128).optional(),
  chat: chat.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
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
const location = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().max(1000).optional(),
  address: z.string().max(1000).optional(),
})
const contact = z.strictObject({ name: z.string().min(1).max(256), number: phoneNumber })
const poll = z.strictObject({
  name: z.string().min(1).max(255),
  options: z.array(z.string().min(1).max(100)).min(2).max(12),
  selectableCount: z.number().int().min(0).max(12).default(1),
})

export const sendMessage = z
  .strictObject({
    to: chat,
    text: z.string().min(1).max(65_536).optional(),
    media: media.optional(),
    location: location.optional(),
    contact: contact.optional(),
    poll: poll.optional(),
    /** The id of the message this one answers. */
    quoted: messageId.optional(),
  })
  .refine(
    ({ text, media, location, contact, poll }) =>
      [text, media, location, contact, poll].filter((part) => part !== undefined).length === 1,
    'must carry exactly one of text, media, location, contact, poll',
  )

/** Any content the protocol knows, as its JSON: for what the calls above do not cover, such as forged messages. */
export const sendContent = z.strictObject({ to: chat, content: z.record(z.string(), z.unknown()) })

export const readChat = z.strictObject({
  chat,
  messageId: messageId.optional(),
  played: z.boolean().default(false),
})
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
export const votePoll = z.strictObject({ messageId, options: z.array(z.string().max(100)).max(12) })
export const reactTo = z.strictObject({ messageId, emoji: z.string().max(32) })
export const typeInto = z.strictObject({
  chat,
  state: z.enum(['typing', 'recording', 'paused']).default('typing'),
})
export const editMessage = z.strictObject({ messageId, text: z.string().min(1).max(65_536) })
export const deleteMessage = z.strictObject({ messageId })
export const saveContact = z.strictObject({ number: phoneNumber, name: z.string().min(1).max(100) })
export const setPicture = z.strictObject({ base64: base64.nullable() })
export const listTyping = z.strictObject({ after: z.coerce.number().int().min(0).default(0), waitMs })

export const createGroup = z.strictObject({
  subject: z.string().min(1).max(100),
  members: z.array(phoneNumber).min(1).max(1024),
  admin: phoneNumber,
})
export const changeGroup = z.strictObject({
  /** Who does it; the group's creator when left out. */
  by: phoneNumber.optional(),
  subject: z.string().min(1).max(100).optional(),
  description: z.string().max(2048).optional(),
  announcement: z.boolean().optional(),
  locked: z.boolean().optional(),
  pictureBase64: base64.nullable().optional(),
})
export const changeMembers = z.strictObject({
  by: phoneNumber.optional(),
  change: z.enum(['add', 'remove', 'promote', 'demote']),
  members: z.array(phoneNumber).min(1).max(1024),
})
export const leaveGroup = z.strictObject({ number: phoneNumber })

export const createFault = z.discriminatedUnion('kind', [
  z.strictObject({
    number: phoneNumber,
    kind: z.literal('disconnect'),
    /** A code to end the stream with, such as 503 or 515; without it the socket just closes. */
    code: z.number().int().min(400).max(599).optional(),
  }),
  z.strictObject({
    number: phoneNumber,
    kind: z.literal('reject'),
    code: z.number().int().min(400).max(999).default(500),
    /** How many messages are refused; all when left out. */
    count: z.number().int().min(1).optional(),
  }),
  z.strictObject({
    number: phoneNumber,
    /** Logins fail with that code: 503 while the network is down, 403 for an account that was banned. */
    kind: z.literal('refuse'),
    code: z.number().int().min(400).max(599).default(503),
    count: z.number().int().min(1).optional(),
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
export const clearFaults = z.strictObject({ number: phoneNumber.optional() })
export const setNetwork = z.strictObject({ addressing: z.enum(['pn', 'lid']) })
export const listFrames = z.strictObject({
  after: z.coerce.number().int().min(0).default(0),
  id: messageId.optional(),
  number: phoneNumber.optional(),
  tag: z.enum(['message', 'receipt', 'ack', 'notification']).optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
})

/** Answers */

const phone = z.object({
  number: z.string(),
  lid: z.string(),
  name: z.string(),
  hasPicture: z.boolean(),
  online: z.boolean(),
  devices: z.array(
    z.object({ id: z.number(), platform: z.string(), online: z.boolean(), queued: z.number() }),
  ),
})
const group = z.object({
  jid: z.string(),
  subject: z.string(),
  description: z.string().nullable(),
  addressing: z.enum(['pn', 'lid']),
  announcement: z.boolean(),
  locked: z.boolean(),
  members: z.array(z.object({ number: z.string(), role: z.enum(['superadmin', 'admin', 'member']) })),
})
const button = z.object({
  type: z.enum(['reply', 'url', 'call', 'copy', 'other']),
  text: z.string(),
  id: z.string().optional(),
  url: z.string().optional(),
  phoneNumber: z.string().optional(),
})
const interactive = z.object({
  type: z.enum(['buttons', 'list', 'carousel']),
  title: z.string().nullable(),
  body: z.string().nullable(),
  footer: z.string().nullable(),
  buttonText: z.string().optional(),
  buttons: z.array(button).optional(),
  sections: z
    .array(
      z.object({
        title: z.string(),
        rows: z.array(z.object({ rowId: z.string(), title: z.string(), description: z.string().nullable() })),
      }),
    )
    .optional(),
  cards: z
    .array(
      z.object({
        title: z.string().nullable(),
        body: z.string().nullable(),
        footer: z.string().nullable(),
        hasImage: z.boolean(),
        buttons: z.array(button),
      }),
    )
    .optional(),
})
const shownMessage = z.object({
  seq: z.number(),
  id: z.string(),
  chat: z.string(),
  from: z.string(),
  fromMe: z.boolean(),
  kind: z.string(),
  text: z.string().nullable(),
  visible: z.boolean(),
  status: z.enum(['sent', 'delivered', 'read', 'played', 'received']),
  timestamp: z.number(),
  media: z
    .object({
      type: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
      mimetype: z.string(),
      sizeBytes: z.number(),
      sha256: z.string(),
      caption: z.string().optional(),
      fileName: z.string().optional(),
      voiceNote: z.boolean().optional(),
      seconds: z.number().optional(),
    })
    .optional(),
  location: location.optional(),
  contacts: z.array(z.object({ name: z.string(), vcard: z.string() })).optional(),
  poll: z
    .object({
      name: z.string(),
      options: z.array(z.string()),
      selectableCount: z.number(),
      votes: z.record(z.string(), z.array(z.string())),
    })
    .optional(),
  interactive: interactive.optional(),
  tap: z.object({ id: z.string(), form: z.enum(['interactive', 'list', 'buttons', 'template']) }).optional(),
  quoted: z.object({ id: z.string(), text: z.string().nullable() }).optional(),
  target: z.string().optional(),
  emoji: z.string().optional(),
  options: z.array(z.string()).optional(),
  mentions: z.array(z.string()).optional(),
  reactions: z.record(z.string(), z.string()).optional(),
  edited: z.boolean().optional(),
  deleted: z.boolean().optional(),
})
const success = z.object({ success: z.literal(true) })

export const answers = {
  done: success,
  phone: success.extend({ phone }),
  phones: success.extend({ phones: z.array(phone) }),
  device: success.extend({ device: z.object({ number: z.string(), id: z.number() }) }),
  message: success.extend({ message: shownMessage }),
  messages: success.extend({ messages: z.array(shownMessage), cursor: z.number() }),
  sent: success.extend({ messageId: z.string() }),
  read: success.extend({ messageIds: z.array(z.string()) }),
  typing: success.extend({
    typing: z.array(
      z.object({
        seq: z.number(),
        chat: z.string(),
        from: z.string(),
        state: z.enum(['typing', 'recording', 'paused']),
        timestamp: z.number(),
      }),
    ),
  }),
  group: success.extend({ group }),
  groups: success.extend({ groups: z.array(group) }),
  faults: success.extend({ faults: z.array(z.object({ number: z.string(), kind: z.string() })) }),
  network: success.extend({
    wsUrl: z.string(),
    rootPublicKey: z.string(),
    addressing: z.enum(['pn', 'lid']),
  }),
  frames: success.extend({
    frames: z.array(
      z.object({
        seq: z.number(),
        atMs: z.number(),
        direction: z.enum(['in', 'out']),
        number: z.string(),
        device: z.number(),
        tag: z.string(),
        id: z.string(),
        attributes: z.record(z.string(), z.string()),
      }),
    ),
  }),
  error: z.object({
    success: z.literal(false),
    error: z.string(),
    reason: z.string(),
    requestId: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
}
