// What the bridge to Chatwoot has made there. A row is claimed before the call that creates its counterpart, and completed after it:
// a row that stays incomplete tells the next attempt that an earlier call is in doubt (decision 0151).

import {
  isListedAfter,
  LISTED_AT,
  type ListPosition,
  type MessageRow,
  withInstance,
} from '../../messages/message-queries.ts'
import type { Db, Row } from '../../store/tables.ts'
import type { WebhookRow } from '../../webhooks/webhook-queries.ts'

export type ChatwootChat = Row<'chatwoot_chats'>
export type ChatwootMessage = Row<'chatwoot_messages'>

/** The bridge of an instance. */
export const findBridge = (db: Db, instanceId: number): Promise<WebhookRow | undefined> =>
  db
    .selectFrom('webhooks')
    .innerJoin('instances', 'instances.id', 'webhooks.instance_id')
    .selectAll('webhooks')
    .select(['instances.api_name', 'instances.display_name'])
    .where('format', '=', 'chatwoot')
    .where('webhooks.instance_id', '=', instanceId)
    .where('instances.deleted_at', 'is', null)
    .executeTakeFirst()

/** Messages that the network knows, oldest first. */
export const listMessagesAfter = (
  db: Db,
  wanted: {
    instanceId: number
    /** Undefined: all. */
    chats: string[] | undefined
    since: number
    after: ListPosition | null
    silent: string[]
    limit: number
  },
): Promise<MessageRow[]> =>
  withInstance(db)
    .where('messages.instance_id', '=', wanted.instanceId)
    .$if(wanted.chats !== undefined, (query) => query.where('messages.chat', 'in', wanted.chats as string[]))
    .where('messages.kind', 'not in', wanted.silent)
    .where('messages.status', 'not in', ['awaiting_approval', 'scheduled', 'queued', 'sending', 'failed'])
    .where(LISTED_AT, '>=', wanted.since)
    .$if(wanted.after !== null, (query) => query.where(isListedAfter(wanted.after as ListPosition)))
    .orderBy(LISTED_AT)
    .orderBy('messages.row_id')
    .limit(wanted.limit)
    .execute()

export const findChat = (db: Db, webhookId: number, chat: string): Promise<ChatwootChat | undefined> =>
  db
    .selectFrom('chatwoot_chats')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('chat', '=', chat)
    .executeTakeFirst()

export const findChatOfConversation = (
  db: Db,
  webhookId: number,
  conversationId: number,
): Promise<ChatwootChat | undefined> =>
  db
    .selectFrom('chatwoot_chats')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst()

