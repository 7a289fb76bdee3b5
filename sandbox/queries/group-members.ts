// Queries that change the members of a group: additions and removals, personal invitations, and requests to join.
import type { MemberChange } from '../model/group-rules.ts'
import { type Account, accountByJid, type Group, type World } from '../model/world.ts'
import type { ConnectedClient } from '../network/client.ts'
import {
  acceptInvitation,
  answerRequests,
  changeMembers,
  revokeInvitations,
} from '../network/group-members.ts'
import { type MemberResult, outcomeNode, requestNodes } from '../network/group-node.ts'
import { children, childrenOf, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

const NOT_REGISTERED = '404'

export function changeEach(change: MemberChange) {
  return async ({ state, account }: ConnectedClient, topic: Stanza, group: Group): Promise<Answer> => {
    const requested = requestedPeople(state.world, topic)
    const outcomes = await changeMembers(state, group, account, change, registered(requested))
    return [stanza(change, {}, outcomeNodes(group, requested, outcomes))]
  }
}

export function listRequests({ state }: ConnectedClient, _topic: Stanza, group: Group): Answer {
  return [stanza('membership_approval_requests', {}, requestNodes(state.world, group))]
}

export async function decideRequests(
  { state, account }: ConnectedClient,
  topic: Stanza,
  group: Group,
): Promise<Answer> {
  const [action] = children(topic)
  if (action?.tag !== 'approve' && action?.tag !== 'reject') throw new QueryError(400, 'bad-request')
  const requested = requestedPeople(state.world, action)
  const outcomes = await answerRequests(state, group, account, action.tag, registered(requested))
  return [stanza(topic.tag, {}, [stanza(action.tag, {}, outcomeNodes(group, requested, outcomes))])]
}

/** Accepts the personal invitation of a message. */
export async function accept(
  { state, account }: ConnectedClient,
  topic: Stanza,
  group: Group,
): Promise<Answer> {
  const joined = await acceptInvitation(state, group, account, topic.attrs['code'] ?? '')
  if (!joined) throw new QueryError(410, 'gone')
  const tag = joined === 'joined' ? 'group' : 'membership_approval_request'
  return [stanza(tag, { jid: group.jid })]
}

export async function revoke({ state }: ConnectedClient, topic: Stanza, group: Group): Promise<Answer> {
  const requested = requestedPeople(state.world, topic)
  await revokeInvitations(state, group, registered(requested))
  return [stanza('revoke', {}, childrenOf(topic, 'participant'))]
}

interface Requested {
  jid: string
  person: Account | undefined
}

function requestedPeople(world: World, node: Stanza): Requested[] {
  return childrenOf(node, 'participant').map(({ attrs }) => ({
    jid: attrs['jid'] ?? '',
    person: accountByJid(world, attrs['jid']),
  }))
}

function registered(requested: Requested[]): Account[] {
  return requested.flatMap(({ person }) => person ?? [])
}

function outcomeNodes(group: Group, requested: Requested[], outcomes: MemberResult[]): Stanza[] {
  return requested.map(({ jid, person }) => {
    const outcome = outcomes.find((candidate) => candidate.person === person)
    return outcome ? outcomeNode(jid, group, outcome) : stanza('participant', { jid, error: NOT_REGISTERED })
  })
}
