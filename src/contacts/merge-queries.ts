// Makes one person of two: everything that is stored under a lid moves to the number, which the network has shown later.
import { sql } from 'kysely'
import { decrementUsage } from '../accounts/account-queries.ts'
import { moveChatLabels } from '../chats/label-queries.ts'
import { personJid } from '../network/jid.ts'
import { laneKey } from '../sending/outbox.ts'
import { chunksOf } from '../store/chunks.ts'
import type { Db, Row } from '../store/tables.ts'
import { type ContactRow, deleteContact, findContactByJid, updateContact } from './contact-queries.ts'
import { schedulePictures } from './picture-queries.ts'
import { mergeChats, mergeContacts, mergeLanes, type WaitingSend } from './rules-merge-people.ts'
import { searchText } from './rules-search-text.ts'

export interface TwoNames {
  lid: string
  phone: string
}

/** Those of the people under whose lid something is stored. */
export async function findStoredByLid(
  db: Db,
  instanceId: number,
  people: readonly TwoNames[],
): Promise<TwoNames[]> {
  const found = new Set<string>()
  for (const lids of chunksOf(people.map(({ lid }) => lid))) {
    const chats = db.selectFrom('chats').select('jid').where('instance_id', '=', instanceId)
    const followed = db
      .selectFrom('presence_subscriptions')
      .select('jid')
      .where('instance_id', '=', instanceId)
    // A send that waits for its first try has no chat yet.
    const sends = db.selectFrom('messages').select('chat as jid').where('instance_id', '=', instanceId)
    const rows = await chats
      .where('jid', 'in', lids)
      .union(followed.where('jid', 'in', lids))
      .union(sends.where('chat', 'in', lids).distinct())
      .execute()
    for (const { jid } of rows) found.add(jid)
  }
  return people.filter(({ lid }) => found.has(lid))
}

export interface MergedPerson {
  chat: Row<'chats'> | undefined
  contact: ContactRow | undefined
  /** The contact of the lid, where the number had one too. */
  removedContactId: number | null
}

/** The caller has locked the instance. Undefined: a worker is sending to the lid, and nothing is changed meanwhile. */
export async function mergePerson(
  tx: Db,
  { instanceId, lid, phone, now }: TwoNames & { instanceId: number; now: number },
): Promise<MergedPerson | undefined> {
  const jid = personJid(phone)
  if (await isSending(tx, laneKey({ instanceId, chat: lid }), now)) return undefined
  const [byLid, byNumber] = [
    await findContactByJid(tx, instanceId, lid),
    await findContactByJid(tx, instanceId, jid),
  ]
  // Usage is locked before the rows of the instance (decision 0078).
  if (byLid && byNumber)
    await decrementUsage(tx, { accountId: byLid.account_id, resource: 'contacts', period: 0 })
  await saveAddress(tx, { instanceId, lid, phone, now })
  await moveLane(tx, { instanceId, lid, phone })
  await tx
    .updateTable('messages')
    .set({ chat: jid, number: phone })
    .where('instance_id', '=', instanceId)
    .where('chat', '=', lid)
    .execute()
  if (byLid && byNumber) {
    await deleteContact(tx, byLid)
    await updateContact(tx, byNumber.id, { ...mergeContacts(byNumber, byLid), updated_at: now })
  }
  const chat = await moveChat(tx, { instanceId, from: lid, to: jid, now })
  const kept = byNumber ?? byLid
  if (chat && kept) await nameContact(tx, kept, { chat, jid, phone, now })
  await movePresence(tx, { instanceId, lid, jid })
  await movePicture(tx, { instanceId, lid, jid, now })
  return {
    chat,
    contact: kept && (await findContactByJid(tx, instanceId, jid)),
    removedContactId: byLid && byNumber ? byLid.id : null,
  }
}

async function saveAddress(
  tx: Db,
  { instanceId, lid, phone, now }: TwoNames & { instanceId: number; now: number },
): Promise<void> {
  await tx
    .insertInto('addresses')
    .values({ instance_id: instanceId, lid, phone, updated_at: now })
    .onConflict((oc) => oc.columns(['instance_id', 'lid']).doUpdateSet({ phone, updated_at: now }))
    .execute()
}

interface LaneSend extends WaitingSend {
  rowId: number
}

const laneSends = async (tx: Db, lane: string): Promise<LaneSend[]> => {
  const rows = await tx
    .selectFrom('messages')
    .select(['row_id', 'status', 'created_at', 'send_at'])
    .where('lane', '=', lane)
    .where('status', 'in', ['queued', 'sending'])
    .orderBy('lane_seq')
    .execute()
  return rows.map((row) => ({
    rowId: row.row_id,
    status: row.status,
    enteredAt: row.send_at ?? row.created_at,
  }))
}

