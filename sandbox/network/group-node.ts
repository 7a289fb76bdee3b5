// The stanzas that describe groups and their members to clients.
import { jidOf, lidJid, shownPn } from '../model/address.ts'
import type { MemberCode } from '../model/group-rules.ts'
import type { Account, Group, PersonalInvitation, World } from '../model/world.ts'
import { type Stanza, type StanzaAttributes, stanza } from '../wire/stanza.ts'

/** The result of a change for one person. */
export interface MemberResult {
  person: Account
  code: MemberCode
  /** With code 403: the person can join with this invitation. */
  invitation?: PersonalInvitation
}

interface Named {
  number: string
  lid: string
  hidesNumber?: boolean
  username?: string | null
}

/** People who could not be added to a new group are listed with their error. */
export function groupNode(world: World, group: Group, refused: MemberResult[] = []): Stanza {
  const person = (number: string): Named => world.accounts.get(number) ?? { number, lid: '' }
  const creator = person(group.creator)
  const attributes = {
    id: group.jid.replace('@g.us', ''),
    subject: group.subject,
    s_t: String(group.subjectAt),
    s_o: jidOf(person(group.subjectBy), group.addressing),
    creation: String(group.createdAt),
    creator: jidOf(creator, group.addressing),
    creator_pn: shownPn(creator),
    addressing_mode: group.addressing,
    size: String(Object.keys(group.members).length),
  }
  const members = Object.keys(group.members).map((number) => memberNode(group, person(number)))
  const others = refused.map((outcome) =>
    outcomeNode(jidOf(outcome.person, group.addressing), group, outcome),
  )
  return stanza('group', attributes, [...members, ...others, ...settingNodes(group, person)])
}

function settingNodes(group: Group, person: (number: string) => Named): Stanza[] {
  const nodes = [stanza('member_add_mode', {}, Buffer.from(group.memberAddMode))]
  if (group.announcement)
    nodes.push(stanza('announcement', { v_id: group.announcementVersion ?? String(group.createdAt) }))
  if (group.locked) nodes.push(stanza('locked'))
  if (group.joinApproval) nodes.push(approvalNode('on'))
  if (group.ephemeralSeconds > 0)
    nodes.push(stanza('ephemeral', { expiration: String(group.ephemeralSeconds) }))
  if (group.description) {
    const { id, text, by, at } = group.description
    const attributes = { id, t: String(at), participant: jidOf(person(by), group.addressing) }
    nodes.push(stanza('description', attributes, [stanza('body', {}, Buffer.from(text))]))
  }
  return nodes
}

export function approvalNode(state: 'on' | 'off'): Stanza {
  return stanza('membership_approval_mode', {}, [stanza('group_join', { state })])
}

export function memberNode(group: Group, person: Named): Stanza {
  const role = group.members[person.number]
  return stanza('participant', {
    jid: jidOf(person, group.addressing),
    ...otherForm(group, person),
    username: person.username ?? undefined,
    type: role === 'member' ? undefined : role,
  })
}

/** Names the person as the request did. */
export function outcomeNode(jid: string, group: Group, { person, code, invitation }: MemberResult): Stanza {
  const attributes = { jid, ...otherForm(group, person), error: code === '200' ? undefined : code }
  const request =
    invitation && stanza('add_request', { code: invitation.code, expiration: String(invitation.expiresAt) })
  return stanza('participant', attributes, request && [request])
}

export function requestNodes(world: World, group: Group): Stanza[] {
  return Object.entries(group.requests).flatMap(([number, { method, by, at }]) => {
    const person = world.accounts.get(number)
    const requestor = world.accounts.get(by)
    if (!person) return []
    const attributes = {
      jid: jidOf(person, group.addressing),
      ...otherForm(group, person),
      request_method: method,
      request_time: String(at),
      requestor: requestor && requestor !== person ? jidOf(requestor, group.addressing) : undefined,
    }
    return stanza('membership_approval_request', attributes)
  })
}

function otherForm(group: Group, person: Named): StanzaAttributes {
  return group.addressing === 'lid' ? { phone_number: shownPn(person) } : { lid: lidJid(person) }
}
