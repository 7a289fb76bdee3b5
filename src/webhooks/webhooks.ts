// Webhooks: the URLs to which events of an account are delivered, and the secrets that sign them.

import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import { limitReached } from '../accounts/rules.ts'
import { allNumberForms } from '../contacts/rules-number-evidence.ts'
import type { Deps } from '../context.ts'
import type { DestinationType } from '../contract/destination-types.ts'
import { DIRECTIONS, type Direction } from '../contract/messages.ts'
import type { WebhookChats, WebhookFilterBody } from '../contract/webhook-filter.ts'
import type { Webhook, WebhookEvent } from '../contract/webhooks.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { requireInstance } from '../instances/instances.ts'
import { instanceNames } from '../instances/rules.ts'
import { isStoreError } from '../kernel/store-error.ts'
import { iso, isoOrNull } from '../kernel/time.ts'
import { lockAccount, lockInstance, lockWebhook } from '../store/locks.ts'
import { deleteDeliveriesOf } from '../store/old-rows.ts'
import { type Db, flag, type RowChange } from '../store/tables.ts'
import { GIVE_AGAIN, isSameOrigin } from './rules.ts'
import { newSecret, openOptions, openSecret, type SecretOwner, sealSecret } from './secrets.ts'
import * as rows from './webhook-queries.ts'

const MAX_WEBHOOKS = 50
const HOUR_MS = 60 * 60 * 1000

export interface WebhookFields {
  url?: string | undefined
  name?: string | undefined
  events?: WebhookEvent[] | undefined
  /** Null: all instances. */
  instanceName?: string | null | undefined
  /** Null: none. */
  filter?: z.output<typeof WebhookFilterBody> | null | undefined
  history?: boolean | undefined
  /** Whether several events are posted in one request. */
  batch?: boolean | undefined
  enabled?: boolean | undefined
  secret?: string | undefined
  /** The form of its deliveries; undefined: unchanged. */
  format?: { name: WebhookFormat | DestinationType; options: object | MakeOptions } | undefined
  /** Of a destination; undefined: unchanged. */
  target?: string | undefined
}

/** Makes options from those that are stored, undefined if there are none, while the row is locked. `isMoved`: the URL gets another origin. */
export type MakeOptions = (stored: unknown, isMoved: boolean) => object

type WebhookFormat = z.output<typeof Webhook>['format']

/** What a request says of the form: a name, and the token of the handshake. */
export interface ChosenFormat {
  format?: WebhookFormat | undefined
  verifyToken?: string | undefined
}

type WebhookDeps = Pick<Deps, 'store' | 'vault' | 'clock' | 'checkUrl'>

export async function saveWebhook(
  deps: WebhookDeps,
  caller: Caller,
  id: number | undefined,
  fields: WebhookFields,
) {
  const url = fields.url === undefined ? undefined : allowedUrl(deps, fields.url)
  return storeReceiver(deps, caller, id, { ...fields, url }, 'webhook', async (tx, row) =>
    toWebhook(row, await readSecret(deps, tx, row), deps.clock()),
  )
}

/** Stores a webhook or a destination whose URL was checked. `show` makes the result from its row. */
export async function storeReceiver<T>(
  deps: Omit<WebhookDeps, 'checkUrl'>,
  caller: Caller,
  id: number | undefined,
  fields: WebhookFields,
  kind: rows.ReceiverKind,
  show: (tx: Db, row: rows.WebhookRow) => Promise<T>,
): Promise<T> {
  const { instanceName, ...others } = fields
  const wanted: Wanted = { ...others, instanceId: await scopeOf(deps, caller, instanceName) }
  try {
    return await deps.store.transaction(async (tx) => {
      await lockScope(tx, caller, wanted.instanceId)
      const savedId =
        id === undefined
          ? await insert(deps, tx, caller, wanted)
          : await update(deps, tx, caller, id, wanted, kind)
      return show(tx, await requireWebhook(tx, caller, savedId, kind))
    })
  } catch (error) {
    if (isStoreError(error, 'unique')) throw new GatewayError(`${kind}_exists`, {}, { cause: error })
    throw error
  }
}

