// Phones, groups and messages of the simulated world, and the answers of `/sandbox/v1`.
import { z } from 'zod'
import { success as done } from './fields.ts'
import { ErrorBody } from './route.ts'

export const location = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().max(1000).optional(),
  address: z.string().max(1000).optional(),
})
const phone = z
  .object({
    number: z.string(),
    lid: z.string(),
    name: z.string(),
    hasPicture: z.boolean(),
    online: z.boolean(),
    devices: z.array(
      z.object({
        id: z.number(),
        platform: z.string(),
        online: z.boolean(),
        queued: z.number(),
        groupQueries: z.number().meta({
          description: 'How often the device has queried a single group since the sandbox started',
        }),
      }),
    ),
  })
  .meta({ id: 'SandboxPhone', description: 'A person with a phone and linked devices' })
const group = z
  .object({
    jid: z.string(),
    subject: z.string(),
    description: z.string().nullable(),
    addressing: z.enum(['pn', 'lid']),
    announcement: z.boolean(),
    locked: z.boolean(),
    members: z.array(z.object({ number: z.string(), role: z.enum(['superadmin', 'admin', 'member']) })),
  })
  .meta({ id: 'SandboxGroup' })
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
const shownMessage = z
  .object({
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
    tap: z
      .object({ id: z.string(), form: z.enum(['interactive', 'list', 'buttons', 'template']) })
      .optional(),
    quoted: z.object({ id: z.string(), text: z.string().nullable() }).optional(),
    target: z.string().optional(),
    emoji: z.string().optional(),
    options: z.array(z.string()).optional(),
    mentions: z.array(z.string()).optional(),
    reactions: z.record(z.string(), z.string()).optional(),
    edited: z.boolean().optional(),
    deleted: z.boolean().optional(),
  })
  .meta({ id: 'SandboxMessage', description: 'A message as a phone shows it' })
const success = z.object({ success: done })

export const answers = {
  done: success,
  phone: success.extend({ phone }),
  phones: success.extend({ phones: z.array(phone) }),
  device: success.extend({ device: z.object({ number: z.string(), id: z.number() }) }),
  message: success.extend({ message: shownMessage }),
  messages: success.extend({ messages: z.array(shownMessage), cursor: z.number() }),
  chats: success.extend({
    chats: z.array(
      z.object({
        chat: z.string().meta({ description: 'A number or the id of a group' }),
        name: z.string().meta({
          description:
            'The name in the address book of the phone, or else the name that the person has chosen',
        }),
        isGroup: z.boolean(),
        unread: z.number(),
        last: shownMessage.nullable(),
      }),
    ),
    hasMore: z.boolean(),
  }),
  changes: success.extend({
    changes: z.array(
      z.discriminatedUnion('about', [
        z.object({ about: z.literal('messages'), number: z.string(), chat: z.string() }),
        z.object({
          about: z.literal('typing'),
          number: z.string(),
          chat: z.string(),
          from: z.string(),
          state: z.enum(['typing', 'recording', 'paused']),
        }),
        z.object({ about: z.literal('world') }),
      ]),
    ),
    cursor: z.string(),
    missed: z
      .boolean()
      .meta({ description: 'The changes since the cursor are unknown, so everything has to be read again' }),
  }),
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
  error: ErrorBody,
}
