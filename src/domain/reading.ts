// What has been read: by the owner on the phone, or by whoever reads a conversation through the API (decision 0060).
import { GatewayError } from '../errors.ts'
import type { NetworkAddress } from '../network/message.ts'
import { NetworkError, type NetworkEvent, type ReadMessage } from '../network/network.ts'
import { chatUpdate, type NewEvent } from '../store/event-log.ts'
import { findChat } from '../store/queries/contacts.ts'
import * as rows from '../store/queries/reading.ts'
import { lockInstance } from '../store/queries/received.ts'
import type { Caller } from './caller.ts'
import { toChat } from './contacts.ts'
import type { Deps } from './deps.ts'
import { requireInstance } from './instances.ts'
import { SILENT_TYPES } from './received.ts'

const SILENT = [...SILENT_TYPES]

/** The owner has read on the phone: the messages are read, and no longer counted as unread in their chats. */
export async function recordOwnerRead(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  instanceId: number,
  { messageIds, atMs }: Extract<NetworkEvent, { kind: 'owner_read' }>,
): Promise<void> {
  await store.transaction(async (tx) => {
    await lockInstance(tx, instanceId)
    const now = clock()
    const { steps, moved } = await rows.moveToRead(tx, { instanceId, messageIds, atMs, now })
    const counted: NewEvent[] = []
    for (const jid of new Set(moved.map(({ chat }) => chat))) {
      const chat = await rows.recountUnread(tx, { instanceId, jid, silent: SILENT, now })
      if (chat) counted.push(chatUpdate(chat, now))
    }
    await store.appendEvents(tx, [...steps, ...counted])
  })
}

/** The count falls for good; the authors are told of it where the network can be reached now, and not later. */
export async function readChat(deps: Deps, caller: Caller, query: { instanceName: string; chat: string }) {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  const { chat, read } = await recordRead(deps, instance.id, query.chat)
  return { chat: toChat(chat), receipts: await tellAuthors(deps, instance.id, read) }
}

async function recordRead({ store, clock }: Deps, instanceId: number, jid: string) {
  return store.transaction(async (tx) => {
    await lockInstance(tx, instanceId)
    const chat = await findChat(tx, instanceId, jid)
    if (!chat) throw new GatewayError('chat_not_found')
    if (chat.unread_count === 0) return { chat, read: [] }
    const now = clock()
    const messageIds = await rows.listUnread(tx, chat, SILENT)
    const { steps, moved } = await rows.moveToRead(tx, { instanceId, messageIds, atMs: now, now })
    await rows.clearUnread(tx, chat.id, now)
    const after = { ...chat, unread_count: 0 }
    await store.appendEvents(tx, [...steps, chatUpdate(after, now)])
    return { chat: after, read: moved }
  })
}

async function tellAuthors(
  { sessions }: Deps,
  instanceId: number,
  read: rows.MovedToRead[],
): Promise<'sent' | 'not_sent' | 'none'> {
  const messages = read.flatMap(({ messageId, addressedAs }): ReadMessage[] =>
    addressedAs === null ? [] : [{ messageId, ...(JSON.parse(addressedAs) as NetworkAddress) }],
  )
  if (messages.length === 0) return 'none'
  try {
    await sessions.markRead(instanceId, messages)
    return 'sent'
  } catch (error) {
    // Somebody has read it, whether or not that can be told.
    if (error instanceof NetworkError) return 'not_sent'
    throw error
  }
}
