// Who of the account answers a chat (decision 0172).
import type { z } from 'zod'
import { findUser, listUsers as listUserRows } from '../accounts/account-queries.ts'
import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import type * as contract from '../contract/teamwork.ts'
import { GatewayError } from '../errors.ts'
import { chatUpdate } from '../events/append-store.ts'
import { requireInstance } from '../instances/instances.ts'
import { type Page, type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { lockInstance } from '../store/locks.ts'
import { updateChat } from './chat-queries.ts'
import { requireChat, storedChat } from './chats.ts'
import { chatOf } from './rules.ts'

/** Without their addresses: a key that answers chats needs only names. */
export async function listTeam(
  { store }: Pick<Deps, 'store'>,
  { account }: Caller,
  query: PageQuery,
): Promise<Page<{ id: number; name: string }>> {
  const found = await listUserRows(store.db, account.id, rowsToRead(query))
  return page(
    found.map(({ id, name }) => ({ id, name })),
    query,
  )
}

export async function assignChat(
  deps: Pick<Deps, 'store' | 'clock'>,
  caller: Caller,
  { instanceName, userId, ...address }: z.output<typeof contract.assignChat.body>,
) {
  const instance = await requireInstance(deps, caller.account.id, instanceName)
  const jid = await deps.store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instance.id))) throw new GatewayError('instance_not_found')
    const chat = await requireChat(tx, caller, instance, chatOf(address))
    if (userId !== null && !(await findUser(tx, caller.account.id, userId)))
      throw new GatewayError('user_not_found')
    if (chat.assigned_user_id === userId) return chat.jid
    const now = deps.clock()
    const changed = await updateChat(tx, chat.id, { assigned_user_id: userId, updated_at: now })
    await deps.store.appendEvents(tx, [chatUpdate(changed, now)])
    return chat.jid
  })
  return storedChat(deps, caller, instance, jid)
}
