// Contacts, chats, groups and number checks.
import { z } from 'zod'
import { addressFields, personName, withAddress, withAddressFilter } from './chat-address.ts'
import {
  assigneeFilter,
  ChatLabel,
  chatIdFields,
  chatName,
  chatSettingFields,
  labelId,
  personIdFields,
} from './chat-fields.ts'
import {
  chatJid,
  InstanceReference,
  instanceName,
  jsonValue,
  keyInQuery,
  limit,
  number,
  PICTURE_TYPES,
  page,
  pathId,
  pictureVersion,
  plainText,
  queryFilter,
  queryFlag,
  success,
  timestamp,
} from './fields.ts'
import { LastMessage } from './last-message.ts'
import { endpoint } from './route.ts'
import { MEMBER_ADD } from './values.ts'

const LONGEST_CUSTOM_DATA = 65_536
export const CUSTOM_DATA_TOO_LONG = 'must not be larger than 64 KiB as JSON'
export const fitsCustomData = (data: Record<string, unknown>): boolean =>
  JSON.stringify(data).length <= LONGEST_CUSTOM_DATA

const customData = z
  .record(z.string().max(128), jsonValue)
  .refine(fitsCustomData, { error: CUSTOM_DATA_TOO_LONG })

const pictureUrl = z.string().nullable().meta({
  description: 'URL of the picture on this gateway (`GET /chats/picture`); null if none is known',
})

const ChatSummary = z.object({
  id: z.int(),
  chat: chatName,
  name: z.string().nullable(),
  pushName: z.string().nullable().meta({ description: 'Name chosen by the person' }),
  lastMessageText: z.string().nullable().meta({
    description: 'Text of the last message, after edits; null if it has none or was deleted for everyone',
  }),
  lastMessageTimestamp: timestamp.nullable(),
  unreadCount: z.int(),
})

