// Destinations: queues and streams of brokers that get the events of an account. They are rows of webhooks whose format names the
// type, so that fan-out, lanes, retries, attempts and replays are those of webhooks (decision 0161).
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import type { DestinationType } from '../contract/destination-types.ts'
import type { Destination } from '../contract/destinations.ts'
import { GatewayError, invalidField } from '../errors.ts'
import type { Db } from '../store/tables.ts'
import { GIVE_AGAIN, isSameOrigin } from './rules.ts'
import {
  changedOptions,
  type DestinationChange,
  type DestinationOptions,
  isFieldFault,
  targetOf,
} from './rules-destination-options.ts'
import { openOptions } from './secrets.ts'
import type { WebhookRow } from './webhook-queries.ts'
import {
  listReceivers,
  receiverFields,
  requireWebhook,
  storeReceiver,
  type WebhookFields,
} from './webhooks.ts'

type DestinationDeps = Pick<Deps, 'store' | 'vault' | 'clock' | 'checkUrl'>
type Shown = z.output<typeof Destination>

export type DestinationFields = Omit<WebhookFields, 'secret' | 'format' | 'target'> &
  DestinationChange & { type?: DestinationType | undefined }

interface Known {
  row: WebhookRow
  options: DestinationOptions
}

export async function saveDestination(
  deps: DestinationDeps,
  caller: Caller,
  id: number | undefined,
  fields: DestinationFields,
): Promise<Shown> {
  const known = id === undefined ? undefined : await readDestination(deps, caller, id)
  const {
    type: given,
    username,
    password,
    topic,
    exchange,
    maxLength,
    region,
    homeAssistant,
    ...common
  } = fields
  const type = typeOf(known, given)
  const change = { username, password, topic, exchange, maxLength, region, homeAssistant }
  const url = fields.url === undefined ? (known?.row.url ?? '') : allowedUrl(deps, type, fields.url)
  refuseOtherOrigin(known, url, change)
  const options = changedOptions(type, url, known?.options, change)
  if (isFieldFault(options)) throw invalidField(options.field, options.message)
  const stored = { ...common, url, format: { name: type, options }, target: targetOf(options) }
  return storeReceiver(deps, caller, id, stored, 'destination', async (_tx, row) =>
    toDestination({ row, options }),
  )
}

function typeOf(known: Known | undefined, given: DestinationType | undefined): DestinationType {
  const type = known ? (known.row.format as DestinationType) : given
  if (type === undefined) throw invalidField('type', 'required to create a destination')
  if (given !== undefined && given !== type) throw invalidField('type', 'cannot be changed')
  return type
}

/** The stored password is never sent to another host, nor by another scheme, such as one without TLS. */
function refuseOtherOrigin(known: Known | undefined, url: string, { password }: DestinationChange): void {
  if (!known || known.options.password === null || password !== undefined) return
  if (!isSameOrigin(known.row.url, url)) throw invalidField('password', GIVE_AGAIN)
}

function allowedUrl(deps: DestinationDeps, type: DestinationType, text: string): string {
  const checked = deps.checkUrl(text, type)
  if ('href' in checked) return checked.href
  throw new GatewayError(
    'url_not_allowed',
    { details: [{ path: 'url', message: checked.refused }] },
    { message: `The URL of the destination is not allowed: ${checked.refused}.` },
  )
}

export async function listDestinations(
  deps: DestinationDeps,
  caller: Caller,
  instanceName: string | undefined,
): Promise<Shown[]> {
  const found = await listReceivers(deps, caller, instanceName, 'destination')
  return Promise.all(
    found.map(async (row) => toDestination({ row, options: await optionsOf(deps, deps.store.db, row) })),
  )
}

export const getDestination = async (deps: DestinationDeps, caller: Caller, id: number): Promise<Shown> =>
  toDestination(await readDestination(deps, caller, id))

export async function readDestination(
  deps: Pick<Deps, 'store' | 'vault'>,
  caller: Caller,
  id: number,
): Promise<Known> {
  const { db } = deps.store
  const row = await requireWebhook(db, caller, id, 'destination')
  return { row, options: await optionsOf(deps, db, row) }
}

async function optionsOf(
  { vault }: Pick<Deps, 'vault'>,
  db: Db,
  row: WebhookRow,
): Promise<DestinationOptions> {
  const owner = { accountId: row.account_id, webhookId: row.id }
  return (await openOptions(vault, db, owner, row.sealed_options)) as DestinationOptions
}

/** Without the password. */
const toDestination = ({ row, options }: Known): Shown => ({
  ...receiverFields(row),
  type: row.format as DestinationType,
  username: options.username,
  hasPassword: options.password !== null,
  topic: options.topic,
  exchange: options.exchange,
  maxLength: options.maxLength,
  region: options.region,
  homeAssistant: options.homeAssistant,
})
