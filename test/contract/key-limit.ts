// A key whose messages of the day are used up, for the routes that send.
import assert from 'node:assert/strict'
import type { Account, Gateway } from '../support/gateway.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export async function usedUpKey(
  { store, clock }: Pick<Gateway, 'store' | 'clock'>,
  account: Account,
): Promise<string> {
  const made = await account.call('createApiKey', { body: { name: 'Limited', messagesPerDay: 1 } })
  assert.equal(made.status, 200)
  const today = clock.now() - (clock.now() % DAY_MS)
  // The next day as well: a test may run at midnight.
  for (const period of [today, today + DAY_MS])
    await store.db
      .insertInto('usage')
      .values({ account_id: account.id, resource: `key:${made.json.apiKey.id}`, period, used: 1 })
      .execute()
  return made.json.key
}