export const Contact = z
  .object({
    id: z.int(),
    name: z.string(),
    phone: z.string().nullable().meta({ description: 'Digits with country code; null for a group' }),
    remoteJid: z.string(),
    ...chatIdFields,
    isGroup: z.boolean(),
    profilePicUrl: pictureUrl.meta({ description: 'Alias of profilePictureUrl' }),
    profilePictureUrl: pictureUrl,
    chat: ChatSummary,
    assignedUserId: z.int().nullable(),
    assignedDepartmentId: z.int().nullable(),
    funnelStageId: z.int().nullable(),
    notes: z.string().nullable(),
    customData: z.record(z.string(), jsonValue),
    showTimeInStage: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Contact',
    examples: [
      {
        id: 7,
        name: 'Ana Souza',
        phone: '5511912345678',
        remoteJid: '5511912345678@s.whatsapp.net',
        number: '5511912345678',
        lid: '111222333444555@lid',
        username: null,
        groupJid: null,
        isGroup: false,
        profilePicUrl: null,
        profilePictureUrl: null,
        chat: {
          id: 9,
          chat: '5511912345678@s.whatsapp.net',
          name: 'Ana Souza',
          pushName: 'Ana',
          lastMessageText: 'See you tomorrow',
          lastMessageTimestamp: '2026-01-31T12:00:00.000Z',
          unreadCount: 0,
        },
        assignedUserId: null,
        assignedDepartmentId: null,
        funnelStageId: null,
        notes: null,
        customData: {},
        showTimeInStage: false,
        createdAt: '2026-01-31T12:00:00.000Z',
        updatedAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  })

const editable = {
  notes: z.string().max(10_000).nullable().optional(),
  customData: customData.optional().meta({ description: 'Any JSON object, which replaces the stored one' }),
  assignedUserId: z.int().positive().nullable().optional(),
  assignedDepartmentId: z.int().positive().nullable().optional(),
  funnelStageId: z.int().positive().nullable().optional(),
  showTimeInStage: z.boolean().optional(),
}
const contactName = plainText(1, 256)

const paging = { count: z.int(), page: z.int(), limit: z.int(), hasMore: z.boolean() }
const common = { tag: 'Contacts' } as const
const OneContact = z.object({ success, contact: Contact })
const byId = z.strictObject({ id: pathId })

export const listContacts = endpoint({
  ...common,
  summary: 'List the saved contacts of an instance, sorted by name',
  openWithoutSubscription: true,
  query: z.strictObject({
    instanceName,
    search: z
      .string()
      .max(256)
      .optional()
      .meta({
        description: 'Case-insensitive text in the name, phone, identifier, chat name or push name',
        examples: ['ana'],
      }),
    page,
    limit,
    includeGroups: queryFlag.meta({ description: 'Include groups that are saved as contacts' }),
  }),
  answer: z.object({
    success,
    ...paging,
    total: z.int(),
    instance: InstanceReference,
    contacts: z.array(Contact),
  }),
  reasons: ['instance_not_found'],
})

export const saveContact = endpoint({
  ...common,
  summary: 'Save a chat as a contact',
  description: 'Updates the contact if the chat already has one.',
  body: withAddress(
    z.strictObject({
      instanceName,
      ...addressFields,
      phone: number.optional().meta({ description: 'Alias of `number`' }),
      remoteJid: chatJid.optional().meta({ description: 'Alias of `chat`' }),
      name: contactName,
      ...editable,
      customData: customData.optional().meta({
        description:
          'Any JSON object. Its keys are added to those that the contact has, so that several programs keep their own; ' +
          '`PATCH /contacts/{id}` replaces the object and so removes keys',
      }),
    }),
    ['phone', 'remoteJid'],
  ).meta({
    id: 'SaveContact',
    examples: [{ instanceName: 'support-k3v9x2ma', phone: '5511912345678', name: 'Ana Souza' }],
  }),
  answer: OneContact,
  reasons: ['instance_not_found', 'limit_reached'],
})

export const getContact = endpoint({
  ...common,
  summary: 'Get a contact',
  params: byId,
  answer: OneContact,
  reasons: ['contact_not_found'],
})

export const updateContact = endpoint({
  ...common,
  summary: 'Update a contact; omitted fields stay unchanged',
  params: byId,
  body: z
    .strictObject({ name: contactName.optional(), ...editable })
    .meta({ id: 'UpdateContact', examples: [{ notes: 'Prefers mornings' }] }),
  answer: OneContact,
  reasons: ['contact_not_found'],
})

export const deleteContact = endpoint({
  ...common,
  summary: 'Delete a contact; its chat is kept',
  params: byId,
  answer: z.object({ success, id: z.int() }),
  reasons: ['contact_not_found'],
})

export const Chat = z
  .object({
    ...ChatSummary.shape,
    remoteJid: z.string().meta({ description: 'The same as `chat`' }),
    phone: z.string().nullable().meta({ description: 'The same as `number`' }),
    ...chatIdFields,
    isGroup: z.boolean(),
    ...chatSettingFields,
    labels: z.array(ChatLabel).meta({ description: 'Labels that the owner has given to the chat' }),
    contactId: z.int().nullable().meta({ description: 'Id of the saved contact; null if there is none' }),
    contactName: z
      .string()
      .nullable()
      .meta({ description: 'Name of the saved contact; null if there is none' }),
    lastMessage: LastMessage.nullable().meta({
      description: 'The last message, with its edits; null if there is none or it is not stored any more',
    }),
    profilePictureUrl: pictureUrl,
  })
  .meta({ id: 'Chat' })

export const listChats = endpoint({
  ...common,
  summary: 'List all chats of an instance, latest first, including chats without a saved contact',
  openWithoutSubscription: true,
  description: 'With `number`, `groupJid` or `chat` only that chat; no chat if it is unknown.',
  query: withAddressFilter(
    z.strictObject({
      instanceName,
      ...addressFields,
      archived: queryFilter.meta({ description: 'Only archived chats, or only the others' }),
      pinned: queryFilter.meta({ description: 'Only pinned chats, or only the others' }),
      unread: queryFilter.meta({
        description: 'Only chats that have unread messages or are marked as unread, or only the others',
      }),
      label: labelId.optional().meta({ description: 'Only chats with the label of this id' }),
      assignedTo: assigneeFilter,
      page,
      limit,
    }),
  ),
  answer: z.object({ success, ...paging, instance: InstanceReference, chats: z.array(Chat) }),
  reasons: ['instance_not_found'],
})

export const GroupParticipant = z
  .object({
    jid: z.string(),
    phone: z.string().nullable(),
    ...personIdFields,
    isAdmin: z.boolean(),
  })
  .meta({ id: 'GroupParticipant' })

export const Group = z
  .object({
    id: z.string(),
    groupJid: z.string(),
    subject: z.string(),
    description: z.string().nullable(),
    ownerJid: z.string().nullable(),
    createdAt: timestamp.nullable(),
    size: z.int(),
    isAdmin: z.boolean().meta({ description: 'Whether the instance is an admin of the group' }),
    isAnnouncement: z.boolean().meta({ description: 'Only admins may write' }),
    isLocked: z.boolean().meta({ description: 'Only admins may change the settings of the group' }),
    joinApproval: z
      .boolean()
      .nullable()
      .meta({ description: 'An admin approves new members; null until the group was read again' }),
    memberAdd: z.enum(MEMBER_ADD).nullable().meta({
      description: 'Who may add members; null until the group was read again',
    }),
    disappearingSeconds: z.int().nullable().meta({
      description: 'How long messages stay; 0: they do not disappear; null until the group was read again',
    }),
    profilePictureUrl: pictureUrl,
    participants: z.array(GroupParticipant).optional(),
  })
  .meta({ id: 'Group' })

export const listGroups = endpoint({
  ...common,
  summary: 'List the groups of an instance',
  openWithoutSubscription: true,
  query: z.strictObject({
    instanceName,
    participants: queryFlag.meta({ description: 'Include the participants' }),
    member: personName.optional().meta({
      description: 'Only groups that this person is a member of: a number, or the `chat` of a person',
    }),
  }),
  answer: z.object({ success, count: z.int(), instance: InstanceReference, groups: z.array(Group) }),
  reasons: ['instance_not_found'],
})

export const chatPicture = endpoint({
  tag: 'Images',
  summary: 'Get the profile picture of a person or group',
  description:
    'Works for every chat and group of the instance, with or without a saved contact. Pictures are cached. The network is queried ' +
    'only for an unknown picture or after a change.',
  keyInQuery: true,
  query: withAddress(
    z.strictObject({ instanceName, ...addressFields, v: pictureVersion, apiKey: keyInQuery }),
  ),
  answer: { file: true, contentTypes: PICTURE_TYPES, description: 'Profile picture' },
  reasons: ['instance_not_found', 'chat_not_found', 'profile_picture_not_found', 'network_timeout'],
})

export const checkNumber = endpoint({
  ...common,
  live: true,
  summary: 'Ask the network whether a number is registered',
  query: z
    .strictObject({
      instanceName: instanceName.optional(),
      instance: instanceName.optional().meta({ description: 'Alias of instanceName' }),
      number: number.optional(),
      phone: number.optional().meta({ description: 'Alias of number' }),
    })
    .refine((query) => (query.instanceName === undefined) !== (query.instance === undefined), {
      path: ['instanceName'],
      error: 'expected exactly one of instanceName and instance',
    })
    .refine((query) => (query.number === undefined) !== (query.phone === undefined), {
      path: ['number'],
      error: 'expected exactly one of number and phone',
    }),
  answer: z.object({
    success,
    status: z.literal('success'),
    data: z.object({ exists: z.boolean(), jid: z.string(), number: z.string(), instance: z.string() }).meta({
      examples: [
        {
          exists: true,
          jid: '5511912345678@s.whatsapp.net',
          number: '5511912345678',
          instance: 'support-k3v9x2ma',
        },
      ],
    }),
  }),
  reasons: ['instance_not_found', 'instance_not_connected', 'refused_by_network', 'network_timeout'],
})

const numbers = z
  .string()
  .max(8000)
  .transform((text) => text.split(','))
  .pipe(z.array(number).min(1).max(200, { error: 'expected at most 200 numbers' }))
  .meta({ description: '1 to 200 numbers, separated by commas', examples: ['5511912345678,5521987654321'] })

export const checkNumbers = endpoint({
  ...common,
  live: true,
  summary: 'Ask the network which of up to 200 numbers are registered',
  query: z.strictObject({ instanceName, numbers }),
  answer: z.object({
    success,
    count: z.int(),
    numbers: z
      .array(
        z.object({
          number: z.string(),
          exists: z.boolean(),
          jid: z.string().meta({ description: 'The identifier of the person on the network' }),
        }),
      )
      .meta({
        description: 'One for each number, in the order of the request',
        examples: [[{ number: '5511912345678', exists: true, jid: '5511912345678@s.whatsapp.net' }]],
      }),
  }),
  reasons: ['instance_not_found', 'instance_not_connected', 'refused_by_network', 'network_timeout'],
})
