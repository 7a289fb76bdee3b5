// Groups in the dialect.
import { z } from 'zod'
import { GROUP_PICTURE_BYTES } from '../../contract/media-limits.ts'
import type { AnswerOf } from '../../contract/route.ts'
import type { Routes } from '../../contract/routes.ts'
import { DISAPPEARING_SECONDS } from '../../contract/values.ts'
import { readNamedPicture } from '../../files/uploads.ts'
import { personOf } from './addresses.ts'
import { type CallContext, call, looseFlag, optionalText, text, wholeNumber } from './call.ts'
import { requireMedia } from './files.ts'

type Group = AnswerOf<Routes['getGroup']>['group']
type Participant = NonNullable<Group['participants']>[number]

const byJid = z.object({ groupJid: text })
const address = ({ instanceName }: CallContext, groupJid: string) => ({
  params: { groupJid },
  query: { instanceName },
})

const shownParticipant = ({ jid, phone, isAdmin }: Participant) => ({
  id: jid,
  phoneNumber: phone,
  admin: isAdmin ? 'admin' : null,
})

const shownGroup = (group: Group) => ({
  id: group.groupJid,
  subject: group.subject,
  subjectOwner: null,
  subjectTime: null,
  pictureUrl: group.profilePictureUrl,
  size: group.size,
  creation: group.createdAt === null ? null : Math.floor(Date.parse(group.createdAt) / 1000),
  owner: group.ownerJid,
  desc: group.description,
  descId: null,
  restrict: group.isLocked,
  announce: group.isAnnouncement,
  isCommunity: false,
  isCommunityAnnounce: false,
  joinApprovalMode: group.joinApproval,
  memberAddMode: group.memberAdd === 'all',
  ephemeralDuration: group.disappearingSeconds,
  ...(group.participants && { participants: group.participants.map(shownParticipant) }),
})

export const createGroup = call({
  admission: 'createGroup',
  status: 201,
  body: z.object({
    subject: text,
    participants: z.array(text),
    description: optionalText,
    promoteParticipants: looseFlag.nullish(),
  }),
  fields: { members: 'participants' },
  async handle(context, { body }) {
    const { use, instanceName } = context
    const { subject, description } = body
    const numbers = body.participants.map(personOf)
    const created = await use('createGroup', {
      body: { instanceName, subject, members: numbers, ...(description && { description }) },
    })
    const { groupJid } = created.group
    const added = numbers.filter((_number, index) => created.members[index]?.outcome === 'added')
    if (body.promoteParticipants && added.length > 0)
      await use('changeGroupMembers', { ...address(context, groupJid), body: { promote: added } })
    return shownGroup((await use('getGroup', address(context, groupJid))).group)
  },
})

type GroupChange = Parameters<typeof changeGroup>[2]

async function changeGroup(
  context: CallContext,
  groupJid: string,
  body: {
    subject?: string
    description?: string | null
    announce?: boolean
    locked?: boolean
    memberAdd?: 'all' | 'admins'
    disappearingSeconds?: (typeof DISAPPEARING_SECONDS)[number]
  },
) {
  await context.use('updateGroup', { ...address(context, groupJid), body })
}

export const updateGroupSubject = call({
  admission: 'updateGroup',
  status: 201,
  query: byJid,
  body: z.object({ subject: text }),
  async handle(context, { query, body }) {
    await changeGroup(context, query.groupJid, { subject: body.subject })
    return { update: 'success' }
  },
})

export const updateGroupDescription = call({
  admission: 'updateGroup',
  status: 201,
  query: byJid,
  body: z.object({ description: text }),
  async handle(context, { query, body }) {
    await changeGroup(context, query.groupJid, { description: body.description || null })
    return { update: 'success' }
  },
})

export const updateGroupPicture = call({
  admission: 'setGroupPicture',
  status: 201,
  fileField: 'image',
  query: byJid,
  body: z.object({ image: optionalText }),
  fields: { 'picture.mediaUrl': 'image', 'picture.mediaId': 'image' },
  async handle(context, { query, body }) {
    const { use, parts, caller } = context
    const named = await requireMedia(context, { field: 'image', value: body.image })
    const picture = await readNamedPicture(parts, caller, named)
    const file = { bytes: once(picture), contentType: 'image/jpeg', sizeBytes: picture.byteLength }
    await use('setGroupPicture', { ...address(context, query.groupJid), file })
    return { update: 'success' }
  },
})

/** Already scaled: it is smaller than `GROUP_PICTURE_BYTES`. */
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength <= GROUP_PICTURE_BYTES) yield bytes
}

export const findGroupInfos = call({
  admission: 'getGroup',
  status: 200,
  query: byJid,
  handle: async (context, { query }) =>
    shownGroup((await context.use('getGroup', address(context, query.groupJid))).group),
})

export const fetchAllGroups = call({
  admission: 'listGroups',
  status: 200,
  query: z.object({ getParticipants: z.enum(['true', 'false']) }),
  async handle({ use, instanceName }, { query }) {
    const { groups } = await use('listGroups', {
      query: { instanceName, participants: query.getParticipants },
    })
    return groups.map(shownGroup)
  },
})