/** Saves a webhook whose form a request has chosen. A receiver of the format `cloud` confirms itself before anything is stored. */
export async function saveChosenWebhook(
  deps: WebhookDeps & Pick<Deps, 'readReceiver'>,
  caller: Caller,
  id: number | undefined,
  { format: chosen, verifyToken: given, ...fields }: Omit<WebhookFields, 'format'> & ChosenFormat,
) {
  const known = id === undefined ? undefined : await requireWebhook(deps.store.db, caller, id)
  // Before a handshake calls the host of a bridge.
  if (chosen !== undefined && known?.format === BRIDGE) throw bridgeFault()
  const name = chosen ?? (known?.format as WebhookFormat | undefined)
  if (name !== 'cloud') {
    if (given !== undefined) throw invalidField('verifyToken', 'only with the format cloud')
    return saveWebhook(deps, caller, id, { ...fields, format: chosen && { name: chosen, options: {} } })
  }
  const isNew = known?.format !== 'cloud'
  if (!isNew && given === undefined && fields.url === undefined) return saveWebhook(deps, caller, id, fields)
  const url = allowedUrl(deps, fields.url ?? known?.url ?? '')
  if (!isNew && known && given === undefined && !isSameOrigin(known.url, url))
    throw invalidField('verifyToken', GIVE_AGAIN)
  const verifyToken = given ?? (isNew || !known ? undefined : await storedToken(deps, known))
  if (verifyToken === undefined) throw invalidField('verifyToken', 'required with the format cloud')
  await confirmReceiver(deps, url, verifyToken)
  const usual = isNew ? { events: CLOUD_EVENTS, filter: CLOUD_FILTER } : {}
  return saveWebhook(deps, caller, id, { ...usual, ...fields, format: { name, options: { verifyToken } } })
}

/** The only events that the format has. */
const CLOUD_EVENTS: WebhookEvent[] = [
  'messages.upsert',
  'messages.update',
  'messages.edited',
  'messages.deleted',
]
/** Programs that do not know groups would answer the member instead of the group. */
const CLOUD_FILTER: z.output<typeof WebhookFilterBody> = {
  chats: 'people',
  from: null,
  directions: [...DIRECTIONS],
}

const storedToken = async (deps: WebhookDeps, row: rows.WebhookRow): Promise<string | undefined> =>
  ((await storedOptions(deps, deps.store.db, row)) as { verifyToken?: string } | undefined)?.verifyToken

/** The id of the instance; null: all instances; undefined: unchanged. */
async function scopeOf(
  deps: Pick<WebhookDeps, 'store'>,
  caller: Caller,
  instanceName: string | null | undefined,
): Promise<number | null | undefined> {
  if (instanceName === null || instanceName === undefined) return instanceName
  return (await requireInstance(deps, caller.account.id, instanceName)).id
}

/** Neither the instance nor the account can be deleted until the webhook is inserted. */
async function lockScope(tx: Db, caller: Caller, instanceId: number | null | undefined): Promise<void> {
  const isDeleted = typeof instanceId === 'number' && !(await lockInstance(tx, instanceId))
  if (isDeleted) throw new GatewayError('instance_not_found')
  if (!(await lockAccount(tx, caller.account.id))) throw new GatewayError('unauthorized')
}

type Wanted = Omit<WebhookFields, 'instanceName'> & { instanceId: number | null | undefined }

type Owner = Pick<Caller, 'account'>
type StoreWebhookDeps = Pick<WebhookDeps, 'vault' | 'clock'>

/** In the transaction of the caller, which holds the lock of the account. The URL is checked before. */
export const insertWebhook = (
  deps: StoreWebhookDeps,
  tx: Db,
  owner: Owner,
  wanted: Omit<WebhookFields, 'instanceName' | 'url'> & { url: string; instanceId: number },
): Promise<number> => insert(deps, tx, owner, wanted)

async function insert(deps: StoreWebhookDeps, tx: Db, caller: Owner, wanted: Wanted): Promise<number> {
  refuseBatch(wanted.format?.name ?? 'switchboard', wanted.batch ?? false)
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
    ...filterColumns(wanted.filter ?? null),
    history: flag(wanted.history ?? false),
    batch: flag(wanted.batch ?? false),
    enabled: flag(wanted.enabled ?? true),
    target: wanted.target ?? null,
    // Sealing needs the id of the row, which exists only after the insert.
    sealed_secret: new Uint8Array(),
    created_at: now,
    updated_at: now,
  })
  await rows.updateWebhook(tx, id, {
    sealed_secret: await sealSecret(deps.vault, tx, ownerOf(caller, id), wanted.secret ?? newSecret()),
    ...(await formatColumns(deps, tx, ownerOf(caller, id), wanted.format && madeFormat(wanted.format))),
  })
  return id
}

