// Takes over a login that another program has made: a new instance with its keys, in one transaction.

import type { KeyHolder } from '../accounts/caller.ts'
import { takeQuota } from '../accounts/take-quota.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { connectionUpdate } from '../events/rules-payloads.ts'
import { apiInstanceName } from '../kernel/names.ts'
import type { KeyChange, OwnAccount } from '../network/network.ts'
import { lockAccount } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import { instanceScope } from '../store/vault.ts'
import { findInstanceByNumber, type InstanceRow, insertInstance } from './instance-queries.ts'
import { stateAfter } from './rules.ts'
import { insertSessionKeys, sessionKeyCell } from './session-key-queries.ts'

export interface LoginToImport {
  displayName: string
  account: OwnAccount
  /** In batches. Read again if the transaction has to be repeated. */
  keys(): AsyncIterable<readonly KeyChange[]>
  /** Stores what belongs to the instance, in the same transaction. */
  also?(tx: Db, instance: InstanceRow): Promise<void>
}

/** The account has an instance that is logged in with the number. Two holders of one login replace each other. */
export class NumberInUseError extends Error {
  readonly apiName: string

  constructor(apiName: string) {
    super(`the number is logged in as ${apiName}`)
    this.apiName = apiName
  }
}

/** The instance connects when a server runs, as one does after a stop. */
export async function importInstance(
  { store, vault, clock }: Pick<Deps, 'store' | 'vault' | 'clock'>,
  { account, plan }: Pick<KeyHolder, 'account' | 'plan'>,
  login: LoginToImport,
): Promise<InstanceRow> {
  return store.transaction(async (tx) => {
    const now = clock()
    if (!(await lockAccount(tx, account.id))) throw new GatewayError('account_not_found')
    const known = await findInstanceByNumber(tx, login.account.number)
    if (known) throw new NumberInUseError(known.api_name)
    await takeQuota(tx, account.id, plan, 'instances')
    const made = await insertInstance(tx, {
      account_id: account.id,
      display_name: login.displayName,
      api_name: apiInstanceName(login.displayName),
      integration: 'whatsapp',
      ...stateAfter('stopped'),
      logged_in: 1,
      number: login.account.number,
      lid: login.account.lid,
      profile_name: login.account.name,
      created_at: now,
      updated_at: now,
    })
    const box = await vault.box(tx, instanceScope(made.id))
    for await (const batch of login.keys()) {
      const sealed = batch.flatMap(({ kind, name, value }) =>
        value === null ? [] : [{ kind, name, sealed: box.seal(sessionKeyCell(made.id, kind, name), value) }],
      )
      await insertSessionKeys(tx, made.id, sealed)
    }
    await login.also?.(tx, made)
    await store.appendEvents(tx, [connectionUpdate(made, now)])
    return made
  })
}
