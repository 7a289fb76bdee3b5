// Received messages that change other messages: loads the target and asks the rule whether the sender may change it (decision 0073).

import { chatForms } from '../chats/rules.ts'
import { findLid, findPhone } from '../contacts/reported-queries.ts'
import type { Direction } from '../contract/messages.ts'
import type { GroupMember } from '../network/groups.ts'
import { isGroupJid, isLid, personJid, phoneOf } from '../network/jid.ts'
import type { ReceivedMessage, StoredOriginal } from '../network/message.ts'
import type { Db } from '../store/tables.ts'
import { findGroupMembers, findTargets } from './change-queries.ts'
import { type Change, changePermission, type KnownMessage } from './rules.ts'

/** The target of a change, as it is stored. */
export interface ChangeTarget {
  messageId: string
  /** Null where no such message is stored. */
  direction: Direction | null
  /** The jid of its author. */
  author: string | null
}

export type ReceivedChange =
  | { verdict: 'genuine'; target: ChangeTarget; by: 'author' | 'admin' | null }
  | { verdict: 'forged' | 'unknown' }

type ChangeMessage = Pick<ReceivedMessage, 'type' | 'chat' | 'from' | 'fromMe' | 'target'>

/** Undefined for a message without a target. `ownJid` is the jid of the instance. */
export async function checkReceivedChange(
  db: Db,
  instanceId: number,
  message: ChangeMessage,
  ownJid: string | null,
): Promise<ReceivedChange | undefined> {
  const { target } = message
  if (!target) return undefined
  const known = (await findTargets(db, instanceId, target.messageId)).map(toKnown)
  const change = await toChange(db, instanceId, message, target)
  const permission = changePermission(change, known, await isAdmin(db, instanceId, message, change))
  if (permission.verdict !== 'genuine') return permission
  const { message: meant, by } = permission
  const author = meant?.direction === 'outgoing' ? ownJid : (meant?.author?.jid ?? meant?.chat ?? null)
  return {
    verdict: 'genuine',
    by,
    target: { messageId: target.messageId, direction: meant?.direction ?? null, author },
  }
}

/** A group that was read within this time is not read again, so that many forged deletes do not cause as many requests. */
const GROUP_AGE_MS = 1000

/** The group to read again before the change is checked: its sender may have become an admin since the last read. */
export async function groupToRefresh(
  db: Db,
  instanceId: number,
  message: ChangeMessage,
  now: number,
): Promise<string | undefined> {
  if (message.type !== 'delete' || !isGroupJid(message.chat)) return undefined
  if ((await checkReceivedChange(db, instanceId, message, null))?.verdict !== 'forged') return undefined
  const group = await findGroupMembers(db, instanceId, message.chat)
  return group && now - group.updated_at < GROUP_AGE_MS ? undefined : message.chat
}

/** Stored messages with this id, for the decryption of what refers to them. */
export async function findOriginals(
  db: Db,
  instanceId: number,
  messageId: string,
): Promise<StoredOriginal[]> {
  const rows = await findTargets(db, instanceId, messageId)
  // The content of the others is not known yet.
  const readable = rows.filter(({ kind }) => kind !== 'undecryptable')
  return readable.map(({ secret, content }) => {
    const { options } = JSON.parse(content) as { options?: unknown }
    return {
      secret: secret === null ? null : Buffer.from(secret, 'base64'),
      options: Array.isArray(options) ? options.map(String) : null,
    }
  })
}

const toKnown = (row: Awaited<ReturnType<typeof findTargets>>[number]): KnownMessage => {
  const { from } = JSON.parse(row.content) as { from?: KnownMessage['author'] }
  return { chat: row.chat, direction: row.direction as Direction, author: from ?? null }
}

async function toChange(
  db: Db,
  instanceId: number,
  { type, chat, from, fromMe }: ChangeMessage,
  claimed: NonNullable<ReceivedMessage['target']>,
): Promise<Change> {
  const isGroup = isGroupJid(chat)
  const author = await allJids(db, instanceId, [from.jid, ...(from.lid === null ? [] : [from.lid])])
  const peer = fromMe || isGroup ? [chat] : [chat, ...author]
  const chats = isGroup ? peer : chatForms(await allJids(db, instanceId, peer))
  return { type, isGroup, chats, author, fromMe, claimed }
}

/** Adds the phone jid or the lid of each person, where the mapping is stored. */
export async function allJids(db: Db, instanceId: number, names: readonly string[]): Promise<string[]> {
  const all = new Set(names)
  for (const name of names) {
    const phone = phoneOf(name)
    const lid = phone === null ? null : await findLid(db, instanceId, phone)
    const number = isLid(name) ? await findPhone(db, instanceId, name) : null
    if (lid !== null) all.add(lid)
    if (number !== null) all.add(personJid(number))
  }
  return [...all]
}

async function isAdmin(
  db: Db,
  instanceId: number,
  { type, chat }: ChangeMessage,
  { author }: Change,
): Promise<boolean> {
  if (type !== 'delete' || !isGroupJid(chat)) return false
  const group = await findGroupMembers(db, instanceId, chat)
  const members = group ? (JSON.parse(group.participants) as Partial<GroupMember>[]) : []
  return members.some(
    ({ jid, lid, isAdmin: admin }) =>
      admin === true && [jid, lid].some((name) => name && author.includes(name)),
  )
}