async function update(
  deps: StoreWebhookDeps,
  tx: Db,
  caller: Caller,
  id: number,
  wanted: Wanted,
  kind: rows.ReceiverKind,
): Promise<number> {
  await lockWebhook(tx, id, caller.account.id)
  const known = await requireWebhook(tx, caller, id, kind)
  refuseBatch(wanted.format?.name ?? known.format, wanted.batch ?? known.batch === 1)
  refuseBridge(known, wanted)
  const change: RowChange<'webhooks'> = { updated_at: deps.clock() }
  if (wanted.url !== undefined) change.url = wanted.url
  if (wanted.name !== undefined) change.name = wanted.name
  if (wanted.events !== undefined) change.events = JSON.stringify(wanted.events)
  if (wanted.instanceId !== undefined) change.instance_id = wanted.instanceId
  if (wanted.filter !== undefined) Object.assign(change, filterColumns(wanted.filter))
  if (wanted.history !== undefined) change.history = flag(wanted.history)
  if (wanted.target !== undefined) change.target = wanted.target
  if (wanted.batch !== undefined) change.batch = flag(wanted.batch)
  if (wanted.enabled !== undefined) {
    // The caller has decided: earlier failures of the receiver no longer count.
    const cleared = { failing_since: null, disabled_reason: null, disabled_at: null }
    Object.assign(change, { enabled: flag(wanted.enabled), ...cleared })
  }
  if (wanted.secret !== undefined) {
    change.sealed_secret = await sealSecret(deps.vault, tx, ownerOf(caller, id), wanted.secret)
    // A secret that the caller sets replaces both the current and the previous one.
    Object.assign(change, { previous_sealed_secret: null, previous_until: null })
  }
  Object.assign(
    change,
    await formatColumns(deps, tx, ownerOf(caller, id), await formatAfter(deps, tx, known, wanted)),
  )
  await rows.updateWebhook(tx, id, change)
  return id
}

/**
 * A bridge has a token for its host, and the chats of its instance: only its own calls change it (decision 0151). These routes
 * pause it and name it; a URL and an instance that are given as they are change nothing.
 */
function refuseBridge(known: rows.WebhookRow, wanted: Wanted): void {
  if (known.format !== BRIDGE || wanted.format?.name === BRIDGE) return
  const { url, instanceId, name: _name, enabled: _enabled, ...others } = wanted
  const isChanged =
    (url !== undefined && url !== known.url) ||
    (instanceId !== undefined && instanceId !== known.instance_id) ||
    Object.values(others).some((value) => value !== undefined)
  if (isChanged) throw bridgeFault()
}

const BRIDGE = 'chatwoot'
const bridgeFault = (): GatewayError =>
  invalidField('id', 'this webhook is changed and deleted by PUT and DELETE /chatwoot/{instanceName}')

/** Programs that read another form expect one event in a request. */
function refuseBatch(format: string, isBatched: boolean): void {
  if (isBatched && format !== 'switchboard') throw invalidField('batch', 'only with the format switchboard')
}

/** Headers were given for the host of the URL. They go to no other one, whichever call changes the URL (decision 0191). */
const withoutHeaders = (stored: unknown): object => ({ ...(stored as object), headers: {} })

async function formatAfter(
  deps: StoreWebhookDeps,
  tx: Db,
  known: rows.WebhookRow,
  { url, format }: Wanted,
): Promise<MadeFormat | undefined> {
  const isMoved = url !== undefined && !isSameOrigin(known.url, url)
  const dropped = { name: 'evolution', options: withoutHeaders } as const
  const next = format ?? (isMoved && known.format === dropped.name ? dropped : undefined)
  if (next === undefined) return undefined
  const stored = next.name === known.format ? await storedOptions(deps, tx, known) : undefined
  return madeFormat(next, stored, isMoved)
}

type MadeFormat = Omit<NonNullable<WebhookFields['format']>, 'options'> & { options: object }

const madeFormat = (
  { name, options }: NonNullable<WebhookFields['format']>,
  stored?: unknown,
  isMoved = false,
): MadeFormat => ({
  name,
  options: typeof options === 'function' ? (options as MakeOptions)(stored, isMoved) : options,
})

