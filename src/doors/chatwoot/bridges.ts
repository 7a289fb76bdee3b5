// The bridge to Chatwoot put together: events to it, and what callers can ask of it. `serve.ts` has the way back.

import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Caller } from '../../accounts/caller.ts'
import { formsOf } from '../../chats/chat-reports.ts'
import { chatIds, chatOf, hasAddress } from '../../chats/rules.ts'
import { findNames, type NamesOf } from '../../contacts/name-queries.ts'
import type { Deps } from '../../context.ts'
import type {
  ChatwootBridge,
  ChatwootHistory,
  HistoryBody,
  SaveChatwootBody,
} from '../../contract/chatwoot.ts'
import type { EventName } from '../../contract/events.ts'
import type { Direction } from '../../contract/messages.ts'
import { GatewayError, invalidField } from '../../errors.ts'
import { textOf } from '../../events/rules-payloads.ts'
import type { InstanceRow } from '../../instances/instance-queries.ts'
import { requireInstance } from '../../instances/instances.ts'
import { instanceNames } from '../../instances/rules.ts'
import type { Outbound } from '../../kernel/outbound/client.ts'
import { iso, isoOrNull } from '../../kernel/time.ts'
import { type MessageRow, positionOf } from '../../messages/message-queries.ts'
import { isDeleted } from '../../messages/quoted.ts'
import { SILENT } from '../../messages/silent-types.ts'
import type { Db } from '../../store/tables.ts'
import { GIVE_AGAIN, isSameOrigin } from '../../webhooks/rules.ts'
import { openOptions } from '../../webhooks/secrets.ts'
import type { WebhookRow } from '../../webhooks/webhook-queries.ts'
import { deleteWebhook, saveWebhook } from '../../webhooks/webhooks.ts'
import { type ChatwootApi, ChatwootError, createChatwootApi, type Inbox } from './api.ts'
import type { BridgedMessage } from './messages.ts'
import { type Bridge, type ChatwootOptions, HOOK_PATH, hookPath } from './options.ts'
import type { Outward } from './outward.ts'
import type { ChatwootBridges } from './port.ts'
import { findBridge, listMessagesAfter } from './queries.ts'

export function createChatwootBridges(parts: SetupParts, { push }: Outward): ChatwootBridges {
  const find = async (caller: Caller, instanceName: string) => {
    const instance = await requireInstance(parts, caller.account.id, instanceName)
    return { instance, known: await requireBridge(parts, instance.id) }
  }
  return {
    save: (caller, instanceName, body) => saveBridge(parts, caller, instanceName, body),
    async get(caller, instanceName) {
      const { instance, known } = await find(caller, instanceName)
      return toBridge(instance, known)
    },
    async remove(caller, instanceName) {
      const { known } = await find(caller, instanceName)
      await deleteWebhook(parts, caller, known.row.id)
    },
    async pushHistory(caller, instanceName, body, signal) {
      const { known } = await find(caller, instanceName)
      return pushHistory({ db: parts.store.db, clock: parts.clock, push }, known.bridge, body, signal)
    },
  }
}

// Stored messages for Chatwoot on request: oldest first, each once, a page per call.

const DAY_MS = 24 * 60 * 60 * 1000
/** The answer must come before clients and proxies give up. */
const CALL_MS = 20_000

async function pushHistory(
  parts: { db: Db; clock(): number; push: Outward['push'] },
  bridge: Bridge,
  body: z.output<typeof HistoryBody>,
  signal: AbortSignal,
): Promise<z.output<typeof ChatwootHistory>> {
  const { db, clock } = parts
  const startedAt = clock()
  const { instanceId } = bridge
  const [at, rowId] = body.cursor?.split(':').map(Number) ?? []
  const found = await listMessagesAfter(db, {
    instanceId,
    chats: hasAddress(body) ? await formsOf(db, instanceId, chatOf(body)) : undefined,
    since: startedAt - body.days * DAY_MS,
    after: at === undefined || rowId === undefined ? null : { at, rowId },
    silent: SILENT,
    limit: body.limit,
  })
  const namesOf = await findNames(
    db,
    found.map((row) => ({ instanceId, chat: row.chat })),
  )
  let pushed = 0
  let next = body.cursor ?? null
  for (const row of found) {
    if (clock() - startedAt > CALL_MS || signal.aborted) return { pushed, next, failure: null }
    if (!(await isDeleted(db, row))) {
      const failure = await pushOne(parts.push, bridge, row, namesOf, signal)
      if (failure !== null) return { pushed, next, failure }
      pushed += 1
    }
    const position = positionOf(row)
    next = `${position.at}:${position.rowId ?? 0}`
  }
  return { pushed, next: found.length < body.limit ? null : next, failure: null }
}

