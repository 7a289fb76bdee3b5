// Merges the reports of a batch into the writes that they need, in the order in which both engines make them.

import type { AppliedChange } from '../messages/text-change-store.ts'
import { isGroupJid, isStatusJid } from '../network/jid.ts'
import type { NetworkReport, ReportedMessage } from './report-store.ts'

type Person = NetworkReport['people'][number]

export interface ReportPlan {
  numbers: { instanceId: number; number: string }[]
  addresses: { instanceId: number; lid: string; phone: string; now: number }[]
  usernames: { instanceId: number; lid: string; username: string; now: number }[]
  /** Chats that must exist. */
  chats: { instanceId: number; jid: string; isGroup: boolean; at: number }[]
  names: { instanceId: number; person: Person; pushName: string; now: number; isSilent: boolean }[]
  messages: ReportedMessage[]
}

/** Of several statements about one thing the last counts; a chat begins with its first message. */
export function planReports(reports: readonly NetworkReport[]): ReportPlan {
  const numbers = new Map<string, ReportPlan['numbers'][number]>()
  const addresses = new Map<string, ReportPlan['addresses'][number]>()
  const usernames = new Map<string, ReportPlan['usernames'][number]>()
  const chats = new Map<string, ReportPlan['chats'][number]>()
  const names = new Map<string, ReportPlan['names'][number]>()
  const messages: ReportedMessage[] = []
  for (const { instanceId, now, isSilent, ...report } of reports) {
    const key = (name: string) => `${instanceId} ${name}`
    const addChat = (jid: string, at: number) => {
      if (!chats.has(key(jid))) chats.set(key(jid), { instanceId, jid, isGroup: isGroupJid(jid), at })
    }
    for (const number of report.numbers) numbers.set(key(number), { instanceId, number })
    for (const person of [...report.people, ...report.messages.map(({ from }) => from)]) {
      const { jid, lid, phone, pushName, username } = person
      if (lid && phone) addresses.set(key(lid), { instanceId, lid, phone, now })
      if (lid && username) usernames.set(key(lid), { instanceId, lid, username, now })
      if (pushName) names.set(key(jid), { instanceId, person, pushName, now, isSilent })
    }
    // Status posts of all people have the same chat, which is not one of the chat list.
    for (const { row } of report.messages) if (!isStatusJid(row.chat)) addChat(row.chat, row.created_at)
    for (const { jid } of report.chats) addChat(jid, now)
    messages.push(...report.messages)
  }
  return {
    numbers: [...numbers.values()],
    addresses: [...addresses.values()],
    usernames: [...usernames.values()],
    chats: [...chats.values()],
    names: [...names.values()],
    messages,
  }
}

/** What a batch changes in one chat. */
export interface ChatChange {
  instanceId: number
  jid: string
  /** Null: unchanged. */
  name: string | null
  /** The count that the phone reported; null: the stored count. */
  unreadBase: number | null
  unreadAdded: number
  last: { text: string | null; at: number; rowId: number } | null
  now: number
  isSilent: boolean
}

/** The network reports times in whole seconds; messages that are sent from here have milliseconds. */
export const SECOND_MS = 1000

/** What became of a reported message: stored, or put in the place of one that could not be decrypted. */
export interface Written {
  rowId: number
  isNew: boolean
}

/** In the order of the reports: a count that the phone reports replaces those before it. Repeated messages change nothing. */
export function chatChanges(
  reports: readonly NetworkReport[],
  writtenAs: (message: ReportedMessage) => Written | undefined,
): ChatChange[] {
  const changes = new Map<string, ChatChange>()
  for (const { instanceId, now, isSilent, messages, chats } of reports) {
    const changeOf = (jid: string): ChatChange => {
      const key = `${instanceId} ${jid}`
      const change: ChatChange = changes.get(key) ?? {
        instanceId,
        jid,
        name: null,
        unreadBase: null,
        unreadAdded: 0,
        last: null,
        now,
        isSilent,
      }
      changes.set(key, change)
      return Object.assign(change, { now, isSilent: change.isSilent && isSilent })
    }
    for (const message of messages) {
      const { activity, row } = message
      const written = writtenAs(message)
      // A message in the place of another one was counted before.
      if (activity && written)
        addActivity(changeOf(row.chat), written.isNew ? activity : { ...activity, unread: 0 }, {
          at: row.created_at,
          rowId: written.rowId,
        })
    }
    for (const { jid, name, unreadCount } of chats) {
      const change = changeOf(jid)
      Object.assign(change, { name: name ?? change.name, unreadBase: unreadCount, unreadAdded: 0 })
    }
  }
  return [...changes.values()]
}

/** The newest message becomes the chat's last one. Within one second, the one that arrived last. */
function addActivity(
  change: ChatChange,
  { text, unread }: NonNullable<ReportedMessage['activity']>,
  { at, rowId }: { at: number; rowId: number },
): void {
  change.unreadAdded += unread
  if (change.last === null || change.last.at < at + SECOND_MS) change.last = { text, at, rowId }
}

/** The edits and deletions among the messages that were stored, in their order. */
export const textChanges = (
  reports: readonly NetworkReport[],
  writtenAs: (message: ReportedMessage) => Written | undefined,
): (AppliedChange & { isSilent: boolean })[] =>
  reports.flatMap(({ instanceId, now, isSilent, messages }) =>
    messages.flatMap((message) =>
      message.textChange && writtenAs(message) ? [{ ...message.textChange, instanceId, now, isSilent }] : [],
    ),
  )
