// `groups`: groups of an instance, their members and invite links.
import type { z } from 'zod'
import type { Group } from '../../contract/contacts.ts'
import type { changeGroupMembers } from '../../contract/groups.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { command, type Output, SERVER_OPTIONS } from './command.ts'
import { record, table } from './print.ts'

type GroupAnswer = z.output<typeof Group>
type MembersAnswer = z.output<(typeof changeGroupMembers)['answer']>

const JID = 'GROUP_JID'
const options = {
  ...SERVER_OPTIONS,
  instance: { type: 'string', value: 'API_NAME', help: 'The instance', required: true },
} as const
const numberOption = {
  type: 'string',
  value: 'NUMBER',
  help: 'Phone number with country code',
  multiple: true,
  required: true,
} as const

const fieldsOf = (group: GroupAnswer) => ({
  'group jid': group.groupJid,
  subject: group.subject,
  members: group.size,
  admin: group.isAdmin,
})

const detailsOf = (group: GroupAnswer) => ({
  ...fieldsOf(group),
  description: group.description,
  owner: group.ownerJid,
  created: group.createdAt,
  'only admins write': group.isAnnouncement,
  'only admins change settings': group.isLocked,
  'admins approve members': group.joinApproval,
  'who adds members': group.memberAdd,
  'disappearing seconds': group.disappearingSeconds,
  participants: group.participants?.map(
    ({ jid, phone, isAdmin }) => `${phone ?? jid}${isAdmin ? ' (admin)' : ''}`,
  ),
})

/** The outcome per number; exit code 1 if one of them is not as requested. */
function outcomes(answer: MembersAnswer, wanted: string): Output {
  const rows = answer.members.map(({ number, outcome, networkCode }) => [number, outcome, networkCode])
  return {
    json: answer,
    text: table(['number', 'outcome', 'code'], rows),
    hasProblems: answer.members.some(({ outcome }) => outcome !== wanted),
  }
}

const readCommands = [
  command({
    name: 'groups list',
    summary: 'List the groups of an instance',
    parameters: [],
    options,
    async run(context, { instance }) {
      const answer = await (await context.account()).listGroups({ query: { instanceName: instance } })
      const rows = answer.groups.map((group) => Object.values(fieldsOf(group)))
      return { json: answer, text: table(['group jid', 'subject', 'members', 'admin'], rows) }
    },
  }),
  command({
    name: 'groups show',
    summary: 'Show a group and its participants',
    parameters: [JID],
    options,
    async run(context, { instance }, [groupJid]) {
      const query = { instanceName: instance }
      const answer = await (await context.account()).getGroup({ params: { groupJid }, query })
      return { json: answer, text: record(detailsOf(answer.group)) }
    },
  }),
  command({
    name: 'groups invite',
    summary: 'Show the invite link of a group',
    parameters: [JID],
    options: {
      ...options,
      reset: { type: 'boolean', help: 'Replace the link; the old one no longer works' },
    },
    async run(context, { instance, reset }, [groupJid]) {
      const client = await context.account()
      const input = { params: { groupJid }, query: { instanceName: instance } }
      const answer = await (reset ? client.resetGroupInvite(input) : client.getGroupInvite(input))
      return { json: answer, text: answer.link }
    },
  }),
]

const changeCommands = [
  command({
    name: 'groups create',
    summary: 'Create a group',
    parameters: ['SUBJECT'],
    options: {
      ...options,
      member: numberOption,
      description: { type: 'string', value: 'TEXT', help: 'Description of the group' },
      'picture-url': { type: 'string', value: 'URL', help: 'Picture of the group: a JPEG or PNG' },
      'picture-id': {
        type: 'string',
        value: 'ID',
        help: 'Picture that was uploaded before, instead of --picture-url',
      },
    },
    async run(context, { instance, member, description, ...values }, [subject]) {
      const source = omitUndefined({ mediaUrl: values['picture-url'], mediaId: values['picture-id'] })
      const picture = Object.keys(source).length === 0 ? undefined : source
      const more = omitUndefined({ description, picture })
      const body = { instanceName: instance, subject, members: member, ...more }
      const answer = await (await context.account()).createGroup({ body })
      const { text, ...rest } = outcomes(answer, 'added')
      return { ...rest, text: `${record(fieldsOf(answer.group))}\n\n${text}` }
    },
  }),
  command({
    name: 'groups add',
    summary: 'Add members to a group',
    parameters: [JID],
    options: { ...options, number: numberOption },
    async run(context, { instance, number }, [groupJid]) {
      const input = { params: { groupJid }, query: { instanceName: instance }, body: { add: number } }
      return outcomes(await (await context.account()).changeGroupMembers(input), 'added')
    },
  }),
  command({
    name: 'groups remove',
    summary: 'Remove members from a group',
    parameters: [JID],
    options: { ...options, number: numberOption },
    async run(context, { instance, number }, [groupJid]) {
      const input = { params: { groupJid }, query: { instanceName: instance }, body: { remove: number } }
      return outcomes(await (await context.account()).changeGroupMembers(input), 'removed')
    },
  }),
]

export const groupCommands = [...readCommands, ...changeCommands]
