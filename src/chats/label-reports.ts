// Stores what the owner does with labels. A change of this gateway is reported by the session like a change on the phone.

import type { Deps } from '../context.ts'
import { chatLabelUpdate, labelUpdate } from '../events/rules-payloads.ts'
import type { ChatReport } from '../network/chats.ts'
import { lockInstance } from '../store/locks.ts'
import { flag } from '../store/tables.ts'
import { chatOf } from './chat-reports.ts'
import { findLabel, saveLabel, setChatLabel } from './label-queries.ts'

type ReportDeps = Pick<Deps, 'store' | 'clock'>
type Report<K extends ChatReport['kind']> = Extract<ChatReport, { kind: K }>

/** The labels that a new device learns at pairing are not changes, and are stored without an event. */
export async function recordLabel(
  { store, clock }: ReportDeps,
  instanceId: number,
  { labelId, name, color, predefinedId, deleted, isInitial }: Report<'label'>,
): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const before = await findLabel(tx, instanceId, labelId)
    const now = clock()
    await saveLabel(tx, {
      instance_id: instanceId,
      label_id: labelId,
      // A deletion may come without the name.
      name: name || (before?.name ?? labelId),
      color,
      predefined_id: predefinedId,
      deleted: flag(deleted),
      updated_at: now,
    })
    const after = await findLabel(tx, instanceId, labelId)
    const isNews = before?.name !== after?.name || before?.color !== after?.color
    const shown = after ?? before
    if (isNews && shown && !isInitial)
      await store.appendEvents(tx, [labelUpdate(instanceId, { ...shown, isDeleted: !after }, now)])
  })
}

export async function recordChatLabel(
  { store, clock }: ReportDeps,
  instanceId: number,
  { chat: jid, labelId, labeled, atMs, isInitial }: Report<'chat_label'>,
): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const chat = await chatOf(tx, instanceId, jid, atMs || clock())
    const row = { chat_id: chat.id, instance_id: instanceId, label_id: labelId }
    const isChanged = await setChatLabel(tx, row, labeled)
    if (!isChanged || isInitial) return
    const name = (await findLabel(tx, instanceId, labelId))?.name ?? null
    const facts = { chat: chat.jid, labelId, name, labeled }
    await store.appendEvents(tx, [chatLabelUpdate(instanceId, facts, clock())])
  })
}