/** Undefined: this call has made the row. Otherwise the row of an earlier attempt. */
export async function claimChat(
  db: Db,
  webhookId: number,
  chat: string,
  now: number,
): Promise<ChatwootChat | undefined> {
  const made = await db
    .insertInto('chatwoot_chats')
    .values({ webhook_id: webhookId, chat, claimed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('chat')
    .executeTakeFirst()
  return made ? undefined : findChat(db, webhookId, chat)
}

/** Takes over a claim that was not completed. False: another process has done so, or has completed it. */
export async function reclaimChat(db: Db, row: ChatwootChat, now: number): Promise<boolean> {
  const taken = await db
    .updateTable('chatwoot_chats')
    .set({ claimed_at: now })
    .where('webhook_id', '=', row.webhook_id)
    .where('chat', '=', row.chat)
    .where('claimed_at', '=', row.claimed_at)
    .where('conversation_id', 'is', null)
    .returning('chat')
    .executeTakeFirst()
  return taken !== undefined
}

/** The conversation of a chat from now on. */
export async function saveChat(
  db: Db,
  row: { webhookId: number; chat: string; contactId: number | null; conversationId: number; now: number },
): Promise<void> {
  const there = {
    conversation_id: row.conversationId,
    ...(row.contactId !== null && { contact_id: row.contactId }),
  }
  await db
    .insertInto('chatwoot_chats')
    .values({ webhook_id: row.webhookId, chat: row.chat, claimed_at: row.now, ...there })
    .onConflict((conflict) => conflict.columns(['webhook_id', 'chat']).doUpdateSet(there))
    .execute()
}

/** The chat keeps its contact. The next message finds or creates its conversation. */
export async function forgetConversation(db: Db, webhookId: number, conversationId: number): Promise<void> {
  await db
    .updateTable('chatwoot_chats')
    .set({ conversation_id: null })
    .where('webhook_id', '=', webhookId)
    .where('conversation_id', '=', conversationId)
    .execute()
}

export async function deleteChat(db: Db, webhookId: number, chat: string): Promise<void> {
  await db.deleteFrom('chatwoot_chats').where('webhook_id', '=', webhookId).where('chat', '=', chat).execute()
}

export const findMessage = (
  db: Db,
  webhookId: number,
  message: string,
): Promise<ChatwootMessage | undefined> =>
  db
    .selectFrom('chatwoot_messages')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('message', '=', message)
    .executeTakeFirst()

/** Undefined: this call has made the row. Otherwise the row of an earlier attempt. */
export async function claimMessage(
  db: Db,
  claim: { webhookId: number; message: string; conversationId: number; now: number },
): Promise<ChatwootMessage | undefined> {
  const { webhookId, message, conversationId, now } = claim
  const made = await db
    .insertInto('chatwoot_messages')
    .values({ webhook_id: webhookId, message, claimed_at: now, conversation_id: conversationId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('message')
    .executeTakeFirst()
  return made ? undefined : findMessage(db, webhookId, message)
}

/** As `reclaimChat`. */
export async function reclaimMessage(db: Db, row: ChatwootMessage, now: number): Promise<boolean> {
  const taken = await db
    .updateTable('chatwoot_messages')
    .set({ claimed_at: now })
    .where('webhook_id', '=', row.webhook_id)
    .where('message', '=', row.message)
    .where('claimed_at', '=', row.claimed_at)
    .where('chatwoot_id', 'is', null)
    .returning('message')
    .executeTakeFirst()
  return taken !== undefined
}

export async function saveMessage(
  db: Db,
  row: { webhookId: number; message: string; chatwootId: number; conversationId: number },
): Promise<void> {
  await db
    .updateTable('chatwoot_messages')
    .set({ chatwoot_id: row.chatwootId, conversation_id: row.conversationId })
    .where('webhook_id', '=', row.webhookId)
    .where('message', '=', row.message)
    .execute()
}

/** The create call was refused: nothing is in doubt. */
export async function releaseMessage(db: Db, webhookId: number, message: string): Promise<void> {
  await db
    .deleteFrom('chatwoot_messages')
    .where('webhook_id', '=', webhookId)
    .where('message', '=', message)
    .where('chatwoot_id', 'is', null)
    .execute()
}

/** The messages that an agent's message has become, in order. */
export const findParts = (db: Db, webhookId: number, chatwootId: number): Promise<ChatwootMessage[]> =>
  db
    .selectFrom('chatwoot_messages')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('chatwoot_id', '=', chatwootId)
    .orderBy('part')
    .execute()

/** Ids for the parts of an agent's message. Two requests with the same message get the same ids. */
export async function reserveParts(
  db: Db,
  agentMessage: { webhookId: number; chatwootId: number; conversationId: number; now: number },
  messages: string[],
): Promise<ChatwootMessage[]> {
  const { webhookId, chatwootId, conversationId, now } = agentMessage
  await db
    .insertInto('chatwoot_messages')
    .values(
      messages.map((message, part) => ({
        webhook_id: webhookId,
        message,
        claimed_at: now,
        chatwoot_id: chatwootId,
        part,
        conversation_id: conversationId,
      })),
    )
    .onConflict((conflict) => conflict.columns(['webhook_id', 'chatwoot_id', 'part']).doNothing())
    .execute()
  return findParts(db, webhookId, chatwootId)
}
