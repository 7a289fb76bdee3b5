// People on the network: what they show of themselves, the block list, and their presence.
import { z } from 'zod'
import { namedPerson, personName, personNames } from './chat-address.ts'
import { chatName, eventChatIds, Person, personIdFields } from './chat-fields.ts'
import { instanceName, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'

/** People whose presence an instance can follow at the same time. */
export const MAX_SUBSCRIPTIONS = 100

export const PRESENCES = ['available', 'unavailable', 'typing', 'recording'] as const
export type Presence = (typeof PRESENCES)[number]

const common = { tag: 'People', live: true } as const
const LIVE = [
  'instance_not_found',
  'instance_not_connected',
  'refused_by_network',
  'network_timeout',
] as const
/** A change is not repeated if its answer is lost between two nodes. */
const CHANGING = [...LIVE, 'outcome_unknown'] as const
const byNumber = {
  params: z.strictObject({ number: personName }),
  query: z.strictObject({ instanceName }),
}

const PersonDetails = z
  .object({
    isRegistered: z.boolean().meta({ description: 'False: all other fields are null or false' }),
    jid: z
      .string()
      .nullable()
      .meta({ description: 'Network identifier, based on the phone number if it is known' }),
    ...personIdFields,
    chat: chatName.nullable(),
    number: z.string().nullable().meta({ description: 'As in the request; null if it is hidden' }),
    about: z.string().nullable().meta({ description: 'Null: there is none, or the instance cannot see it' }),
    aboutSetAt: timestamp.nullable(),
    profilePictureUrl: z.string().nullable().meta({
      description: 'URL of the picture on this gateway (`GET /chats/picture`); null if there is none',
    }),
    isBlocked: z.boolean().meta({ description: 'Whether the instance has blocked the person' }),
    business: z
      .object({
        description: z.string().nullable(),
        category: z.string().nullable(),
        address: z.string().nullable(),
        email: z.string().nullable(),
        websites: z.array(z.string()),
      })
      .nullable()
      .meta({ description: 'Null: the account is not a business account' }),
  })
  .meta({
    id: 'PersonDetails',
    examples: [
      {
        number: '5511912345678',
        isRegistered: true,
        jid: '5511912345678@s.whatsapp.net',
        chat: '5511912345678@s.whatsapp.net',
        lid: '111222333444555@lid',
        username: null,
        about: 'At work',
        aboutSetAt: '2026-01-31T12:00:00.000Z',
        profilePictureUrl: null,
        isBlocked: false,
        business: null,
      },
    ],
  })

export const getPerson = endpoint({
  ...common,
  summary: 'Read what a person shows: about text, picture, business profile, and whether they are blocked',
  ...byNumber,
  answer: z.object({ success, person: PersonDetails }),
  reasons: LIVE,
})

const Blocked = z.object({
  success,
  person: z.object({
    number: z.string().nullable(),
    jid: z.string(),
    isBlocked: z.boolean(),
  }),
})

export const blockPerson = endpoint({
  ...common,
  summary: 'Block a person',
  description:
    'A blocked person can neither write to the account nor call it. Repeating the call has no effect.',
  ...byNumber,
  answer: Blocked,
  reasons: [...CHANGING, 'person_not_found'],
})

export const unblockPerson = endpoint({
  ...common,
  summary: 'Unblock a person',
  ...byNumber,
  answer: Blocked,
  reasons: [...CHANGING, 'person_not_found'],
})

export const getBlocklist = endpoint({
  ...common,
  summary: 'List the people that the account has blocked',
  query: z.strictObject({ instanceName }),
  answer: z.object({
    success,
    count: z.int(),
    people: z.array(z.object({ jid: z.string(), phone: z.string().nullable(), ...personIdFields })),
  }),
  reasons: LIVE,
})

const Subscription = z
  .object({
    jid: z.string(),
    phone: z.string().nullable(),
    ...personIdFields,
    presence: z.enum(PRESENCES).nullable().meta({ description: 'Null: the network has reported none yet' }),
    lastSeen: timestamp
      .nullable()
      .meta({ description: 'With `unavailable`; null if the person does not show it' }),
    updatedAt: timestamp,
  })
  .meta({ id: 'PresenceSubscription' })

const subscriptions = z.array(Subscription)

const followed = personNames(MAX_SUBSCRIPTIONS)

export const listPresence = endpoint({
  tag: 'People',
  summary: 'List the people whose presence is followed, with the last reported presence',
  query: z.strictObject({ instanceName }),
  answer: z.object({ success, count: z.int(), subscriptions }),
  reasons: ['instance_not_found'],
})

export const SUBSCRIPTION_OUTCOMES = ['subscribed', 'unsubscribed', 'not_on_network'] as const

export const subscribePresence = endpoint({
  ...common,
  summary: 'Follow the presence of people, or stop following it',
  description:
    'Each change of presence is reported as the event `presence.update`. Subscriptions last until they are ended or the instance ' +
    `is logged out; an instance can have ${MAX_SUBSCRIPTIONS}. The network reports presence only to accounts that are online, so ` +
    'an instance with subscriptions is shown as online, as with the setting `alwaysOnline`: the phone of its owner then shows no ' +
    'notifications.',
  body: z
    .strictObject({ instanceName, subscribe: followed.optional(), unsubscribe: followed.optional() })
    .refine((body) => (body.subscribe === undefined) !== (body.unsubscribe === undefined), {
      path: ['subscribe'],
      error: 'expected exactly one of subscribe and unsubscribe',
    })
    .meta({
      id: 'SubscribePresence',
      examples: [{ instanceName: 'support-k3v9x2ma', subscribe: ['5511912345678'] }],
    }),
  answer: z.object({
    success,
    count: z.int(),
    subscriptions,
    numbers: z
      .array(z.object({ ...namedPerson, outcome: z.enum(SUBSCRIPTION_OUTCOMES) }))
      .meta({ description: 'One outcome per person, in the order of the request' }),
  }),
  reasons: [...LIVE, 'subscriptions_full'],
})

export const PresenceUpdate = z
  .object({
    person: Person,
    chat: chatName,
    ...eventChatIds,
    presence: z.enum(PRESENCES),
    lastSeen: timestamp
      .nullable()
      .meta({ description: 'With `unavailable`; null if the person does not show it' }),
    at: timestamp,
  })
  .meta({ id: 'PresenceUpdateEvent' })
