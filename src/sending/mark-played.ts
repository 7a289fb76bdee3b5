// Marks a received voice message or video as played.

import type { Caller } from '../accounts/caller.ts'
import { markMessagesRead, recountUnread } from '../chats/reading-queries.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { chatUpdate } from '../events/append-store.ts'
import { requireOpenInstance } from '../instances/instances.ts'
import type { MessageRow } from '../messages/message-queries.ts'
import { getMessage, type MessageName } from '../messages/messages.ts'
import { SILENT } from '../messages/silent-types.ts'
import type { NetworkAddress } from '../network/message.ts'
import { lockInstance } from '../store/locks.ts'
import { requireTarget } from './changes.ts'

type PlayedDeps = Pick<Deps, 'store' | 'clock' | 'sessions'>

const PLAYABLE: ReadonlySet<string> = new Set(['audio', 'video'])

/** The receipt is sent first: a message that shows as played here has told its sender. */
export async function markPlayed(deps: PlayedDeps, caller: Caller, name: MessageName) {
  const row = await requireTarget(deps, caller, name)
  // Without the address the network would not know which message is meant.
  if (row.direction !== 'incoming' || !PLAYABLE.has(row.kind) || row.addressed_as === null)
    throw new GatewayError('message_not_playable')
  const instance = await requireOpenInstance(deps, caller, row.api_name)
  if (row.status !== 'played') {
    const address = JSON.parse(row.addressed_as) as NetworkAddress
    await deps.sessions.markRead(instance.id, [{ messageId: row.id, ...address }], 'played')
    await record(deps, row)
  }
  return getMessage(deps, caller, { ...name, instanceName: row.api_name })
}

async function record({ store, clock }: PlayedDeps, row: MessageRow): Promise<void> {
  const { instance_id: instanceId, id, chat: jid } = row
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const now = clock()
    const played = { instanceId, messageIds: [id], atMs: now, now, as: 'played' as const }
    const { events } = await markMessagesRead(tx, played)
    const chat = await recountUnread(tx, { instanceId, jid, silent: SILENT, now })
    await store.appendEvents(tx, [...events, ...(chat ? [chatUpdate(chat, now)] : [])])
  })
}