/** The options are sealed: they may contain headers with secrets. */
async function formatColumns(
  { vault }: StoreWebhookDeps,
  tx: Db,
  owner: SecretOwner,
  format: MadeFormat | undefined,
): Promise<Pick<RowChange<'webhooks'>, 'format' | 'sealed_options'>> {
  if (format === undefined) return {}
  const sealed = await sealSecret(vault, tx, owner, JSON.stringify(format.options), 'sealed_options')
  return { format: format.name, sealed_options: sealed }
}

function filterColumns(filter: z.output<typeof WebhookFilterBody> | null) {
  const { chats = 'all', from = null, directions = DIRECTIONS } = filter ?? {}
  const [only, ...others] = directions
  return {
    filter_chats: chats,
    filter_from: from && JSON.stringify(from),
    // A number of Brazil or Mexico has two forms, and the network decides which one it uses.
    filter_senders: from && JSON.stringify(allNumberForms(from)),
    filter_direction: only === undefined || others.length > 0 ? null : only,
  }
}

const filterOf = (row: rows.WebhookRow): z.output<typeof Webhook>['filter'] => ({
  chats: row.filter_chats as WebhookChats,
  from: row.filter_from === null ? null : (JSON.parse(row.filter_from) as string[]),
  directions: row.filter_direction === null ? [...DIRECTIONS] : [row.filter_direction as Direction],
})

export async function listWebhooks(deps: WebhookDeps, caller: Caller, instanceName: string | undefined) {
  const found = await listReceivers(deps, caller, instanceName, 'webhook')
  return Promise.all(found.map((row) => toMaskedWebhook(deps, row)))
}

export async function listReceivers(
  deps: Pick<WebhookDeps, 'store'>,
  caller: Caller,
  instanceName: string | undefined,
  kind: rows.ReceiverKind,
): Promise<rows.WebhookRow[]> {
  const instance =
    instanceName === undefined ? undefined : await requireInstance(deps, caller.account.id, instanceName)
  return rows.listWebhooks(deps.store.db, caller.account.id, instance?.id, kind)
}

export async function getWebhook(deps: WebhookDeps, caller: Caller, id: number) {
  return toMaskedWebhook(deps, await requireWebhook(deps.store.db, caller, id))
}

/** The options of the webhook's format, with their secrets; undefined: it has none. */
export async function webhookOptions(deps: WebhookDeps, caller: Caller, id: number): Promise<unknown> {
  return storedOptions(deps, deps.store.db, await requireWebhook(deps.store.db, caller, id))
}

const storedOptions = ({ vault }: Pick<Deps, 'vault'>, db: Db, row: rows.WebhookRow): Promise<unknown> =>
  openOptions(vault, db, { accountId: row.account_id, webhookId: row.id }, row.sealed_options)