/** Another claim may not take a locked lane either (promise A13). */
async function isSending(tx: Db, lane: string, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom('lanes')
    .select('key')
    .where('key', '=', lane)
    .where('locked_until', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Waiting sends continue in the lane of the number. A worker whose lock has expired has lost the lane, as to another claim. */
async function moveLane(
  tx: Db,
  { instanceId, lid, phone }: TwoNames & { instanceId: number },
): Promise<void> {
  const [from, to] = [lid, personJid(phone)].map((chat) => laneKey({ instanceId, chat })) as [string, string]
  const left = await tx.selectFrom('lanes').selectAll().where('key', '=', from).executeTakeFirst()
  if (!left) return
  const moved = await laneSends(tx, from)
  await tx
    .updateTable('lanes')
    .set((eb) => ({ due_at: null, locked_until: null, owner: null, fence: eb('fence', '+', 1) }))
    .where('key', '=', from)
    .execute()
  if (moved.length === 0) return
  const order = mergeLanes(await laneSends(tx, to), moved)
  const { last_seq: last } = await tx
    .insertInto('lanes')
    .values({ key: to, instance_id: instanceId, due_at: left.due_at, last_seq: order.length })
    .onConflict((oc) =>
      oc.column('key').doUpdateSet((eb) => ({
        last_seq: eb('lanes.last_seq', '+', order.length),
        due_at: eb
          .case()
          .when('lanes.due_at', '<', eb.ref('excluded.due_at'))
          .then(eb.ref('lanes.due_at'))
          .else(eb.fn.coalesce('excluded.due_at', 'lanes.due_at'))
          .end(),
      })),
    )
    .returning('last_seq')
    .executeTakeFirstOrThrow()
  const positions = order.map(({ rowId }, index) => ({ rowId, seq: last - order.length + 1 + index }))
  for (const some of chunksOf(positions)) {
    const values = some.map(({ rowId, seq }) => sql`(cast(${rowId} as bigint), cast(${seq} as bigint))`)
    await sql`update messages set lane = ${to}, lane_seq = position.column2
      from (values ${sql.join(values)}) as position where messages.row_id = position.column1`.execute(tx)
  }
}

async function moveChat(
  tx: Db,
  { instanceId, from, to, now }: { instanceId: number; from: string; to: string; now: number },
): Promise<Row<'chats'> | undefined> {
  const chats = await tx
    .selectFrom('chats')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('jid', 'in', [from, to])
    .execute()
  const [left, kept] = [from, to].map((jid) => chats.find((chat) => chat.jid === jid))
  if (!left) return kept
  if (kept) {
    // Before the chat is deleted, which would delete its contact.
    await tx.updateTable('contacts').set({ chat_id: kept.id }).where('chat_id', '=', left.id).execute()
    await moveChatLabels(tx, left.id, kept.id)
    await tx.deleteFrom('chats').where('id', '=', left.id).execute()
  }
  const change = kept ? mergeChats(kept, left) : { jid: to }
  return tx
    .updateTable('chats')
    .set({ ...change, updated_at: now })
    .where('id', '=', kept?.id ?? left.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function nameContact(
  tx: Db,
  { id, name }: ContactRow,
  { chat, jid, phone, now }: { chat: Row<'chats'>; jid: string; phone: string; now: number },
): Promise<void> {
  const text = searchText([name, phone, jid, chat.name, chat.push_name])
  await updateContact(tx, id, { jid, phone, search_text: text, updated_at: now })
}

/** A person who is followed under both names is followed once. */
async function movePresence(
  tx: Db,
  { instanceId, lid, jid }: { instanceId: number; lid: string; jid: string },
): Promise<void> {
  const followed = tx.selectFrom('presence_subscriptions').select('jid').where('instance_id', '=', instanceId)
  const isFollowed = await followed.where('jid', '=', jid).executeTakeFirst()
  const byLid = { instance_id: instanceId, jid: lid }
  if (isFollowed)
    await tx
      .deleteFrom('presence_subscriptions')
      .where((eb) => eb.and(byLid))
      .execute()
  else
    await tx
      .updateTable('presence_subscriptions')
      .set({ jid, lid })
      .where((eb) => eb.and(byLid))
      .execute()
}

/** The bytes are sealed for their identifier, so the picture is fetched again. */
async function movePicture(
  tx: Db,
  { instanceId, lid, jid, now }: { instanceId: number; lid: string; jid: string; now: number },
): Promise<void> {
  const removed = await tx
    .deleteFrom('pictures')
    .where('instance_id', '=', instanceId)
    .where('jid', '=', lid)
    .returning('jid')
    .executeTakeFirst()
  if (removed) await schedulePictures(tx, instanceId, [jid], now)
}
