// Webhooks: where an account wants its events, and the secret they are signed with (spec 2.4, 4.5, decisions 8).
import type { z } from 'zod'
import type { Webhook, WebhookEvent } from '../contract/webhooks.ts'
import { GatewayError } from '../errors.ts'
import { lockAccount } from '../store/queries/accounts.ts'
import { removeDeliveries } from '../store/queries/old-rows.ts'
import * as rows from '../store/queries/webhooks.ts'
import { isStoreError } from '../store/store-error.ts'
import { type Db, flag, type RowChange } from '../store/tables.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { requireInstance, toNames } from './instances.ts'
import { limitReached } from './quota.ts'
import { iso, isoOrNull } from './time.ts'
import { newSecret, openSecret, sealSecret } from './webhook-secrets.ts'

const MAX_WEBHOOKS = 50
const HOUR_MS = 60 * 60 * 1000

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
      return toWebhook(row, await readSecret(deps, tx, row), deps.clock())
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
    sealed_secret: await sealSecret(deps.vault, tx, ownerOf(caller, id), wanted.secret ?? newSecret()),
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
  if (wanted.enabled !== undefined) {
    // Whatever the gateway held against the receiver is forgotten: it has the caller's word now.
    const cleared = { failing_since: null, disabled_reason: null, disabled_at: null }
    Object.assign(change, { enabled: flag(wanted.enabled), ...cleared })
  }
  if (wanted.secret !== undefined) {
    change.sealed_secret = await sealSecret(deps.vault, tx, ownerOf(caller, id), wanted.secret)
    // Whoever names a secret means this one alone.
    Object.assign(change, { previous_sealed_secret: null, previous_until: null })
  }
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

/** From now on deliveries carry a new secret; for the overlap, the old one beside it. */
export async function rotateSecret(deps: WebhookDeps, caller: Caller, id: number, overlapHours: number) {
  return deps.store.transaction(async (tx) => {
    const owner = ownerOf(caller, id)
    const old = await readSecret(deps, tx, await requireWebhook(tx, caller, id))
    const now = deps.clock()
    const overlap = overlapHours > 0
    await rows.updateWebhook(tx, id, {
      sealed_secret: await sealSecret(deps.vault, tx, owner, newSecret()),
      previous_sealed_secret: overlap
        ? await sealSecret(deps.vault, tx, owner, old, 'previous_sealed_secret')
        : null,
      previous_until: overlap ? now + overlapHours * HOUR_MS : null,
      updated_at: now,
    })
    const row = await requireWebhook(tx, caller, id)
    return toWebhook(row, await readSecret(deps, tx, row), now)
  })
}

/** Its deliveries go with it, the many in small bites first. */
export async function deleteWebhook(deps: WebhookDeps, caller: Caller, id: number): Promise<void> {
  await requireWebhook(deps.store.db, caller, id)
  await rows.updateWebhook(deps.store.db, id, { enabled: 0 })
  await removeDeliveries(deps.store.db, id)
  const gone = await rows.deleteWebhook(deps.store.db, caller.account.id, id)
  if (!gone) throw new GatewayError('webhook_not_found')
}

export async function requireWebhook(db: Db, caller: Caller, id: number): Promise<rows.WebhookRow> {
  const row = await rows.findWebhook(db, caller.account.id, id)
  if (!row) throw new GatewayError('webhook_not_found')
  return row
}

const ownerOf = (caller: Caller, id: number) => ({ accountId: caller.account.id, webhookId: id })

const readSecret = (deps: WebhookDeps, db: Db, row: rows.WebhookRow): Promise<string> =>
  openSecret(deps.vault, db, { accountId: row.account_id, webhookId: row.id }, row.sealed_secret)

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
  return toWebhook(row, `********${secret.slice(-4)}`, deps.clock())
}

const toWebhook = (row: rows.WebhookRow, secret: string, now: number): z.output<typeof Webhook> => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: JSON.parse(row.events) as WebhookEvent[],
  enabled: row.enabled === 1,
  secret,
  previousSecretExpiresAt: isoOrNull((row.previous_until ?? 0) > now ? row.previous_until : null),
  failingSince: isoOrNull(row.failing_since),
  disabledReason: row.disabled_reason as z.output<typeof Webhook>['disabledReason'],
  disabledAt: isoOrNull(row.disabled_at),
  instance:
    row.api_name === null || row.display_name === null
      ? null
      : toNames({ api_name: row.api_name, display_name: row.display_name }),
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
