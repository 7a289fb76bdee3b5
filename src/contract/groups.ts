// Groups: creating and changing them, members, invite links and requests to join. The list is in contacts.ts.
import { z } from 'zod'
import { namedPerson, personNames } from './chat-address.ts'
import { personIdFields } from './chat-fields.ts'
import { Group } from './contacts.ts'
import { groupJid, instanceName, plainText, success, timestamp } from './fields.ts'
import { GROUP_PICTURE_BYTES } from './media-limits.ts'
import { hasOneSource, mediaSource, ONE_SOURCE } from './message-bodies.ts'
import { endpoint } from './route.ts'
import { DISAPPEARING_SECONDS, MEMBER_ACTIONS, MEMBER_ADD } from './values.ts'

const MAX_PEOPLE = 100

const subject = plainText(1, 100).meta({ examples: ['Team'] })
const description = z.string().max(2048)
const people = personNames(MAX_PEOPLE)

const INVITE_LINK = /^https:\/\/chat\.whatsapp\.com\/(?:invite\/)?/
const inviteCode = z
  .string()
  .max(200)
  .transform((text) => text.replace(INVITE_LINK, '').replace(/\?.*$/, ''))
  .refine((code) => /^[\w-]{6,64}$/.test(code), { error: 'expected an invite code or link' })
  .meta({ description: 'Code of an invite link, or the whole link', examples: ['AbCdEfGhIjKlMnOpQrStUv'] })

const common = { tag: 'Groups', live: true } as const
const byJid = { params: z.strictObject({ groupJid }), query: z.strictObject({ instanceName }) }
const byCode = { params: z.strictObject({ code: inviteCode }), query: z.strictObject({ instanceName }) }
/** Of every call about groups. */
const LIVE = [
  'instance_not_found',
  'instance_not_connected',
  'refused_by_network',
  'network_timeout',
] as const
/** A change is not repeated if its answer is lost between two nodes. */
const UNKNOWN = 'outcome_unknown'
const FOR_MEMBERS = [...LIVE, 'not_a_group_member'] as const
const FOR_ADMINS = [...FOR_MEMBERS, 'not_a_group_admin'] as const
const OneGroup = z.object({ success, group: Group })

export const MEMBER_OUTCOMES = [
  'added',
  'removed',
  'promoted',
  'demoted',
  'already_member',
  'not_a_member',
  'invited',
  'not_on_network',
  'refused',
] as const
export type MemberOutcome = (typeof MEMBER_OUTCOMES)[number]

const networkCode = z.int().nullable().meta({ description: "The network's code, for `refused`" })
const Member = z
  .object({
    ...namedPerson,
    outcome: z.enum(MEMBER_OUTCOMES).meta({
      description:
        '`invited`: the person does not let others add them; an invitation was sent as a message. ' +
        '`refused`: for another reason of the network',
    }),
    networkCode,
  })
  .meta({
    id: 'MemberOutcome',
    examples: [
      {
        number: '5511912345678',
        chat: '5511912345678@s.whatsapp.net',
        outcome: 'added',
        networkCode: null,
      },
    ],
  })
const members = z.array(Member).meta({ description: 'One outcome per person, in the order of the request' })

export const createGroup = endpoint({
  ...common,
  summary: 'Create a group',
  description:
    'The instance becomes its admin. A number that cannot be added does not prevent the group: see `members` in the answer. The ' +
    'picture is read before the group is created, so that a file that cannot be used creates nothing.',
  body: z
    .strictObject({
      instanceName,
      subject,
      members: people,
      description: description.optional(),
      picture: z
        .strictObject(mediaSource)
        .refine(hasOneSource, ONE_SOURCE)
        .optional()
        .meta({
          description: 'A JPEG or PNG image of at most 5 MB, by URL or uploaded before (`POST /media`)',
          examples: [{ mediaUrl: 'https://example.com/team.jpg' }],
        }),
    })
    .meta({
      id: 'CreateGroup',
      examples: [{ instanceName: 'support-k3v9x2ma', subject: 'Team', members: ['5511912345678'] }],
    }),
  answer: z.object({
    success,
    group: Group,
    members,
    picture: z.enum(['set', 'failed']).nullable().meta({
      description:
        '`failed`: the group was created, and the network refused its picture. Null: none was given',
    }),
  }),
  reasons: [...LIVE, UNKNOWN, 'url_not_allowed', 'media_not_found'],
})

export const getGroup = endpoint({
  ...common,
  summary: 'Read a group and its participants from the network',
  ...byJid,
  answer: OneGroup,
  reasons: FOR_MEMBERS,
})

