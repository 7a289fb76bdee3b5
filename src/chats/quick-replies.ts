// Quick replies: texts that the people of an account send often. They belong to the account, because its people share them.
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import type * as contract from '../contract/teamwork.ts'
import { MAX_QUICK_REPLIES } from '../contract/values.ts'
import { GatewayError } from '../errors.ts'
import { isStoreError } from '../kernel/store-error.ts'
import { iso } from '../kernel/time.ts'
import { lockAccount } from '../store/locks.ts'
import type { RowChange } from '../store/tables.ts'
import * as rows from './quick-reply-queries.ts'

type QuickReply = z.output<typeof contract.createQuickReply.answer>['quickReply']

/** Sorted here, because the engines sort letters differently. */
export async function listQuickReplies({ store }: Pick<Deps, 'store'>, caller: Caller) {
  const found = await rows.listQuickReplies(store.db, caller.account.id)
  return found.map(toQuickReply).sort((a, b) => (a.shortcut < b.shortcut ? -1 : 1))
}

export async function createQuickReply(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { account }: Caller,
  { shortcut, text }: z.output<typeof contract.createQuickReply.body>,
): Promise<QuickReply> {
  return refuseDuplicate(() =>
    store.transaction(async (tx) => {
      // Two requests at once do not exceed the limit together.
      await lockAccount(tx, account.id)
      if ((await rows.countQuickReplies(tx, account.id)) >= MAX_QUICK_REPLIES)
        throw new GatewayError('quick_replies_full')
      const now = clock()
      const row = { account_id: account.id, shortcut, text, created_at: now, updated_at: now }
      return toQuickReply(await rows.insertQuickReply(tx, row))
    }),
  )
}

export async function updateQuickReply(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { account }: Caller,
  id: number,
  { shortcut, text }: z.output<typeof contract.updateQuickReply.body>,
): Promise<QuickReply> {
  const change: RowChange<'quick_replies'> = { updated_at: clock() }
  if (shortcut !== undefined) change.shortcut = shortcut
  if (text !== undefined) change.text = text
  const row = await refuseDuplicate(() =>
    store.transaction((tx) => rows.updateQuickReply(tx, { accountId: account.id, id }, change)),
  )
  if (!row) throw new GatewayError('quick_reply_not_found')
  return toQuickReply(row)
}

export async function deleteQuickReply(
  { store }: Pick<Deps, 'store'>,
  { account }: Caller,
  id: number,
): Promise<void> {
  const isDeleted = await store.transaction((tx) => rows.deleteQuickReply(tx, account.id, id))
  if (!isDeleted) throw new GatewayError('quick_reply_not_found')
}

async function refuseDuplicate<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isStoreError(error, 'unique')) throw new GatewayError('quick_reply_exists', {}, { cause: error })
    throw error
  }
}

const toQuickReply = (row: rows.QuickReplyRow): QuickReply => ({
  id: row.id,
  shortcut: row.shortcut,
  text: row.text,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