export const participants = call({
  admission: 'getGroup',
  status: 200,
  query: byJid,
  async handle(context, { query }) {
    const { group } = await context.use('getGroup', address(context, query.groupJid))
    return { participants: (group.participants ?? []).map(shownParticipant) }
  },
})

export const inviteCode = call({
  admission: 'getGroupInvite',
  status: 200,
  query: byJid,
  async handle(context, { query }) {
    const { code, link } = await context.use('getGroupInvite', address(context, query.groupJid))
    return { inviteUrl: link, inviteCode: code }
  },
})

const byCode = z.object({ inviteCode: text })

export const inviteInfo = call({
  admission: 'previewGroupInvite',
  status: 200,
  query: byCode,
  fields: { code: 'inviteCode' },
  async handle({ use, instanceName }, { query }) {
    const { preview } = await use('previewGroupInvite', {
      params: { code: query.inviteCode },
      query: { instanceName },
    })
    return {
      id: preview.groupJid,
      subject: preview.subject,
      desc: preview.description,
      owner: preview.ownerJid,
      creation: preview.createdAt === null ? null : Math.floor(Date.parse(preview.createdAt) / 1000),
      size: preview.size,
      joinApprovalMode: preview.joinApproval,
    }
  },
})

export const acceptInviteCode = call({
  admission: 'joinGroup',
  status: 200,
  query: byCode,
  fields: { code: 'inviteCode' },
  async handle({ use, instanceName }, { query }) {
    const { groupJid, status } = await use('joinGroup', { body: { instanceName, code: query.inviteCode } })
    return { accepted: status === 'joined', groupJid }
  },
})

const MAX_INVITED = 100

/** A text with the link to each of them, through the queue of its chat. */
export const sendInvite = call({
  admission: 'sendText',
  status: 200,
  body: z.object({ groupJid: text, description: text, numbers: z.array(text).min(1).max(MAX_INVITED) }),
  fields: { number: 'numbers', message: 'description' },
  async handle(context, { body }) {
    const { use, instanceName } = context
    const { link } = await use('getGroupInvite', address(context, body.groupJid))
    const message = `${body.description}\n\n${link}`
    for (const number of body.numbers)
      await use('sendText', { body: { instanceName, number: personOf(number), message, delay: 0 } })
    return { send: true, inviteUrl: link }
  },
})

export const revokeInviteCode = call({
  admission: 'resetGroupInvite',
  status: 201,
  query: byJid,
  async handle(context, { query }) {
    const { code } = await context.use('resetGroupInvite', address(context, query.groupJid))
    return { revoked: true, inviteCode: code }
  },
})

/** The codes of the network for what became of each member. */
const OUTCOME_CODES: Readonly<Record<string, string>> = {
  added: '200',
  removed: '200',
  promoted: '200',
  demoted: '200',
  already_member: '409',
  not_a_member: '404',
  not_on_network: '404',
  invited: '403',
}

export const updateParticipant = call({
  admission: 'changeGroupMembers',
  status: 201,
  query: byJid,
  body: z.object({
    action: z.enum(['add', 'remove', 'promote', 'demote']),
    participants: z.array(text),
  }),
  fields: { add: 'participants', remove: 'participants', promote: 'participants', demote: 'participants' },
  async handle(context, { query, body }) {
    const { members } = await context.use('changeGroupMembers', {
      ...address(context, query.groupJid),
      body: { [body.action]: body.participants.map(personOf) },
    })
    return {
      updateParticipants: members.map(({ chat, outcome, networkCode }) => ({
        jid: chat,
        status: OUTCOME_CODES[outcome] ?? String(networkCode ?? 400),
      })),
    }
  },
})

const SETTINGS: Readonly<Record<string, GroupChange>> = {
  announcement: { announce: true },
  not_announcement: { announce: false },
  locked: { locked: true },
  unlocked: { locked: false },
}

export const updateSetting = call({
  admission: 'updateGroup',
  status: 201,
  query: byJid,
  body: z.object({ action: z.enum(['announcement', 'not_announcement', 'locked', 'unlocked']) }),
  async handle(context, { query, body }) {
    await changeGroup(context, query.groupJid, SETTINGS[body.action] ?? {})
    return { updateSetting: 'success' }
  },
})

export const updateMemberAddMode = call({
  admission: 'updateGroup',
  status: 201,
  query: byJid,
  body: z.object({ mode: z.enum(['all_member_add', 'admin_add']) }),
  async handle(context, { query, body }) {
    const memberAdd = body.mode === 'all_member_add' ? 'all' : 'admins'
    await changeGroup(context, query.groupJid, { memberAdd })
    return { update: 'success' }
  },
})

export const toggleEphemeral = call({
  admission: 'updateGroup',
  status: 201,
  query: byJid,
  body: z.object({ expiration: wholeNumber.pipe(z.literal(DISAPPEARING_SECONDS)) }),
  async handle(context, { query, body }) {
    await changeGroup(context, query.groupJid, { disappearingSeconds: body.expiration })
    return { success: true }
  },
})

export const leaveGroup = call({
  admission: 'leaveGroup',
  status: 200,
  query: byJid,
  async handle(context, { query }) {
    const { groupJid } = await context.use('leaveGroup', address(context, query.groupJid))
    return { groupJid, leave: true }
  },
})
