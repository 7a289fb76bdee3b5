// Phones, groups and messages of the simulated world, and the answers of `/sandbox/v1`.
import { z } from 'zod'
import { success as done } from './fields.ts'
import { ErrorBody } from './route.ts'
import { shownOrder, shownProduct } from './sandbox-catalogue.ts'

/** The values that each privacy setting of a person accepts, as the network names them. The first is the default. */
export const PRIVACY_VALUES = {
  last: ['all', 'contacts', 'contact_blacklist', 'none'],
  online: ['match_last_seen', 'all'],
  profile: ['all', 'contacts', 'contact_blacklist', 'none'],
  status: ['all', 'contacts', 'contact_blacklist', 'none'],
  readreceipts: ['all', 'none'],
  groupadd: ['all', 'contacts', 'contact_blacklist'],
  calladd: ['all', 'known'],
  messages: ['all', 'contacts'],
} as const
export type PrivacyCategory = keyof typeof PRIVACY_VALUES

export const location = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().max(1000).optional(),
  address: z.string().max(1000).optional(),
})
const pictureId = z
  .string()
  .nullable()
  .meta({ description: 'Identifies the picture for `GET /phones/{number}/picture`; null without one' })
const business = z.object({
  description: z.string().optional(),
  category: z.string().optional(),
  address: z.string().optional(),
  email: z.string().optional(),
  website: z.string().optional(),
})
const phone = z
  .object({
    number: z.string(),
    lid: z.string(),
    name: z.string(),
    username: z.string().nullable(),
    hidesNumber: z.boolean().meta({ description: 'Other people see the hidden id only' }),
    about: z.string(),
    hasPicture: z.boolean(),
    pictureId,
    privacy: z
      .record(z.string(), z.string())
      .meta({ description: 'The value of every privacy setting, in the terms of the network' }),
    blocked: z.array(z.string()).meta({ description: 'The numbers that the person has blocked' }),
    disappearingSeconds: z.number().meta({ description: 'The timer that new chats start with' }),
    business: business.nullable(),
    passkey: z
      .object({
        demanded: z
          .boolean()
          .meta({ description: 'Whether the network demands it before it links a device' }),
        step: z.enum(['requested', 'accepted', 'compared', 'linked', 'ended']).nullable().meta({
          description:
            'How far the latest link has come: the passkey is requested, its assertion was accepted, the phone shows the code to compare, the device is linked, or the link has ended without a device. Null: there was none',
        }),
        code: z.string().nullable().meta({ description: 'The code that the phone shows for that link' }),
        proven: z.boolean().meta({
          description:
            'The client has proved that the phone read its code, so the codes do not have to be compared',
        }),
      })
      .nullable(),
    online: z.boolean(),
    available: z.boolean().meta({ description: 'Whether the person has the app open' }),
    devices: z.array(
      z.object({
        id: z.number(),
        platform: z.string(),
        online: z.boolean(),
        queued: z.number(),
        groupQueries: z.number().meta({
          description: 'How often the device has queried a single group since the sandbox started',
        }),
        signedPreKeyId: z.number().meta({
          description:
            'The id of the signed pre-key that people get who write to the device for the first time',
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
    joinApproval: z.boolean(),
    memberAdd: z.enum(['admins', 'all']),
    disappearingSeconds: z.number(),
    inviteCode: z
      .string()
      .nullable()
      .meta({ description: 'Null on the phone of a member who is not an admin' }),
    hasPicture: z.boolean(),
    pictureId,
    requests: z.array(z.object({ number: z.string(), by: z.string(), timestamp: z.number() })).meta({
      description:
        'People who want to join, as admins see them. `by` is the applicant or the member who added them',
    }),
    members: z.array(z.object({ number: z.string(), role: z.enum(['superadmin', 'admin', 'member']) })),
  })
  .meta({ id: 'SandboxGroup' })
const outcomes = z
  .array(
    z.object({
      number: z.string(),
      outcome: z.enum([
        'done',
        'requested',
        'blocked',
        'must_be_invited',
        'not_found',
        'not_possible',
        'already_a_member',
      ]),
    }),
  )
  .meta({ description: 'What the network answered for each person' })
const button = z.object({
  type: z.enum(['reply', 'url', 'call', 'copy', 'pix', 'other']),
  text: z.string(),
  id: z.string().optional(),
  url: z.string().optional(),
  phoneNumber: z.string().optional(),
  keyType: z.string().optional(),
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
    backgroundColor: z.string().optional(),
    album: z.object({ images: z.number(), videos: z.number() }).optional(),
    albumId: z.string().optional().meta({ description: 'The album that the file belongs to' }),
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
        videoNote: z.boolean().optional(),
        seconds: z.number().optional(),
        width: z.number().optional(),
        height: z.number().optional(),
        thumbnailBytes: z
          .number()
          .optional()
          .meta({ description: 'Size of the preview that phones show before they load the file' }),
        waveformBars: z.number().optional(),
      })
      .optional(),
    preview: z
      .object({
        url: z.string(),
        title: z.string(),
        description: z.string().nullable(),
        thumbnailBytes: z.number(),
      })
      .optional()
      .meta({ description: 'The card below a text with a link' }),
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
    event: z
      .object({
        name: z.string(),
        description: z.string().optional(),
        startsAt: z.string(),
        endsAt: z.string().optional(),
        place: z.string().optional(),
        callLink: z.string().optional(),
        canceled: z.boolean(),
      })
      .optional(),
    order: shownOrder.optional(),
    product: shownProduct.optional(),
    tap: z
      .object({ id: z.string(), form: z.enum(['interactive', 'list', 'buttons', 'template']) })
      .optional(),
    groupInvite: z.object({ jid: z.string(), subject: z.string(), expiresAt: z.number() }).optional(),
    quoted: z.object({ id: z.string(), text: z.string().nullable() }).optional(),
    target: z.string().optional(),
    emoji: z.string().optional(),
    options: z.array(z.string()).optional(),
    mentions: z.array(z.string()).optional(),
    reactions: z.record(z.string(), z.string()).optional(),
    edited: z.boolean().optional(),
    deleted: z.boolean().optional(),
    forwarded: z.boolean().optional(),
    starred: z.boolean().optional(),
    viewOnce: z.boolean().optional(),
    seconds: z.number().optional().meta({
      description: 'How long a pin, or the messages of the chat, last from now on; 0 ends it',
    }),
    expiresAfterSeconds: z
      .number()
      .optional()
      .meta({ description: 'How long this message is kept in a chat with disappearing messages' }),
    pinnedUntil: z.number().optional(),
  })
  .meta({ id: 'SandboxMessage', description: 'A message as a phone shows it' })
const call = z
  .object({
    id: z.string(),
    from: z.string(),
    to: z.string(),
    video: z.boolean(),
    status: z.enum(['ringing', 'answered', 'rejected', 'missed', 'ended']),
    timestamp: z.number(),
  })
  .meta({ id: 'SandboxCall' })
const success = z.object({ success: done })

export const answers = {
  done: success,
  phone: success.extend({ phone }),
  phones: success.extend({ phones: z.array(phone) }),
  device: success.extend({
    device: z
      .object({ number: z.string(), id: z.number() })
      .nullable()
      .meta({ description: 'Null when the network demands a passkey first' }),
  }),
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
        pictureId: pictureId.meta({ description: 'Null without a picture, or if the phone cannot see it' }),
        unread: z.number(),
        last: shownMessage.nullable(),
        archived: z.boolean(),
        pinned: z.boolean(),
        mutedUntil: z.number().nullable().meta({ description: 'Unix milliseconds' }),
        markedUnread: z.boolean(),
        disappearingSeconds: z.number().meta({ description: '0 when messages do not disappear' }),
        labels: z.array(z.string()).meta({ description: 'Ids of the labels of the chat' }),
      }),
    ),
    hasMore: z.boolean(),
  }),
  labels: success.extend({
    labels: z.array(z.object({ id: z.string(), name: z.string(), color: z.number() })),
  }),
  label: success.extend({ labelId: z.string() }),
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
        z.object({ about: z.literal('calls'), number: z.string() }),
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
  call: success.extend({ call }),
  calls: success.extend({ calls: z.array(call) }),
  group: success.extend({ group }),
  groupWithOutcomes: success.extend({ group, outcomes }),
  invitations: success.extend({
    invitations: z.array(z.object({ number: z.string(), messageId: z.string() })),
  }),
  joined: success.extend({ jid: z.string(), outcome: z.enum(['joined', 'requested']) }),
  groups: success.extend({ groups: z.array(group) }),
  faults: success.extend({ faults: z.array(z.object({ number: z.string(), kind: z.string() })) }),
  injected: success.extend({
    sent: z
      .number()
      .meta({ description: 'How many frames had a receiver; live ones need a connected client' }),
  }),
  network: success.extend({
    wsUrl: z.string(),
    rootPublicKey: z.string(),
    addressing: z.enum(['pn', 'lid']),
    minimumVersion: z.string().nullable().meta({ description: 'Older clients cannot log in' }),
    announcedVersion: z.string().meta({ description: 'The version on the page that clients read' }),
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
