// Queries about one group (`w:g2`): reads, and every change that a client can request. Each has a rule that says who may.
import { deviceKey } from '../model/address.ts'
import {
  isAdmin,
  isMember,
  isSubjectTooLong,
  type MemberChange,
  mayAdd,
  mayEdit,
} from '../model/group-rules.ts'
import { type Account, accountByJid, type Group, type MemberAddMode, type World } from '../model/world.ts'
import type { ConnectedClient } from '../network/client.ts'
import {
  acceptInvitation,
  answerRequests,
  changeMembers,
  revokeInvitations,
} from '../network/group-members.ts'
import { groupNode, type MemberResult, outcomeNode, requestNodes } from '../network/group-node.ts'
import {
  renewInvite,
  setDescription,
  setEphemeral,
  setJoinApproval,
  setMemberAddMode,
  setSetting,
  setSubject,
} from '../network/groups.ts'
import { bytesOf, child, children, childrenOf, newStanzaId, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'
import { answerAllGroups, groupOf } from './groups-of-account.ts'

// Queries that change the members of a group: additions and removals, personal invitations, and requests to join.

const NOT_REGISTERED = '404'

function changeEach(change: MemberChange) {
  return async ({ state, account }: ConnectedClient, topic: Stanza, group: Group): Promise<Answer> => {
    const requested = requestedPeople(state.world, topic)
    const outcomes = await changeMembers(state, group, account, change, registered(requested))
    return [stanza(change, {}, outcomeNodes(group, requested, outcomes))]
  }
}

function listRequests({ state }: ConnectedClient, _topic: Stanza, group: Group): Answer {
  return [stanza('membership_approval_requests', {}, requestNodes(state.world, group))]
}

async function decideRequests(
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
async function accept({ state, account }: ConnectedClient, topic: Stanza, group: Group): Promise<Answer> {
  const joined = await acceptInvitation(state, group, account, topic.attrs['code'] ?? '')
  if (!joined) throw new QueryError(410, 'gone')
  const tag = joined === 'joined' ? 'group' : 'membership_approval_request'
  return [stanza(tag, { jid: group.jid })]
}

async function revoke({ state }: ConnectedClient, topic: Stanza, group: Group): Promise<Answer> {
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

interface GroupQuery {
  may: (group: Group, account: Account) => boolean
  /** The error for others; 403 by default. */
  refusal?: () => QueryError
  answer: (client: ConnectedClient, topic: Stanza, group: Group, node: Stanza) => Answer | Promise<Answer>
}

/** Clients write it in either form. */
const ALL_GROUPS: ReadonlySet<string> = new Set(['@g.us', 'g.us'])
const anyone = () => true
const notAuthorized = () => new QueryError(401, 'not-authorized')

const QUERIES: Record<string, GroupQuery> = {
  query: { may: isMember, answer: read },
  subject: { may: mayEdit, answer: rename },
  description: { may: mayEdit, answer: describe },
  ephemeral: {
    may: mayEdit,
    answer: (client, topic, group) => setTimer(client, group, Number(topic.attrs['expiration'] ?? 0)),
  },
  not_ephemeral: { may: mayEdit, answer: (client, _topic, group) => setTimer(client, group, 0) },
  announcement: { may: isAdmin, answer: setting('announcement', true) },
  not_announcement: { may: isAdmin, answer: setting('announcement', false) },
  locked: { may: isAdmin, answer: setting('locked', true) },
  unlocked: { may: isAdmin, answer: setting('locked', false) },
  member_add_mode: { may: isAdmin, answer: setAddMode },
  membership_approval_mode: { may: isAdmin, answer: setApproval },
  add: { may: mayAdd, answer: changeEach('add') },
  remove: { may: isAdmin, answer: changeEach('remove') },
  promote: { may: isAdmin, answer: changeEach('promote') },
  demote: { may: isAdmin, answer: changeEach('demote') },
  invite: { may: isAdmin, refusal: notAuthorized, answer: invite },
  revoke: { may: isAdmin, answer: revoke },
  accept: { may: anyone, answer: accept },
  membership_approval_requests: { may: isAdmin, answer: listRequests },
  membership_requests_action: { may: isAdmin, answer: decideRequests },
}

export async function answerGroups(client: ConnectedClient, node: Stanza): Promise<Answer> {
  const [topic] = children(node)
  const to = node.attrs['to'] ?? ''
  if (!topic) throw new QueryError(400, 'bad-request')
  if (ALL_GROUPS.has(to)) return answerAllGroups(client, node, topic)
  const group = groupOf(client, to)
  const query = QUERIES[topic.tag]
  if (!query) throw new QueryError(501, 'feature-not-implemented')
  if (!query.may(group, client.account)) throw query.refusal?.() ?? new QueryError(403, 'forbidden')
  return query.answer(client, topic, group, node)
}

function read(client: ConnectedClient, _topic: Stanza, group: Group): Answer {
  countQuery(client)
  return [groupNode(client.state.world, group)]
}

async function rename({ state, account }: ConnectedClient, topic: Stanza, group: Group): Promise<Answer> {
  const subject = bytesOf(topic).toString()
  if (isSubjectTooLong(subject)) throw new QueryError(406, 'not-acceptable')
  return done(setSubject(state, group, account, subject))
}

function describe({ state, account }: ConnectedClient, topic: Stanza, group: Group): Promise<Answer> {
  const body = child(topic, 'body')
  const text = topic.attrs['delete'] === 'true' || !body ? '' : bytesOf(body).toString()
  return done(setDescription(state, group, account, text, topic.attrs['id'] ?? newStanzaId()))
}

function setTimer({ state, account }: ConnectedClient, group: Group, seconds: number): Promise<Answer> {
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new QueryError(400, 'bad-request')
  return done(setEphemeral(state, group, account, seconds))
}

function setting(name: 'announcement' | 'locked', value: boolean): GroupQuery['answer'] {
  return ({ state, account }, _topic, group) => done(setSetting(state, group, account, name, value))
}

const ADD_MODES: readonly string[] = ['admin_add', 'all_member_add'] satisfies MemberAddMode[]

function setAddMode({ state, account }: ConnectedClient, topic: Stanza, group: Group): Promise<Answer> {
  const mode = bytesOf(topic).toString()
  if (!ADD_MODES.includes(mode)) throw new QueryError(400, 'bad-request')
  return done(setMemberAddMode(state, group, account, mode as MemberAddMode))
}

function setApproval({ state, account }: ConnectedClient, topic: Stanza, group: Group): Promise<Answer> {
  const mode = child(topic, 'group_join')?.attrs['state']
  if (mode !== 'on' && mode !== 'off') throw new QueryError(400, 'bad-request')
  return done(setJoinApproval(state, group, account, mode === 'on'))
}

async function invite(
  { state, account }: ConnectedClient,
  _topic: Stanza,
  group: Group,
  node: Stanza,
): Promise<Answer> {
  if (node.attrs['type'] === 'set') await renewInvite(state, group, account)
  return [stanza('invite', { code: group.inviteCode })]
}

async function done(change: Promise<unknown>): Promise<Answer> {
  await change
  return undefined
}

function countQuery({ state: { groupQueries }, account, device }: ConnectedClient): void {
  const key = deviceKey(account.number, device.id)
  groupQueries.set(key, (groupQueries.get(key) ?? 0) + 1)
}
