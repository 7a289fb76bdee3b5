// Contacts, chats, groups and number checks (spec 2.3, 4.3, decisions 7).
import { z } from 'zod'
import {
  chatJid,
  InstanceReference,
  instanceName,
  jsonValue,
  limit,
  number,
  page,
  pathId,
  plainText,
  queryFlag,
  success,
  timestamp,
} from './fields.ts'
import { route } from './route.ts'

const customData = z
  .record(z.string().max(128), jsonValue)
  .refine((data) => JSON.stringify(data).length <= 65_536, { error: 'at most 64 KiB as JSON' })
  .meta({ description: 'Any JSON object of your own' })

const ChatSummary = z.object({
  id: z.int(),
  name: z.string().nullable(),
  pushName: z.string().nullable().meta({ description: 'The name that the person chose' }),
  lastMessageText: z.string().nullable(),
  lastMessageTimestamp: timestamp.nullable(),
  unreadCount: z.int(),
})

export const Contact = z
  .object({
    id: z.int(),
    name: z.string(),
    phone: z.string().nullable().meta({ description: 'Digits with country code; null for a group' }),
    remoteJid: z.string(),
    isGroup: z.boolean(),
    profilePicUrl: z.string().nullable(),
    profilePictureUrl: z.string().nullable(),
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
        isGroup: false,
        profilePicUrl: null,
        profilePictureUrl: null,
        chat: {
          id: 9,
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
  customData: customData.optional(),
  assignedUserId: z.int().positive().nullable().optional(),
  assignedDepartmentId: z.int().positive().nullable().optional(),
  funnelStageId: z.int().positive().nullable().optional(),
  showTimeInStage: z.boolean().optional(),
}
const contactName = plainText(1, 256)

const paging = { count: z.int(), page: z.int(), limit: z.int(), hasMore: z.boolean() }
const common = { area: 'api', tag: 'Contacts', scopes: ['contacts'] } as const
const OneContact = z.object({ success, contact: Contact })
const byId = z.strictObject({ id: pathId })

export const listContacts = route({
  ...common,
  id: 'listContacts',
  method: 'GET',
  path: '/contacts',
  summary: 'List saved contacts of an instance, by name',
  openWithoutSubscription: true,
  query: z.strictObject({
    instanceName,
    search: z
      .string()
      .max(256)
      .optional()
      .meta({
        description: 'Literal, case-insensitive: name, phone, identifier, chat name, push name',
        examples: ['ana'],
      }),
    page,
    limit,
    includeGroups: queryFlag.meta({ description: 'Groups saved as contacts too' }),
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

export const saveContact = route({
  ...common,
  id: 'saveContact',
  method: 'POST',
  path: '/contacts',
  summary: 'Save a chat as a contact',
  description: 'Updates the contact when one exists for the same chat.',
  body: z
    .strictObject({
      instanceName,
      phone: number.optional(),
      remoteJid: chatJid.optional(),
      name: contactName,
      ...editable,
    })
    .refine((body) => (body.phone === undefined) !== (body.remoteJid === undefined), {
      path: ['phone'],
      error: 'exactly one of phone and remoteJid',
    })
    .meta({
      id: 'SaveContact',
      examples: [{ instanceName: 'support-k3v9x2ma', phone: '5511912345678', name: 'Ana Souza' }],
    }),
  answer: OneContact,
  reasons: ['instance_not_found', 'limit_reached'],
})

export const getContact = route({
  ...common,
  id: 'getContact',
  method: 'GET',
  path: '/contacts/{id}',
  summary: 'Read a contact',
  params: byId,
  answer: OneContact,
  reasons: ['contact_not_found'],
})

export const updateContact = route({
  ...common,
  id: 'updateContact',
  method: 'PATCH',
  path: '/contacts/{id}',
  summary: 'Change a contact; what is omitted stays',
  params: byId,
  body: z
    .strictObject({ name: contactName.optional(), ...editable })
    .meta({ id: 'UpdateContact', examples: [{ notes: 'Prefers mornings' }] }),
  answer: OneContact,
  reasons: ['contact_not_found'],
})

export const deleteContact = route({
  ...common,
  id: 'deleteContact',
  method: 'DELETE',
  path: '/contacts/{id}',
  summary: 'Forget a contact; its chat stays',
  params: byId,
  answer: z.object({ success, id: z.int() }),
  reasons: ['contact_not_found'],
})

export const Chat = z
  .object({
    ...ChatSummary.shape,
    remoteJid: z.string(),
    phone: z.string().nullable(),
    isGroup: z.boolean(),
    contactId: z.int().nullable().meta({ description: 'The saved contact, if there is one' }),
  })
  .meta({ id: 'Chat' })

export const listChats = route({
  ...common,
  id: 'listChats',
  method: 'GET',
  path: '/chats',
  summary: 'List all chats of an instance, saved or not, latest first',
  openWithoutSubscription: true,
  query: z.strictObject({ instanceName, page, limit }),
  answer: z.object({ success, ...paging, instance: InstanceReference, chats: z.array(Chat) }),
  reasons: ['instance_not_found'],
})

export const readChat = route({
  ...common,
  id: 'readChat',
  method: 'POST',
  path: '/chats/read',
  summary: 'Mark a chat as read',
  description:
    'Nothing of the chat is unread any more, and the authors of what was unread see that it was read, unless the owner of ' +
    'the number keeps that private.',
  query: z.strictObject({ instanceName }),
  body: z.strictObject({ chat: chatJid }).meta({
    id: 'ReadChat',
    examples: [{ chat: '5511912345678@s.whatsapp.net' }],
  }),
  answer: z.object({
    success,
    chat: Chat,
    receipts: z.enum(['sent', 'not_sent', 'none']).meta({
      description:
        '`sent`: the network was told. `not_sent`: it could not be told now and will not be later; the count has fallen all ' +
        'the same. `none`: there was nothing to tell',
    }),
  }),
  reasons: ['instance_not_found', 'chat_not_found'],
})

export const GroupParticipant = z
  .object({ jid: z.string(), phone: z.string().nullable(), isAdmin: z.boolean() })
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
    isAdmin: z.boolean().meta({ description: 'Whether the instance may administer the group' }),
    isAnnouncement: z.boolean().meta({ description: 'Only administrators may write' }),
    isLocked: z.boolean().meta({ description: 'Only administrators may change its settings' }),
    profilePictureUrl: z.string().nullable(),
    participants: z.array(GroupParticipant).optional(),
  })
  .meta({ id: 'Group' })

export const listGroups = route({
  ...common,
  id: 'listGroups',
  method: 'GET',
  path: '/groups',
  summary: 'List the groups the instance belongs to',
  openWithoutSubscription: true,
  query: z.strictObject({ instanceName, participants: queryFlag.meta({ description: 'With all members' }) }),
  answer: z.object({ success, count: z.int(), instance: InstanceReference, groups: z.array(Group) }),
  reasons: ['instance_not_found'],
})

export const checkNumber = route({
  ...common,
  id: 'checkNumber',
  method: 'GET',
  path: '/check-number',
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
      error: 'exactly one of instanceName and instance',
    })
    .refine((query) => (query.number === undefined) !== (query.phone === undefined), {
      path: ['number'],
      error: 'exactly one of number and phone',
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
  reasons: ['instance_not_found', 'instance_not_connected', 'network_timeout'],
})