/** Deliveries are signed with a new secret, and during the overlap with the old one as well. */
export async function rotateSecret(deps: WebhookDeps, caller: Caller, id: number, overlapHours: number) {
  const seen = await requireWebhook(deps.store.db, caller, id)
  // It signs nothing that a bridge sends.
  if (seen.format === BRIDGE) throw bridgeFault()
  return deps.store.transaction(async (tx) => {
    const owner = ownerOf(caller, id)
    await lockWebhook(tx, id, caller.account.id)
    const known = await requireWebhook(tx, caller, id)
    // Each rotation keeps one previous secret: two concurrent rotations would drop the one that receivers still use.
    if (!Buffer.from(known.sealed_secret).equals(seen.sealed_secret))
      throw new GatewayError('rotated_meanwhile')
    const old = await readSecret(deps, tx, known)
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

/** By its own route. */
export async function deleteOwnWebhook(
  deps: Pick<WebhookDeps, 'store'>,
  caller: Caller,
  id: number,
): Promise<void> {
  const { format } = await requireWebhook(deps.store.db, caller, id)
  if (format === BRIDGE) throw bridgeFault()
  await deleteWebhook(deps, caller, id)
}

/** Its deliveries are deleted first, in small batches. */
export async function deleteWebhook(
  deps: Pick<WebhookDeps, 'store'>,
  caller: Caller,
  id: number,
  kind: rows.ReceiverKind = 'webhook',
): Promise<void> {
  await requireWebhook(deps.store.db, caller, id, kind)
  await rows.updateWebhook(deps.store.db, id, { enabled: 0 })
  await deleteDeliveriesOf(deps.store, id)
  const deleted = await rows.deleteWebhook(deps.store.db, caller.account.id, id)
  if (!deleted) throw new GatewayError(`${kind}_not_found`)
}

/** Webhooks and destinations share ids, and neither is found as the other. */
export async function requireWebhook(
  db: Db,
  caller: Caller,
  id: number,
  kind: rows.ReceiverKind = 'webhook',
): Promise<rows.WebhookRow> {
  const row = await rows.findWebhook(db, caller.account.id, id, kind)
  if (!row) throw new GatewayError(`${kind}_not_found`)
  return row
}

const ownerOf = (caller: Owner, id: number) => ({ accountId: caller.account.id, webhookId: id })

const readSecret = (deps: WebhookDeps, db: Db, row: rows.WebhookRow): Promise<string> =>
  openSecret(deps.vault, db, { accountId: row.account_id, webhookId: row.id }, row.sealed_secret)

/** Only https to public hosts, and http to those of the operator's list; without credentials in the URL. */
function allowedUrl(deps: WebhookDeps, text: string): string {
  const checked = deps.checkUrl(text, 'webhook')
  if ('href' in checked) return checked.href
  throw new GatewayError(
    'url_not_allowed',
    { details: [{ path: 'url', message: checked.refused }] },
    { message: `The webhook URL is not allowed: ${checked.refused}.` },
  )
}

async function toMaskedWebhook(deps: WebhookDeps, row: rows.WebhookRow) {
  const secret = await readSecret(deps, deps.store.db, row)
  return toWebhook(row, `********${secret.slice(-4)}`, deps.clock())
}

const toWebhook = (row: rows.WebhookRow, secret: string, now: number): z.output<typeof Webhook> => ({
  ...receiverFields(row),
  batch: row.batch === 1,
  format: row.format as z.output<typeof Webhook>['format'],
  secret,
  previousSecretExpiresAt: isoOrNull((row.previous_until ?? 0) > now ? row.previous_until : null),
})

/** What callers see of webhooks and destinations alike. */
export const receiverFields = (
  row: rows.WebhookRow,
): Omit<z.output<typeof Webhook>, 'batch' | 'format' | 'secret' | 'previousSecretExpiresAt'> => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: JSON.parse(row.events) as WebhookEvent[],
  filter: filterOf(row),
  history: row.history === 1,
  enabled: row.enabled === 1,
  failingSince: isoOrNull(row.failing_since),
  disabledReason: row.disabled_reason as z.output<typeof Webhook>['disabledReason'],
  disabledAt: isoOrNull(row.disabled_at),
  instance:
    row.api_name === null || row.display_name === null
      ? null
      : instanceNames({ api_name: row.api_name, display_name: row.display_name }),
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})

// The handshake of the Cloud API: a receiver shows that it knows the token before events are posted to it (decision 0145).

/** The query of the URL stays. */
export function handshakeUrl(url: string, verifyToken: string, challenge: string): string {
  const called = new URL(url)
  called.searchParams.set('hub.mode', 'subscribe')
  called.searchParams.set('hub.verify_token', verifyToken)
  called.searchParams.set('hub.challenge', challenge)
  called.hash = ''
  return called.href
}

/** The original sends digits, and some receivers answer with them as a number. */
const newChallenge = (): string => String(randomInt(1_000_000_000, 10_000_000_000))

/** Throws unless the receiver answers with the challenge. */
export async function confirmReceiver(
  { readReceiver }: Pick<Deps, 'readReceiver'>,
  url: string,
  verifyToken: string,
): Promise<void> {
  const challenge = newChallenge()
  let answer: string
  try {
    answer = await readReceiver(handshakeUrl(url, verifyToken, challenge))
  } catch (error) {
    throw notVerified((error as Error).message, error)
  }
  if (answer.trim().replace(/^"(.*)"$/, '$1') !== challenge)
    throw notVerified('The answer is not the challenge.')
}

const notVerified = (why: string, cause?: unknown): GatewayError =>
  new GatewayError(
    'webhook_not_verified',
    { details: [{ path: 'url', message: why }] },
    { message: `The receiver did not confirm the webhook by its handshake: ${why}`, cause },
  )
