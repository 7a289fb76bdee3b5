// Groups: their members and settings, and the notification that every change sends to all members.
import { randomBytes, randomInt } from 'node:crypto'
import { deviceKey, jidOf, lidJid, pnJid } from '../model/address.ts'
import { type Account, type AccountDevice, deviceIds, type Group, type World } from '../model/world.ts'
import { writeGroup } from '../store/documents.ts'
import { newStanzaId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import { deliver, enqueue } from './delivery.ts'
import { groupAttributes, groupDevices } from './routing.ts'
import type { WorldChangeState } from './sandbox-state.ts'

export const MEMBER_CHANGES = ['add', 'remove', 'promote', 'demote'] as const
export type MemberChange = (typeof MEMBER_CHANGES)[number]

export async function createGroup(
  state: WorldChangeState,
  creator: Account,
  subject: string,
  members: Account[],
): Promise<Group> {
  const createdAt = Math.floor(Date.now() / 1000)
  const group: Group = {
    jid: `120363${Date.now()}${randomInt(100, 999)}@g.us`,
    ...(creator.owner === undefined ? {} : { owner: creator.owner }),
    subject,
    subjectBy: creator.number,
    subjectAt: createdAt,
    description: null,
    creator: creator.number,
    createdAt,
    addressing: state.world.addressing,
    members: Object.fromEntries(members.map((member) => [member.number, 'member'])),
    announcement: false,
    locked: false,
    ephemeralSeconds: 0,
    inviteCode: randomBytes(11).toString('base64url'),
    picture: null,
  }
  group.members[creator.number] = 'superadmin'
  state.world.groups.set(group.jid, group)
  await announce(state, group, creator, stanza('create', {}, [groupNode(state.world, group)]))
  return group
}

export async function changeMembers(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  change: MemberChange,
  people: Account[],
): Promise<void> {
  const concerned = people.filter((person) => (change === 'add') !== person.number in group.members)
  if (concerned.length === 0) return
  const notice = stanza(
    change,
    {},
    concerned.map((person) => memberNode(group, person)),
  )
  // Removed members are notified too, so the audience is determined before the change.
  const audience = change === 'remove' ? groupDevices(state.world, group) : []
  for (const person of concerned) applyChange(group, person, change)
  await announce(state, group, actor, notice, audience)
}

export async function leaveGroup(state: WorldChangeState, group: Group, account: Account): Promise<void> {
  await changeMembers(state, group, account, 'remove', [account])
}

export async function setSubject(state: WorldChangeState, group: Group, actor: Account, subject: string) {
  Object.assign(group, { subject, subjectBy: actor.number, subjectAt: Math.floor(Date.now() / 1000) })
  await announce(state, group, actor, stanza('subject', { subject, s_t: nowSeconds() }))
}

export async function setDescription(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  text: string,
  id: string,
): Promise<void> {
  const at = Math.floor(Date.now() / 1000)
  group.description = text === '' ? null : { id, text, by: actor.number, at }
  const body = text === '' ? [stanza('delete')] : [stanza('body', {}, Buffer.from(text))]
  await announce(state, group, actor, stanza('description', { id }, body))
}

export async function setSetting(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  setting: 'announcement' | 'locked',
  value: boolean,
): Promise<void> {
  group[setting] = value
  const off = setting === 'locked' ? 'unlocked' : 'not_announcement'
  await announce(state, group, actor, stanza(value ? setting : off))
}

export async function setEphemeral(state: WorldChangeState, group: Group, actor: Account, seconds: number) {
  group.ephemeralSeconds = seconds
  const notice = seconds > 0 ? stanza('ephemeral', { expiration: String(seconds) }) : stanza('not_ephemeral')
  await announce(state, group, actor, notice)
}

export async function renewInvite(state: WorldChangeState, group: Group, actor: Account): Promise<void> {
  group.inviteCode = randomBytes(11).toString('base64url')
  await announce(state, group, actor, stanza('invite', { code: group.inviteCode }))
}

export function isAdmin(group: Group, account: Account): boolean {
  const role = group.members[account.number]
  return role === 'admin' || role === 'superadmin'
}

/** The stanza that describes a group to clients. */
export function groupNode(world: World, group: Group): Stanza {
  const person = (number: string) => world.accounts.get(number) ?? { number, lid: '' }
  const creator = person(group.creator)
  const attributes = {
    id: group.jid.replace('@g.us', ''),
    subject: group.subject,
    s_t: String(group.subjectAt),
    s_o: jidOf(person(group.subjectBy), group.addressing),
    creation: String(group.createdAt),
    creator: jidOf(creator, group.addressing),
    creator_pn: pnJid(creator),
    addressing_mode: group.addressing,
    size: String(Object.keys(group.members).length),
  }
  const members = Object.keys(group.members).map((number) => memberNode(group, person(number)))
  return stanza('group', attributes, [...members, ...settingNodes(group, person)])
}

function settingNodes(group: Group, person: (number: string) => { number: string; lid: string }): Stanza[] {
  const nodes: Stanza[] = []
  if (group.announcement) nodes.push(stanza('announcement'))
  if (group.locked) nodes.push(stanza('locked'))
  if (group.ephemeralSeconds > 0)
    nodes.push(stanza('ephemeral', { expiration: String(group.ephemeralSeconds) }))
  if (group.description) {
    const { id, text, by, at } = group.description
    const attributes = { id, t: String(at), participant: jidOf(person(by), group.addressing) }
    nodes.push(stanza('description', attributes, [stanza('body', {}, Buffer.from(text))]))
  }
  return nodes
}

function memberNode(group: Group, person: { number: string; lid: string }): Stanza {
  const role = group.members[person.number]
  return stanza('participant', {
    jid: jidOf(person, group.addressing),
    ...(group.addressing === 'lid' ? { phone_number: pnJid(person) } : { lid: lidJid(person) }),
    type: role === 'member' ? undefined : role,
  })
}

function applyChange(group: Group, person: Account, change: MemberChange): void {
  if (change === 'remove') delete group.members[person.number]
  else group.members[person.number] = change === 'promote' ? 'admin' : 'member'
}

/** Saves the group and sends the notification to every device of every member. */
async function announce(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  notice: Stanza,
  audience: AccountDevice[] = [],
): Promise<void> {
  writeGroup(state.database, group)
  const everyone = new Map<string, AccountDevice>()
  for (const member of [...audience, ...groupDevices(state.world, group)])
    everyone.set(deviceKey(member.account.number, member.device), member)
  const owners = [...everyone.values()].map(({ account }) => account.owner)
  state.changes.record({ about: 'world' }, [group.owner, ...owners])
  const attributes = {
    ...groupAttributes({ account: actor, device: 0 }, group),
    type: 'w:gp2',
    notify: actor.name,
    t: nowSeconds(),
  }
  const deliveries = [...everyone.values()]
    .filter(({ account, device }) => deviceIds(account).includes(device))
    .map(({ account, device }) =>
      enqueue(
        state.database,
        account,
        device,
        stanza('notification', { ...attributes, id: newStanzaId() }, [notice]),
      ),
    )
  await deliver(state, deliveries)
}
