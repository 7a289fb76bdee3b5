// The people that an account knows.
import type { Account } from '../model/world.ts'
import { listChats } from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'

/** The account itself and all accounts that it shares a chat or a group with. */
export function acquaintancesOf({ world, database }: StoredWorld, account: Account): Account[] {
  const groups = [...world.groups.values()].filter((group) => group.members[account.number])
  const numbers = new Set([
    account.number,
    ...listChats(database, account.number),
    ...groups.flatMap((group) => Object.keys(group.members)),
  ])
  return [...numbers].flatMap((number) => world.accounts.get(number) ?? [])
}