export const updateGroup = endpoint({
  ...common,
  summary: 'Change the settings of a group; omitted fields stay unchanged',
  description:
    'The changes are made one after the other. If the network refuses one, those before it stay, and the error names the refusal.',
  ...byJid,
  body: z
    .strictObject({
      subject: subject.optional(),
      description: description.nullable().optional().meta({ description: 'Null removes it' }),
      announce: z.boolean().optional().meta({ description: 'Only admins may write' }),
      locked: z.boolean().optional().meta({ description: 'Only admins may change the settings' }),
      joinApproval: z.boolean().optional().meta({ description: 'An admin approves new members' }),
      memberAdd: z.enum(MEMBER_ADD).optional().meta({ description: 'Who may add members' }),
      disappearingSeconds: z
        .literal(DISAPPEARING_SECONDS)
        .optional()
        .meta({ description: 'How long messages stay; 0: they do not disappear' }),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      error: 'expected at least one field',
    })
    .meta({ id: 'UpdateGroup', examples: [{ subject: 'Team', announce: true }] }),
  answer: OneGroup,
  reasons: [...FOR_ADMINS, UNKNOWN],
})

export const setGroupPicture = endpoint({
  ...common,
  summary: 'Set the picture of a group',
  description: 'The body is the image itself. It is scaled to 640 × 640 pixels.',
  ...byJid,
  upload: { maxBytes: GROUP_PICTURE_BYTES, description: 'A JPEG or PNG image of at most 5 MB' },
  answer: OneGroup,
  reasons: [...FOR_ADMINS, UNKNOWN],
})

export const deleteGroupPicture = endpoint({
  ...common,
  summary: 'Remove the picture of a group',
  ...byJid,
  answer: OneGroup,
  reasons: [...FOR_ADMINS, UNKNOWN],
})

export const changeGroupMembers = endpoint({
  ...common,
  summary: 'Add, remove, promote or demote members of a group',
  ...byJid,
  body: z
    .strictObject({
      add: people.optional(),
      remove: people.optional(),
      promote: people.optional().meta({ description: 'Make members admins' }),
      demote: people.optional().meta({ description: 'Make admins ordinary members' }),
    })
    .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, {
      path: [MEMBER_ACTIONS[0]],
      error: 'expected exactly one of add, remove, promote and demote',
    })
    .meta({ id: 'ChangeGroupMembers', examples: [{ add: ['5511912345678'] }] }),
  answer: z.object({ success, group: Group, members }),
  reasons: [...FOR_ADMINS, UNKNOWN],
})

const Invite = z.object({ success, code: z.string(), link: z.string() })

export const getGroupInvite = endpoint({
  ...common,
  summary: 'Get the invite link of a group',
  ...byJid,
  answer: Invite,
  reasons: FOR_ADMINS,
})

export const resetGroupInvite = endpoint({
  ...common,
  summary: 'Replace the invite link of a group; the old link no longer works',
  ...byJid,
  answer: Invite,
  reasons: [...FOR_ADMINS, UNKNOWN],
})

export const previewGroupInvite = endpoint({
  ...common,
  summary: 'Show the group of an invite link without joining it',
  ...byCode,
  answer: z.object({
    success,
    preview: z.object({
      groupJid: z.string(),
      subject: z.string(),
      description: z.string().nullable(),
      ownerJid: z.string().nullable(),
      createdAt: timestamp.nullable(),
      size: z.int(),
      joinApproval: z.boolean(),
    }),
  }),
  reasons: [...LIVE, 'invite_not_found'],
})

export const joinGroup = endpoint({
  ...common,
  summary: 'Join the group of an invite link',
  body: z.strictObject({ instanceName, code: inviteCode }).meta({
    id: 'JoinGroup',
    examples: [{ instanceName: 'support-k3v9x2ma', code: 'AbCdEfGhIjKlMnOpQrStUv' }],
  }),
  answer: z.object({
    success,
    groupJid: z.string(),
    status: z.enum(['joined', 'requested']).meta({
      description: '`requested`: an admin of the group has to approve the request first',
    }),
  }),
  reasons: [...LIVE, UNKNOWN, 'invite_not_found'],
})

export const leaveGroup = endpoint({
  ...common,
  summary: 'Leave a group',
  ...byJid,
  answer: z.object({ success, groupJid: z.string() }),
  reasons: [...FOR_MEMBERS, UNKNOWN],
})

export const listJoinRequests = endpoint({
  ...common,
  summary: 'List the people who ask to join a group',
  ...byJid,
  answer: z.object({
    success,
    count: z.int(),
    requests: z.array(
      z.object({
        jid: z.string(),
        phone: z.string().nullable(),
        ...personIdFields,
        requestedAt: timestamp.nullable(),
      }),
    ),
  }),
  reasons: FOR_ADMINS,
})

export const REQUEST_OUTCOMES = ['approved', 'rejected', 'no_request', 'refused'] as const
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number]

export const answerJoinRequests = endpoint({
  ...common,
  summary: 'Approve or reject requests to join a group',
  ...byJid,
  body: z
    .strictObject({ approve: people.optional(), reject: people.optional() })
    .refine((body) => (body.approve === undefined) !== (body.reject === undefined), {
      path: ['approve'],
      error: 'expected exactly one of approve and reject',
    })
    .meta({ id: 'AnswerJoinRequests', examples: [{ approve: ['5511912345678'] }] }),
  answer: z.object({
    success,
    group: Group,
    requests: z.array(z.object({ ...namedPerson, outcome: z.enum(REQUEST_OUTCOMES), networkCode })),
  }),
  reasons: [...FOR_ADMINS, UNKNOWN],
})
