// Marks messages as read: by the owner on the phone, or by a caller of the API (decision 0060).

import type { Caller } from '../accounts/caller.ts'
import { findChat } from '../contacts/contact-queries.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { chatUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { readSettings } from '../instances/instance-settings.ts'
import { requireInstance } from '../instances/instances.ts'
import { SILENT } from '../messages/silent-types.ts'
import type { NetworkAddress } from '../network/message.ts'
import { NetworkError, type NetworkEvent, type ReadMessage } from '../network/network.ts'
import { lockInstance } from '../store/locks.ts'
import { requireChat, toChat } from './chats.ts'
import * as rows from './reading-queries.ts'
import { chatOf, type GivenAddress } from './rules.ts'

/** The owner has read messages on the phone: they no longer count as unread in their chats. */
export async function recordOwnerRead(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  instanceId: number,
  { messageIds, atMs }: Extract<NetworkEvent, { kind: 'owner_read' }>,
): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const now = clock()
    const { events, changed } = await rows.markMessagesRead(tx, { instanceId, messageIds, atMs, now })
    const counted: NewEvent[] = []
    for (const jid of new Set(changed.map(({ chat }) => chat))) {
      const chat = await rows.recountUnread(tx, { instanceId, jid, silent: SILENT, now })
      if (chat) counted.push(chatUpdate(chat, now))
    }
    await store.appendEvents(tx, [...events, ...counted])
  })
}

/**
 * Clears the unread count. Read receipts are sent only if the network can be reached now; they are not retried, and not sent later for a chat
 * that was only viewed (decision 0173).
 */
export async function markChatRead(
  deps: Pick<Deps, 'store' | 'clock' | 'sessions' | 'vault'>,
  caller: Caller,
  query: { instanceName: string; viewed: boolean } & GivenAddress,
) {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  const { jid } = await requireChat(deps.store.db, caller, instance, chatOf(query))
  const { chat, read } = await recordRead(deps, instance.id, jid)
  const isSilent =
    query.viewed && (await readSettings(deps, deps.store.db, instance)).settings.viewWithoutReceipts
  return {
    chat: await toChat(deps.store.db, chat, instance, caller),
    receipts: isSilent ? withheld(read) : await sendReadReceipts(deps, instance.id, read),
  }
}

/** A message was sent to the chat: what was received in it counts as read. Does nothing for a chat without unread messages. */
export async function markReadOnReply(
  deps: Pick<Deps, 'store' | 'clock'> & { sessions: Pick<Deps['sessions'], 'markRead'> },
  instanceId: number,
  jid: string,
): Promise<void> {
  const chat = await findChat(deps.store.db, instanceId, jid)
  if (!chat || chat.unread_count === 0) return
  const { read } = await recordRead(deps, instanceId, jid)
  await sendReadReceipts(deps, instanceId, read)
}

async function recordRead({ store, clock }: Pick<Deps, 'store' | 'clock'>, instanceId: number, jid: string) {
  return store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) throw new GatewayError('instance_not_found')
    const chat = await findChat(tx, instanceId, jid)
    if (!chat) throw new GatewayError('chat_not_found')
    if (chat.unread_count === 0 && chat.marked_unread === 0) return { chat, read: [] }
    const now = clock()
    const messageIds = await rows.listUnread(tx, chat, SILENT)
    const { events, changed } = await rows.markMessagesRead(tx, { instanceId, messageIds, atMs: now, now })
    await rows.clearUnread(tx, chat.id, now)
    const after = (await findChat(tx, instanceId, jid)) ?? chat
    await store.appendEvents(tx, [...events, chatUpdate(after, now)])
    return { chat: after, read: changed }
  })
}

const withheld = (read: rows.ReadMessageRow[]): 'none' | 'withheld' =>
  read.length === 0 ? 'none' : 'withheld'

async function sendReadReceipts(
  { sessions }: { sessions: Pick<Deps['sessions'], 'markRead'> },
  instanceId: number,
  read: rows.ReadMessageRow[],
): Promise<'sent' | 'not_sent' | 'none'> {
  const messages = read.flatMap(({ messageId, addressedAs }): ReadMessage[] =>
    addressedAs === null ? [] : [{ messageId, ...(JSON.parse(addressedAs) as NetworkAddress) }],
  )
  if (messages.length === 0) return 'none'
  try {
    await sessions.markRead(instanceId, messages)
    return 'sent'
  } catch (error) {
    // The chat is read in any case; only the receipts could not be sent.
    if (error instanceof NetworkError) return 'not_sent'
    throw error
  }
}
