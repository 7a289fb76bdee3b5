// The proxies of all instances, for the doctor, which reads the database without the query builder.
import { proxyCell } from '../instances/settings-queries.ts'
import { accountScope, openSealed } from './vault.ts'

export interface StoredProxy {
  /** The API name of the instance. */
  instance: string
  /** A URL with credentials. */
  proxy: string
}

/** Each with the wrapped key that it is sealed with. */
export const PROXIES = `select i.id, i.account_id as "accountId", i.api_name as instance, s.sealed_proxy as sealed, k.wrapped
  from instance_settings s
  join instances i on i.id = s.instance_id
  join data_keys k on k.scope = 'account:' || i.account_id
  where s.sealed_proxy is not null and i.deleted_at is null order by i.id`

export interface ProxyRow {
  id: number | string
  accountId: number | string
  instance: string
  sealed: Uint8Array
  wrapped: Uint8Array
}

export const openProxies = (masterKey: Uint8Array, rows: readonly ProxyRow[]): StoredProxy[] =>
  rows.map(({ id, accountId, instance, sealed, wrapped }) => {
    const scope = accountScope(Number(accountId))
    const plain = openSealed(masterKey, { scope, wrapped }, proxyCell(Number(id)), sealed)
    return { instance, proxy: Buffer.from(plain).toString() }
  })
