// Stores the groups that the network reports, and appends an event for each change, in one transaction.

import { type MergeDeps, mergePeople } from '../contacts/merge-people.ts'
import { clearUnknownNumbers } from '../contacts/number-queries.ts'
import { schedulePictures } from '../contacts/picture-queries.ts'
import * as rows from '../contacts/reported-queries.ts'
import * as evidence from '../contacts/rules-number-evidence.ts'
import { groupParticipantsUpdate, groupUpdate, groupUpsert, type NewEvent } from '../events/rules-payloads.ts'
import { findInstanceById, type InstanceRow, updateInstance } from '../instances/instance-queries.ts'
import { ownPerson } from '../instances/rules.ts'
import type { GroupMember, GroupNotice, NetworkGroup } from '../network/groups.ts'
import type { NetworkEvent } from '../network/network.ts'
import { lockInstance } from '../store/locks.ts'
import { type Db, flag, type NewRow, type Row } from '../store/tables.ts'
import { authorOf, joinAuthor, memberChanges, type StoredSettings, settingChanges } from './rules-groups.ts'

interface GroupDeps extends MergeDeps {
  /** These numbers are registered. */
  onEvidence?: (instanceId: number, numbers: readonly string[]) => void
}
type Report<K extends 'groups' | 'all_groups'> = Omit<Extract<NetworkEvent, { kind: K }>, 'kind'>

export const recordGroups = (
  deps: GroupDeps,
  instanceId: number,
  { groups, notices = [] }: Report<'groups'>,
): Promise<void> => storeGroups(deps, instanceId, { groups, notices })

/** These are all groups of the account: the account has left the stored ones that are missing. */
export const recordAllGroups = (
  deps: GroupDeps,
  instanceId: number,
  { groups, uncertain }: Report<'all_groups'>,
): Promise<void> => storeGroups(deps, instanceId, { groups, notices: [], uncertain })

/** With `uncertain`, other groups are removed, except the uncertain ones. */
async function storeGroups(
  deps: GroupDeps,
  instanceId: number,
  { groups, notices, uncertain }: Required<Report<'groups'>> & Partial<Report<'all_groups'>>,
): Promise<void> {
  const { store, clock, onEvidence } = deps
  const numbers = evidence.numbersInGroups(groups)
  onEvidence?.(instanceId, numbers)
  await mergePeople(
    deps,
    instanceId,
    groups.flatMap(({ participants }) => participants),
  )
  const jids = groups.map((group) => group.jid)
  await store.transaction(async (tx) => {
    const instance = await lockLiving(tx, instanceId)
    if (!instance) return
    const now = clock()
    await clearUnknownNumbers(tx, instanceId, evidence.allNumberForms(numbers))
    const stored = await rows.findGroups(tx, instanceId, uncertain ? undefined : jids)
    const byJid = new Map(stored.map((row) => [row.jid, row]))
    const events = groups.flatMap((group) =>
      changesOf(instance, byJid.get(group.jid), { group, notices, now }),
    )
    if (uncertain) {
      const staying = [...jids, ...uncertain]
      const left = stored.filter(({ jid }) => !staying.includes(jid))
      events.push(...left.map(({ jid }) => leftEvent(instance, jid, notices, now)))
      await rows.deleteOtherGroups(tx, instanceId, staying)
      if (instance.groups_listed === 0) await updateInstance(tx, instanceId, { groups_listed: 1 })
    }
    await schedulePictures(tx, instanceId, jids, now)
    for (const group of groups) await rows.upsertGroup(tx, toRow(instanceId, group, now))
    await store.appendEvents(tx, isNews(instance, notices) ? events : [])
  })
}

/** The account is no longer in the group, or the group does not exist any more. */
export async function recordLeftGroup(
  { store, clock }: Pick<GroupDeps, 'store' | 'clock'>,
  instanceId: number,
  { jid, notices = [] }: Omit<Extract<NetworkEvent, { kind: 'left_group' }>, 'kind'>,
): Promise<void> {
  await store.transaction(async (tx) => {
    const instance = await lockLiving(tx, instanceId)
    if (!instance) return
    const isStored = (await rows.findGroups(tx, instanceId, [jid])).length > 0
    await rows.deleteGroup(tx, instanceId, jid)
    if (isStored) await store.appendEvents(tx, [leftEvent(instance, jid, notices, clock())])
  })
}

/** The groups of a new login are not new: they are reported only from the first list on, or if the network announced a change. */
const isNews = ({ groups_listed }: InstanceRow, notices: readonly GroupNotice[]): boolean =>
  groups_listed === 1 || notices.length > 0

async function lockLiving(tx: Db, instanceId: number): Promise<InstanceRow | undefined> {
  return (await lockInstance(tx, instanceId)) ? findInstanceById(tx, instanceId) : undefined
}

function changesOf(
  instance: InstanceRow,
  stored: Row<'groups'> | undefined,
  { group, notices, now }: { group: NetworkGroup; notices: readonly GroupNotice[]; now: number },
): NewEvent[] {
  const { jid } = group
  if (!stored) return [groupUpsert(instance.id, group, joinAuthor(jid, notices), now)]
  const before = JSON.parse(stored.participants) as GroupMember[]
  return [
    ...settingChanges(settingsIn(stored), group, notices).map((change) =>
      groupUpdate(instance.id, jid, change, now),
    ),
    ...memberChanges(jid, before, group.participants, notices).map((change) =>
      groupParticipantsUpdate(instance.id, jid, change, now),
    ),
  ]
}

function leftEvent(
  instance: InstanceRow,
  jid: string,
  notices: readonly GroupNotice[],
  now: number,
): NewEvent {
  const me = ownPerson(instance)
  const author = authorOf(notices, jid, 'remove', me)
  return groupParticipantsUpdate(instance.id, jid, { action: 'remove', author, people: [me] }, now)
}

const settingsIn = (row: Row<'groups'>): StoredSettings => ({
  subject: row.subject,
  description: row.description,
  announce: row.is_announcement === 1,
  locked: row.is_locked === 1,
  joinApproval: row.join_approval === null ? null : row.join_approval === 1,
  memberAdd: row.member_add as StoredSettings['memberAdd'],
  disappearingSeconds: row.disappearing_seconds,
})

const toRow = (instanceId: number, group: NetworkGroup, now: number): NewRow<'groups'> => ({
  instance_id: instanceId,
  jid: group.jid,
  subject: group.subject,
  description: group.description,
  owner_jid: group.ownerJid,
  group_created_at: group.createdAtMs,
  size: group.participants.length,
  is_admin: flag(group.isAdmin),
  is_announcement: flag(group.isAnnouncement),
  is_locked: flag(group.isLocked),
  join_approval: flag(group.joinApproval),
  member_add: group.memberAdd,
  disappearing_seconds: group.disappearingSeconds,
  participants: JSON.stringify(group.participants),
  updated_at: now,
})
