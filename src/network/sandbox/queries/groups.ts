// Queries about groups (`w:g2`): reads, and every change that a client can request.
import { deviceKey } from '../model/address.ts'
import { accountByJid, type Group } from '../model/world.ts'
import type { Client } from '../network/client.ts'
import {
  changeMembers,
  createGroup,
  groupNode,
  isAdmin,
  leaveGroup,
  MEMBER_CHANGES,
  type MemberChange,
  renewInvite,
  setDescription,
  setEphemeral,
  setSetting,
  setSubject,
} from '../network/groups.ts'
import { bytesOf, child, children, childrenOf, newStanzaId, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

type GroupQuery = (client: Client, topic: Stanza, group: Group) => Answer | Promise<Answer>

const ALL_GROUPS = '@g.us'

/** Queries open to every member, and changes that only an admin may make. */
const FOR_MEMBERS: Record<string, GroupQuery> = {
  query: (client, _topic, group) => {
    countQuery(client)
    return [groupNode(client.state.world, group)]
  },
  membership_approval_requests: () => [stanza('membership_approval_requests')],
}
const FOR_ADMINS: Record<string, GroupQuery> = {
  subject: (client, topic, group) =>
    done(setSubject(client.state, group, client.account, bytesOf(topic).toString())),
  description: describe,
  announcement: setting('announcement', true),
  not_announcement: setting('announcement', false),
  locked: setting('locked', true),
  unlocked: setting('locked', false),
  ephemeral: (client, topic, group) =>
    done(setEphemeral(client.state, group, client.account, Number(topic.attrs['expiration'] ?? 0))),
  not_ephemeral: (client, _topic, group) => done(setEphemeral(client.state, group, client.account, 0)),
  member_add_mode: () => undefined,
  membership_approval_mode: () => undefined,
}

export async function answerGroups(client: Client, node: Stanza): Promise<Answer> {
  const [topic] = children(node)
  const to = node.attrs['to'] ?? ''
  if (!topic) throw new QueryError(400, 'bad-request')
  if (to === ALL_GROUPS) return answerAll(client, node, topic)
  const group = memberGroup(client, to)
  if (topic.tag in FOR_MEMBERS) return FOR_MEMBERS[topic.tag]?.(client, topic, group)
  if (!isAdmin(group, client.account)) throw new QueryError(403, 'forbidden')
  if (topic.tag === 'invite') return invite(client, node, group)
  if (isMemberChange(topic.tag)) return changeEach(client, topic, group, topic.tag)
  const query = FOR_ADMINS[topic.tag]
  if (!query) throw new QueryError(501, 'feature-not-implemented')
  return query(client, topic, group)
}

async function answerAll(client: Client, node: Stanza, topic: Stanza): Promise<Answer> {
  const { state, account } = client
  switch (topic.tag) {
    case 'participating': {
      const own = [...state.world.groups.values()].filter((group) => group.members[account.number])
      return [
        stanza(
          'groups',
          {},
          own.map((group) => groupNode(state.world, group)),
        ),
      ]
    }
    case 'create': {
      const members = childrenOf(topic, 'participant').flatMap(
        (part) => accountByJid(state.world, part.attrs['jid']) ?? [],
      )
      const group = await createGroup(state, account, topic.attrs['subject'] ?? '', members)
      return [groupNode(state.world, group)]
    }
    case 'leave': {
      const left = childrenOf(topic, 'group')
      for (const part of left) await leaveGroup(state, memberGroup(client, part.attrs['id'] ?? ''), account)
      return [stanza('leave', {}, left)]
    }
    case 'invite':
      return join(client, node, topic.attrs['code'])
    default:
      throw new QueryError(501, 'feature-not-implemented')
  }
}

async function join({ state, account }: Client, node: Stanza, code: string | undefined): Promise<Answer> {
  const group = [...state.world.groups.values()].find((candidate) => candidate.inviteCode === code)
  if (!group) throw new QueryError(404, 'item-not-found')
  if (node.attrs['type'] === 'get') return [groupNode(state.world, group)]
  await changeMembers(state, group, account, 'add', [account])
  return [stanza('group', { jid: group.jid })]
}

async function invite({ state, account }: Client, node: Stanza, group: Group): Promise<Answer> {
  if (node.attrs['type'] === 'set') await renewInvite(state, group, account)
  return [stanza('invite', { code: group.inviteCode })]
}

async function changeEach(
  client: Client,
  topic: Stanza,
  group: Group,
  change: MemberChange,
): Promise<Answer> {
  const { state, account } = client
  const asked = childrenOf(topic, 'participant').map((part) => part.attrs['jid'] ?? '')
  const people = asked.flatMap((jid) => accountByJid(state.world, jid) ?? [])
  await changeMembers(state, group, account, change, people)
  const outcome = asked.map((jid) =>
    stanza('participant', { jid, error: accountByJid(state.world, jid) ? undefined : '404' }),
  )
  return [stanza(topic.tag, {}, outcome)]
}

function describe({ state, account }: Client, topic: Stanza, group: Group): Promise<Answer> {
  const body = child(topic, 'body')
  const text = topic.attrs['delete'] === 'true' || !body ? '' : bytesOf(body).toString()
  return done(setDescription(state, group, account, text, topic.attrs['id'] ?? newStanzaId()))
}

function setting(name: 'announcement' | 'locked', value: boolean): GroupQuery {
  return ({ state, account }, _topic, group) => done(setSetting(state, group, account, name, value))
}

async function done(change: Promise<unknown>): Promise<Answer> {
  await change
  return undefined
}

function countQuery({ state: { groupQueries }, account, device }: Client): void {
  const key = deviceKey(account.number, device.id)
  groupQueries.set(key, (groupQueries.get(key) ?? 0) + 1)
}

function memberGroup({ state, account }: Client, jid: string): Group {
  const group = state.world.groups.get(jid)
  if (!group) throw new QueryError(404, 'item-not-found')
  if (!group.members[account.number]) throw new QueryError(403, 'forbidden')
  return group
}

function isMemberChange(tag: string): tag is MemberChange {
  return (MEMBER_CHANGES as readonly string[]).includes(tag)
}
