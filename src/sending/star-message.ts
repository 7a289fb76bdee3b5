// Stars: only the devices of the owner see them, so they are changed on the network at once and not sent to the chat.

import type { Caller } from '../accounts/caller.ts'
import { referenceTo } from '../chats/chats.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { requireOpenInstance } from '../instances/instances.ts'
import { getMessage, type MessageName } from '../messages/messages.ts'
import { requireTarget } from './changes.ts'

/** Not on the phone yet. */
const WAITING: ReadonlySet<string> = new Set(['queued', 'sending'])

export async function starMessage(
  deps: Pick<Deps, 'store' | 'clock' | 'sessions'>,
  caller: Caller,
  name: MessageName,
  starred: boolean,
) {
  const row = await requireTarget(deps, caller, name)
  if (WAITING.has(row.status)) throw new GatewayError('message_not_sent')
  const instance = await requireOpenInstance(deps, caller, row.api_name)
  await deps.sessions.starMessage(instance.id, row.chat, referenceTo(row), starred)
  return getMessage(deps, caller, { ...name, instanceName: row.api_name })
}
