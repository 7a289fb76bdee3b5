// Stores what the owner does with chats: settings, cleared chats, stars and timers. A change of this gateway is reported by the
// session like a change on the phone, so both take the same way.

import { ensureChat } from '../contacts/contact-queries.ts'
import type { Deps } from '../context.ts'
import { chatUpdate } from '../events/append-store.ts'
import { type NewEvent, textOf } from '../events/rules-payloads.ts'
import { findLastEdit } from '../messages/change-queries.ts'
import { allJids } from '../messages/changes.ts'
import { findEndMessage } from '../messages/conversation-queries.ts'
import { isDeleted } from '../messages/quoted.ts'
import { SILENT } from '../messages/silent-types.ts'
import type { ChatReport } from '../network/chats.ts'
import { isGroupJid, isLid } from '../network/jid.ts'
import type { Interpretation } from '../network/network.ts'
import { lockInstance } from '../store/locks.ts'
import { type Db, flag, type Row, type RowChange } from '../store/tables.ts'
import * as rows from './chat-queries.ts'
import { markMessagesRead, READ_AT_ONCE, recountUnread } from './reading-queries.ts'
import { chatForms } from './rules.ts'

type ReportDeps = Pick<Deps, 'store' | 'clock'>
type Report<K extends ChatReport['kind']> = Extract<ChatReport, { kind: K }>

/** All identifiers under which the messages of a chat may be stored. */
export const formsOf = async (db: Db, instanceId: number, jid: string): Promise<string[]> =>
  isGroupJid(jid) ? [jid] : chatForms(await allJids(db, instanceId, [jid]))

/** The settings that a new device learns at pairing are not changes, and are stored without an event. */
export async function recordChatSettings(
  { store, clock }: ReportDeps,
  instanceId: number,
  report: Report<'chat_settings'>,
): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const chat = await chatOf(tx, instanceId, report.chat, report.throughMs || clock())
    const isRead = report.unread === false && !report.isInitial
    const read = isRead ? await readUntil(tx, chat, report.throughMs, clock()) : []
    const changed = await changeChat(tx, chat.id, settingColumns(report), clock())
    const isNews = !report.isInitial && (read.length > 0 || isDifferent(chat, changed))
    if (isNews) await store.appendEvents(tx, [...read, chatUpdate(changed, clock())])
  })
}

const settingColumns = (report: Report<'chat_settings'>): RowChange<'chats'> => ({
  ...(report.archived !== undefined && { archived: flag(report.archived) }),
  ...(report.mutedUntil !== undefined && { muted_until: report.mutedUntil }),
  ...(report.pinned !== undefined && { pinned: flag(report.pinned) }),
  ...(report.unread !== undefined && { marked_unread: flag(report.unread) }),
})

const changeChat = (tx: Db, id: number, columns: RowChange<'chats'>, now: number): Promise<Row<'chats'>> =>
  rows.updateChat(tx, id, { ...columns, updated_at: now })

const SHOWN = ['archived', 'muted_until', 'pinned', 'marked_unread', 'unread_count'] as const

const isDifferent = (before: Row<'chats'>, after: Row<'chats'>): boolean =>
  SHOWN.some((name) => before[name] !== after[name])

/** The messages up to that time are read. Returns their events. */
async function readUntil(tx: Db, chat: Row<'chats'>, throughMs: number, now: number): Promise<NewEvent[]> {
  const { instance_id: instanceId, jid } = chat
  const unread = { throughMs, silent: SILENT, limit: READ_AT_ONCE }
  const messageIds = await rows.listUnreadUntil(tx, chat, unread)
  const { events } = await markMessagesRead(tx, { instanceId, messageIds, atMs: now, now })
  await recountUnread(tx, { instanceId, jid, silent: SILENT, now })
  return events
}

/** The chat stays in the list, without the messages up to that time. */
export async function recordClearedChat(
  { store, clock }: ReportDeps,
  instanceId: number,
  { chat: jid, throughMs, keepStarred }: Report<'chat_cleared'>,
): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const chats = await formsOf(tx, instanceId, jid)
    await rows.deleteMessagesUntil(tx, { instanceId, chats, throughMs, keepStarred })
    const chat = await rows.findChatRow(tx, instanceId, chats)
    if (!chat) return
    const now = clock()
    await recountUnread(tx, { instanceId, jid: chat.jid, silent: SILENT, now })
    const last = await findEndMessage(tx, { instanceId, chats, silent: SILENT, end: 'last' })
    const columns = {
      ...(await lastColumns(tx, last)),
      marked_unread: flag(false),
    }
    const changed = await changeChat(tx, chat.id, columns, now)
    await store.appendEvents(tx, [chatUpdate(changed, now)])
  })
}

/** What the list of chats shows of a message that has become the last one. */
async function lastColumns(tx: Db, last: Row<'messages'> | undefined): Promise<RowChange<'chats'>> {
  if (!last) {
    const none = { last_message_text: null, last_message_at: null }
    return { ...none, last_message_row_id: null, last_message_deleted: flag(false) }
  }
  const deleted = await isDeleted(tx, last)
  const edit = deleted ? undefined : await findLastEdit(tx, last)
  const content = JSON.parse((edit ?? last).content) as Record<string, unknown>
  return {
    last_message_text: deleted ? null : textOf(content),
    last_message_at: last.created_at,
    last_message_row_id: last.row_id,
    last_message_deleted: flag(deleted),
  }
}

export async function recordStar(
  { store }: Pick<ReportDeps, 'store'>,
  instanceId: number,
  { messageId, isOurs, starred }: Report<'starred'>,
): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const direction = isOurs ? 'outgoing' : 'incoming'
    await rows.setStarred(tx, { instanceId, messageId, direction, starred: flag(starred) })
  })
}

/** One side of a chat has changed how long messages stay. */
export async function recordTimer(
  { store, clock }: ReportDeps,
  instanceId: number,
  { chat: jid, seconds }: { chat: string; seconds: number },
): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const chat = await chatOf(tx, instanceId, jid, clock())
    if (chat.disappearing_seconds === seconds) return
    const changed = await changeChat(tx, chat.id, { disappearing_seconds: seconds }, clock())
    await store.appendEvents(tx, [chatUpdate(changed, clock())])
  })
}

/** What a history says about chats, apart from their messages. */
export async function recordHistoryChats(
  { store, clock }: ReportDeps,
  instanceId: number,
  { timers = [], endedChats = [] }: Pick<Interpretation, 'timers' | 'endedChats'>,
): Promise<void> {
  const changes: [string, RowChange<'chats'>][] = [
    ...timers
      .filter(({ seconds }) => seconds > 0)
      .map(({ jid, seconds }): [string, RowChange<'chats'>] => [jid, { disappearing_seconds: seconds }]),
    ...endedChats.map((jid): [string, RowChange<'chats'>] => [jid, { history_ended: 1 }]),
  ]
  if (changes.length === 0) return
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    for (const [jid, columns] of changes)
      await rows.updateChat(tx, (await chatOf(tx, instanceId, jid, clock())).id, columns)
  })
}

/** The chat, under the identifier that it is stored with; inserted if it is new. */
export async function chatOf(tx: Db, instanceId: number, jid: string, at: number): Promise<Row<'chats'>> {
  const forms = await formsOf(tx, instanceId, jid)
  const known = await rows.findChatRow(tx, instanceId, forms)
  const named = forms.find((form) => !isLid(form) && !isGroupJid(form)) ?? jid
  const name = isLid(jid) ? named : jid
  return known ?? ensureChat(tx, { instanceId, jid: name, isGroup: isGroupJid(jid), now: at })
}
