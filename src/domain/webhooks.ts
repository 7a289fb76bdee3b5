// Webhooks: where an account wants its events, and the secret they are signed with (spec 2.4, 4.5, decisions 8).
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Webhook, WebhookEvent } from '../contract/webhooks.ts'
import { GatewayError } from '../errors.ts'
import { lockAccount } from '../store/queries/accounts.ts'
import * as rows from '../store/queries/webhooks.ts'
import { isStoreError } from '../store/store-error.ts'
import { type Db, flag, type RowChange } from '../store/tables.ts'
import { accountScope } from '../store/vault.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { requireInstance, toNames } from './instances.ts'
import { limitReached } from './quota.ts'
import { iso } from './time.ts'

const MAX_WEBHOOKS = 50

export interface WebhookFields {
  url?: string | undefined
  name?: string | undefined
  events?: WebhookEvent[] | undefined
  instanceName?: string | undefined
  enabled?: boolean | undefined
  secret?: string | undefined
}

type WebhookDeps = Pick<Deps, 'store' | 'vault' | 'clock' | 'judgeUrl'>

export async function saveWebhook(
  deps: WebhookDeps,
  caller: Caller,
  id: number | undefined,
  fields: WebhookFields,
) {
  const url = fields.url === undefined ? undefined : allowedUrl(deps, fields.url)
  const instance =
    fields.instanceName === undefined
      ? undefined
      : await requireInstance(deps, caller.account.id, fields.instanceName)
  const wanted = { ...fields, url, instanceId: instance?.id }
  try {
    return await deps.store.transaction(async (tx) => {
      const savedId =
        id === undefined ? await insert(deps, tx, caller, wanted) : await update(deps, tx, caller, id, wanted)
      const row = await requireWebhook(tx, caller, savedId)
      return toWebhook(row, await readSecret(deps, tx, row))
    })
  } catch (error) {
    if (isStoreError(error, 'unique')) throw new GatewayError('webhook_exists', {}, { cause: error })
    throw error
  }
}

type Wanted = Omit<WebhookFields, 'instanceName'> & { instanceId: number | undefined }

async function insert(deps: WebhookDeps, tx: Db, caller: Caller, wanted: Wanted): Promise<number> {
  await lockAccount(tx, caller.account.id)
  const count = await rows.countWebhooks(tx, caller.account.id)
  if (count >= MAX_WEBHOOKS) throw limitReached('webhooks', MAX_WEBHOOKS, count)
  const now = deps.clock()
  const url = wanted.url as string
  const { id } = await rows.insertWebhook(tx, {
    account_id: caller.account.id,
    instance_id: wanted.instanceId ?? null,
    name: wanted.name ?? new URL(url).host,
    url,
    events: JSON.stringify(wanted.events ?? ['*']),
    enabled: flag(wanted.enabled ?? true),
    // The seal names the row, and the row has no id before it is there.
    sealed_secret: new Uint8Array(),
    created_at: now,
    updated_at: now,
  })
  await rows.updateWebhook(tx, id, {
    sealed_secret: await sealSecret(deps, tx, caller, id, wanted.secret ?? newSecret()),
  })
  return id
}

async function update(
  deps: WebhookDeps,
  tx: Db,
  caller: Caller,
  id: number,
  wanted: Wanted,
): Promise<number> {
  await requireWebhook(tx, caller, id)
  const change: RowChange<'webhooks'> = { updated_at: deps.clock() }
  if (wanted.url !== undefined) change.url = wanted.url
  if (wanted.name !== undefined) change.name = wanted.name
  if (wanted.events !== undefined) change.events = JSON.stringify(wanted.events)
  if (wanted.instanceId !== undefined) change.instance_id = wanted.instanceId
  if (wanted.enabled !== undefined) change.enabled = flag(wanted.enabled)
  if (wanted.secret !== undefined)
    change.sealed_secret = await sealSecret(deps, tx, caller, id, wanted.secret)
  await rows.updateWebhook(tx, id, change)
  return id
}

export async function listWebhooks(deps: WebhookDeps, caller: Caller, instanceName: string | undefined) {
  const instance =
    instanceName === undefined ? undefined : await requireInstance(deps, caller.account.id, instanceName)
  const found = await rows.listWebhooks(deps.store.db, caller.account.id, instance?.id)
  return Promise.all(found.map((row) => toMaskedWebhook(deps, row)))
}

export async function getWebhook(deps: WebhookDeps, caller: Caller, id: number) {
  return toMaskedWebhook(deps, await requireWebhook(deps.store.db, caller, id))
}

export async function deleteWebhook(deps: WebhookDeps, caller: Caller, id: number): Promise<void> {
  const gone = await rows.deleteWebhook(deps.store.db, caller.account.id, id)
  if (!gone) throw new GatewayError('webhook_not_found')
}

async function requireWebhook(db: Db, caller: Caller, id: number): Promise<rows.WebhookRow> {
  const row = await rows.findWebhook(db, caller.account.id, id)
  if (!row) throw new GatewayError('webhook_not_found')
  return row
}

const secretPlace = (id: number) => ({ table: 'webhooks', column: 'sealed_secret', row: id })

const sealSecret = (
  deps: WebhookDeps,
  tx: Db,
  caller: Caller,
  id: number,
  secret: string,
): Promise<Uint8Array> =>
  deps.vault.seal(tx, accountScope(caller.account.id), secretPlace(id), Buffer.from(secret))

async function readSecret(deps: WebhookDeps, db: Db, row: rows.WebhookRow): Promise<string> {
  const plain = await deps.vault.unseal(
    db,
    accountScope(row.account_id),
    secretPlace(row.id),
    row.sealed_secret,
  )
  return Buffer.from(plain).toString()
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Events leave over TLS only, to a public host, and the address carries no credentials (spec 6.2, attack list 4). */
function allowedUrl(deps: WebhookDeps, text: string): string {
  const judged = deps.judgeUrl(text, 'webhook')
  if ('href' in judged) return judged.href
  throw new GatewayError(
    'url_not_allowed',
    { details: [{ path: 'url', message: judged.refused }] },
    { message: `The webhook URL is not allowed: ${judged.refused}.` },
  )
}

async function toMaskedWebhook(deps: WebhookDeps, row: rows.WebhookRow) {
  const secret = await readSecret(deps, deps.store.db, row)
  return toWebhook(row, `********${secret.slice(-4)}`)
}

const toWebhook = (row: rows.WebhookRow, secret: string): z.output<typeof Webhook> => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: JSON.parse(row.events) as WebhookEvent[],
  enabled: row.enabled === 1,
  secret,
  instance:
    row.api_name === null || row.display_name === null
      ? null
      : toNames({ api_name: row.api_name, display_name: row.display_name }),
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
