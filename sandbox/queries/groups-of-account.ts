// Queries about the groups of an account (`w:g2` to all groups): listing, creating, leaving, and invite links.
import { isMember, isSubjectTooLong } from '../model/group-rules.ts'
import { accountByJid, type Group } from '../model/world.ts'
import type { ConnectedClient } from '../network/client.ts'
import { groupWithCode, joinByLink, leaveGroup } from '../network/group-members.ts'
import { groupNode } from '../network/group-node.ts'
import { createGroup } from '../network/groups.ts'
import { childrenOf, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

type Query = (client: ConnectedClient, topic: Stanza, node: Stanza) => Answer | Promise<Answer>

const QUERIES: Record<string, Query> = {
  participating: list,
  create,
  leave,
  invite: (client, topic, node) => useLink(client, topic.attrs['code'] ?? '', node.attrs['type'] === 'get'),
}

export function answerAllGroups(
  client: ConnectedClient,
  node: Stanza,
  topic: Stanza,
): Answer | Promise<Answer> {
  const query = QUERIES[topic.tag]
  if (!query) throw new QueryError(501, 'feature-not-implemented')
  return query(client, topic, node)
}

export function groupOf({ state }: ConnectedClient, jid: string): Group {
  const group = state.world.groups.get(jid)
  if (!group) throw new QueryError(404, 'item-not-found')
  return group
}

function list({ state, account }: ConnectedClient): Answer {
  const own = [...state.world.groups.values()].filter((group) => isMember(group, account))
  const nodes = own.map((group) => groupNode(state.world, group))
  return [stanza('groups', {}, nodes)]
}

async function create({ state, account }: ConnectedClient, topic: Stanza): Promise<Answer> {
  const subject = topic.attrs['subject'] ?? ''
  if (isSubjectTooLong(subject)) throw new QueryError(406, 'not-acceptable')
  const people = childrenOf(topic, 'participant').flatMap(
    (part) => accountByJid(state.world, part.attrs['jid']) ?? [],
  )
  const { group, outcomes } = await createGroup(state, account, subject, people)
  const refused = outcomes.filter(({ code }) => code !== '200')
  return [groupNode(state.world, group, refused)]
}

async function leave(client: ConnectedClient, topic: Stanza): Promise<Answer> {
  const { state, account } = client
  const left = childrenOf(topic, 'group')
  for (const part of left) {
    const group = groupOf(client, part.attrs['id'] ?? '')
    if (!isMember(group, account)) throw new QueryError(403, 'forbidden')
    await leaveGroup(state, group, account)
  }
  return [stanza('leave', {}, left)]
}

async function useLink({ state, account }: ConnectedClient, code: string, isRead: boolean): Promise<Answer> {
  const group = groupWithCode(state.world, code)
  if (group === 'revoked') throw new QueryError(410, 'gone')
  if (!group) throw new QueryError(406, 'not-acceptable')
  if (isRead) return [groupNode(state.world, group)]
  if (isMember(group, account)) throw new QueryError(409, 'conflict')
  const joined = await joinByLink(state, group, account)
  const tag = joined === 'joined' ? 'group' : 'membership_approval_request'
  return [stanza(tag, { jid: group.jid })]
}