/** Null: it is there. */
async function pushOne(
  push: Outward['push'],
  bridge: Bridge,
  row: MessageRow,
  namesOf: NamesOf,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await push(bridge, storedUpsert(row, namesOf), row.api_name, signal)
    return null
  } catch (error) {
    if (error instanceof ChatwootError) return error.message
    throw error
  }
}

type Stored = Partial<Pick<BridgedMessage, 'from' | 'quoted'>> & { media?: BridgedMessage['media'] } & Record<
    string,
    unknown
  >

/** A stored message as the event about it has described it. */
function storedUpsert(row: MessageRow, namesOf: NamesOf): BridgedMessage {
  const content = JSON.parse(row.content) as Stored
  const { from, media, quoted } = content
  const ids = chatIds(row.chat, namesOf({ instanceId: row.instance_id, chat: row.chat }))
  return {
    messageId: row.id,
    ...ids,
    direction: row.direction as Direction,
    from: from ?? { jid: row.chat, lid: null, phone: null, pushName: null },
    type: row.kind as BridgedMessage['type'],
    text: textOf(content),
    media: media ? { ...media, downloadPath: row.media_reference === null ? null : row.id } : null,
    quoted: quoted ?? null,
    interactiveReplyId: null,
    content: content as BridgedMessage['content'],
    status: null,
    sentAt: iso(row.created_at),
  }
}

// The settings of a bridge: its inbox in Chatwoot, its webhook here, and what callers see of both.

interface SetupParts extends Pick<Deps, 'store' | 'vault' | 'clock' | 'checkUrl' | 'wakeDeliveries'> {
  post: Outbound['post']
  publicUrl: string | undefined
}

type Body = z.output<typeof SaveChatwootBody>

/** Changes of messages arrive as messages as well. */
const EVENTS: EventName[] = ['messages.upsert', 'messages.update', 'contacts.merged']

interface KnownBridge {
  row: WebhookRow
  bridge: Bridge
}

async function saveBridge(
  parts: SetupParts,
  caller: Caller,
  instanceName: string,
  body: Body,
): Promise<z.output<typeof ChatwootBridge>> {
  const instance = await requireInstance(parts, caller.account.id, instanceName)
  const known = await findKnown(parts, instance.id)
  const url = allowedUrl(parts, body.url)
  const token = tokenOf(body, url, known)
  const gatewayUrl = gatewayUrlOf(body, parts.publicUrl)
  const hookToken = hookTokenOf(body, url, known) ?? randomBytes(32).toString('base64url')
  const api = createChatwootApi(parts.post, { url, accountId: body.accountId, token, clock: parts.clock })
  const inbox = await prepareInbox(api, instance, body, gatewayUrl + hookPath(instance.id, hookToken))
  const { signAgentNames, ignoreGroups, reopenConversation, conversationPending } = body
  const options: ChatwootOptions = {
    accountId: body.accountId,
    token,
    inboxId: inbox.id,
    inboxName: inbox.name,
    hookToken,
    hookSecret: inbox.secret || null,
    gatewayUrl,
    signAgentNames,
    ignoreGroups,
    reopenConversation,
    conversationPending,
  }
  await saveRow(parts, caller, known?.row.id, {
    url,
    name: 'Chatwoot',
    instanceName,
    events: EVENTS,
    filter: ignoreGroups ? { chats: 'people', from: null, directions: ['outgoing', 'incoming'] } : null,
    enabled: body.enabled,
    format: { name: 'chatwoot', options },
  })
  // Deliveries that were queued while the bridge was disabled are due now.
  parts.wakeDeliveries()
  return toBridge(instance, await requireBridge(parts, instance.id))
}

/** Another request may have created the bridge meanwhile. */
async function saveRow(
  parts: SetupParts,
  caller: Caller,
  webhookId: number | undefined,
  fields: Parameters<typeof saveWebhook>[3] & { instanceName: string },
): Promise<void> {
  try {
    await saveWebhook(parts, caller, webhookId, fields)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.reason !== 'webhook_exists') throw error
    const { id } = await requireInstance(parts, caller.account.id, fields.instanceName)
    const made = webhookId === undefined ? await findBridge(parts.store.db, id) : undefined
    if (!made) throw invalidField('url', 'a webhook of the instance has this URL')
    await saveWebhook(parts, caller, made.id, fields)
  }
}

