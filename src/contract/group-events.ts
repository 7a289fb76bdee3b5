// Payloads of the events about groups.
import { z } from 'zod'
import { chatName, eventChatIds, Person } from './chat-fields.ts'
import { eventCut } from './event-cut.ts'
import { timestamp } from './fields.ts'
import { MEMBER_ACTIONS, MEMBER_ADD } from './values.ts'

const author = Person.nullable().meta({
  description:
    'The person who made the change. Null if the network did not name one, as for changes made while the instance was offline',
})
/** A group has no other names. */
const groupIds = { chat: chatName.optional(), ...eventChatIds, groupJid: z.string(), ...eventCut }

export const GroupUpsert = z
  .object({
    ...groupIds,
    author,
    subject: z.string(),
    description: z.string().nullable(),
    ownerJid: z.string().nullable(),
    createdAt: timestamp.nullable(),
    size: z.int(),
    isAdmin: z.boolean().meta({ description: 'Whether the instance is an admin of the group' }),
    announce: z.boolean(),
    locked: z.boolean(),
    joinApproval: z.boolean(),
    memberAdd: z.enum(MEMBER_ADD),
    disappearingSeconds: z.int(),
  })
  .meta({
    id: 'GroupsUpsertEvent',
    description: 'The instance has created or joined the group, or was added to it',
  })

export const GroupUpdate = z
  .object({
    ...groupIds,
    author,
    changes: z
      .object({
        subject: z.string().optional(),
        description: z.string().nullable().optional(),
        announce: z.boolean().optional(),
        locked: z.boolean().optional(),
        joinApproval: z.boolean().optional(),
        memberAdd: z.enum(MEMBER_ADD).optional(),
        disappearingSeconds: z.int().optional(),
        picture: z.enum(['set', 'removed']).optional(),
      })
      .meta({ description: 'Only the settings that have changed, with their new values' }),
  })
  .meta({ id: 'GroupsUpdateEvent' })

export const GroupParticipantsUpdate = z
  .object({
    ...groupIds,
    author,
    action: z.enum(MEMBER_ACTIONS).meta({
      description:
        'Also `remove` for a person who has left; then author and person are the same, if the network named the author',
    }),
    people: z.array(Person),
  })
  .meta({ id: 'GroupParticipantsUpdateEvent' })