async function findKnown(parts: SetupParts, instanceId: number): Promise<KnownBridge | undefined> {
  const row = await findBridge(parts.store.db, instanceId)
  if (!row) return undefined
  const { id: webhookId, account_id: accountId, url, sealed_options: sealed } = row
  const opened = await openOptions(parts.vault, parts.store.db, { accountId, webhookId }, sealed)
  return { row, bridge: { webhookId, accountId, instanceId, url, options: opened as ChatwootOptions } }
}

async function requireBridge(parts: SetupParts, instanceId: number): Promise<KnownBridge> {
  const known = await findKnown(parts, instanceId)
  if (!known) throw new GatewayError('chatwoot_not_set')
  return known
}

/** The stored token is never sent to another host. */
function tokenOf(body: Body, url: string, known: KnownBridge | undefined): string {
  if (body.token !== undefined) return body.token
  if (!known) throw invalidField('token', 'required')
  if (!isSameOrigin(known.bridge.url, url)) throw invalidField('token', GIVE_AGAIN)
  return known.bridge.options.token
}

/** Undefined: a new one is needed, because another Chatwoot, or another account of it, knows the stored one and could keep posting. */
function hookTokenOf({ accountId }: Body, url: string, known: KnownBridge | undefined): string | undefined {
  const { hookToken, accountId: knownId } = known?.bridge.options ?? {}
  return known && knownId === accountId && isSameOrigin(known.bridge.url, url) ? hookToken : undefined
}

function gatewayUrlOf({ gatewayUrl }: Body, publicUrl: string | undefined): string {
  const given = gatewayUrl ?? publicUrl
  if (given === undefined) throw invalidField('gatewayUrl', 'required, because PUBLIC_URL is not set')
  const url = URL.parse(given)
  const isUsable = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === ''
  if (!isUsable)
    throw invalidField('gatewayUrl', 'expected an http or https URL without credentials and query')
  return url.href.replace(/\/+$/, '')
}

function allowedUrl({ checkUrl }: SetupParts, text: string): string {
  const checked = checkUrl(text, 'webhook')
  if ('href' in checked) return checked.href
  throw new GatewayError(
    'url_not_allowed',
    { details: [{ path: 'url', message: checked.refused }] },
    { message: `The URL of Chatwoot is not allowed: ${checked.refused}.` },
  )
}

async function prepareInbox(
  api: ChatwootApi,
  instance: InstanceRow,
  body: Body,
  webhookUrl: string,
): Promise<Inbox> {
  const isSingle = body.reopenConversation
  try {
    const existing = await findInbox(api, instance, body)
    if (!existing) return await api.createInbox(body.inboxName ?? instance.display_name, webhookUrl, isSingle)
    await api.updateInbox(existing.id, webhookUrl, isSingle)
    return await api.getInbox(existing.id)
  } catch (error) {
    if (error instanceof ChatwootError)
      throw new GatewayError('chatwoot_failed', {}, { message: error.message })
    throw error
  }
}

const API_CHANNEL = 'Channel::Api'

/** An inbox that another instance uses is found by its id only: names of instances are not unique. */
async function findInbox(
  api: ChatwootApi,
  instance: InstanceRow,
  { inboxId, inboxName = instance.display_name }: Body,
): Promise<Inbox | undefined> {
  if (inboxId !== undefined) {
    const inbox = await api.getInbox(inboxId)
    if (inbox.channel_type !== API_CHANNEL) throw invalidField('inboxId', 'expected an inbox of the type API')
    return inbox
  }
  const isFree = ({ webhook_url: url }: Inbox) =>
    !url?.includes(HOOK_PATH) || url.includes(`${HOOK_PATH}/${instance.id}-`)
  return (await api.listInboxes()).find(
    (inbox) => inbox.channel_type === API_CHANNEL && inbox.name === inboxName && isFree(inbox),
  )
}

/** Without token, path and secret. */
const toBridge = (
  instance: InstanceRow,
  { row, bridge: { options } }: KnownBridge,
): z.output<typeof ChatwootBridge> => ({
  instance: instanceNames(instance),
  webhookId: row.id,
  url: row.url,
  accountId: options.accountId,
  inboxId: options.inboxId,
  inboxName: options.inboxName,
  enabled: row.enabled === 1,
  isSigned: options.hookSecret !== null,
  gatewayUrl: options.gatewayUrl,
  signAgentNames: options.signAgentNames,
  ignoreGroups: options.ignoreGroups,
  reopenConversation: options.reopenConversation,
  conversationPending: options.conversationPending,
  failingSince: isoOrNull(row.failing_since),
  updatedAt: iso(row.updated_at),
})
