// The route that the API inbox of a bridge posts to: the last part of its path is a secret, and the post is signed if the inbox signs.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findAccount, findPlan } from '../../accounts/account-queries.ts'
import { type Auth, cacheCallers } from '../../accounts/authenticate.ts'
import type { Caller, KeyHolder } from '../../accounts/caller.ts'
import { currentChat } from '../../contacts/merge-people.ts'
import type { Deps } from '../../context.ts'
import { findFault } from '../../contract/body-guard.ts'
import { MediaBody, TextBody } from '../../contract/message-bodies.ts'
import type { Route } from '../../contract/route.ts'
import { NO_WALLS } from '../../contract/wall-values.ts'
import { GatewayError } from '../../errors.ts'
import { type ArrivingBodies, countArriving } from '../../kernel/http/bodies.ts'
import { originOf } from '../../kernel/http/origin.ts'
import { newMessageId } from '../../kernel/names.ts'
import type { Outbound } from '../../kernel/outbound/client.ts'
import { findMessagesOf } from '../../messages/message-queries.ts'
import { acceptMessage, type OutgoingMessage } from '../../sending/accept.ts'
import { deletion } from '../../sending/changes.ts'
import { mediaMessage, textMessage } from '../../sending/outgoing.ts'
import { openOptions } from '../../webhooks/secrets.ts'
import type { AddDialect } from '../api/server.ts'
import { type ChatwootApi, createChatwootApi } from './api.ts'
import { keyOf } from './messages.ts'
import { type Bridge, type ChatwootOptions, HOOK_PATH } from './options.ts'
import { chatOfConversation, demandOf, isSame, isSigned, type PostedMessage } from './posted.ts'
import * as rows from './queries.ts'
import { findBridge } from './queries.ts'
import { signedText, toNetworkText } from './text.ts'

/** A text of 150,000 characters is in a post up to four times. */
const BODY_BYTES = 4 * 1024 * 1024
const NAME = /^(\d{1,15})-([\w-]{20,100})$/

export interface HookParts extends InwardParts, Pick<Deps, 'vault'> {
  auth: Auth
  bodies: ArrivingBodies
  /** The send route: a post is admitted as it is, by load, subscription and hold. */
  sendRoute: Route
  publicUrl: string | undefined
  /** The best known time, for the age of signatures. */
  forSignatures(): number
}

type BridgeHolder = KeyHolder & Pick<HookContext, 'bridge' | 'apiName'>

export const chatwootHooks =
  (parts: HookParts): AddDialect =>
  (app, { admission }) => {
    const handle = createInward(parts)
    const byName = cacheCallers<BridgeHolder>((name) => findHolder(parts, name), parts.clock)
    const holderOf = async (request: FastifyRequest): Promise<BridgeHolder & Caller> => {
      const { name } = request.params as { name: string }
      const holder = await parts.auth.callerOfKey(request, name, byName)
      if (!('bridge' in holder)) throw new GatewayError('unauthorized')
      return { ...(holder as BridgeHolder), origin: originOf(request, parts.publicUrl) }
    }
    void app.register(async (scope: FastifyInstance) => {
      // The signature is that of the bytes.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, bytes, done) =>
        done(null, bytes),
      )
      scope.post(`${HOOK_PATH}/:name`, {
        bodyLimit: BODY_BYTES,
        onRequest: (request: FastifyRequest, reply: FastifyReply) =>
          admission.admit(parts.sendRoute, request, reply, () => holderOf(request)),
        preParsing: async (request: FastifyRequest, reply: FastifyReply, payload: Readable) =>
          countArriving(parts.bodies, request, reply, payload),
        async handler(request: FastifyRequest, reply: FastifyReply) {
          const holder = request.caller as BridgeHolder & Caller
          const body = readBody(parts, holder, request)
          const answer = await handle({ ...holder, caller: holder }, body)
          return reply.code(answer.status).send({ success: answer.status === 200, done: answer.done })
        },
      })
    })
  }

async function findHolder(
  { store, vault }: Pick<HookParts, 'store' | 'vault'>,
  name: string,
): Promise<BridgeHolder | undefined> {
  const [, idText, token = ''] = NAME.exec(name) ?? []
  if (idText === undefined) return undefined
  const instanceId = Number(idText)
  const row = await findBridge(store.db, instanceId)
  if (!row || row.enabled !== 1 || row.api_name === null) return undefined
  const { id: webhookId, account_id: accountId, url } = row
  const opened = await openOptions(vault, store.db, { accountId, webhookId }, row.sealed_options)
  const options = opened as ChatwootOptions
  if (!isSame(token, options.hookToken)) return undefined
  const account = await findAccount(store.db, accountId)
  const plan = account && (await findPlan(store.db, account.plan_id))
  if (!plan) return undefined
  const bridge = { webhookId, accountId, instanceId, url, options }
  const credential = { kind: 'chatwoot_hook', id: webhookId } as const
  return { credential, scopes: [], walls: NO_WALLS, account, plan, bridge, apiName: row.api_name }
}

function readBody(
  { forSignatures }: Pick<HookParts, 'forSignatures'>,
  { bridge }: Pick<BridgeHolder, 'bridge'>,
  { headers, body }: FastifyRequest,
): unknown {
  const bytes = (body ?? Buffer.alloc(0)) as Buffer
  const { hookSecret } = bridge.options
  const signed = {
    timestamp: textOf(headers['x-chatwoot-timestamp']),
    signature: textOf(headers['x-chatwoot-signature']),
    body: bytes,
  }
  if (hookSecret !== null && !isSigned(signed, hookSecret, forSignatures()))
    throw new GatewayError('unauthorized', {}, { message: 'The signature of the post is missing or wrong.' })
  const value = parsed(bytes)
  const fault = findFault(value)
  if (fault) throw new GatewayError('invalid_request', { details: [fault] })
  return value
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch (cause) {
    throw new GatewayError('invalid_request', {}, { message: 'The body is not JSON.', cause })
  }
}

// From Chatwoot to the network: what an agent writes is sent once, however often Chatwoot posts it, and what the agent deletes is
// deleted for everyone.

interface InwardParts extends Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'trace' | 'checkUrl'> {
  post: Outbound['post']
}

/** What the post of Chatwoot is answered with. Chatwoot marks the message as failed if the status is not 2xx. */
interface HookAnswer {
  status: number
  done: string
}

interface HookContext {
  bridge: Bridge
  apiName: string
  caller: Caller
}

function createInward(parts: InwardParts) {
  const apiOf = ({ url, options }: Bridge): ChatwootApi =>
    createChatwootApi(parts.post, { ...options, url, clock: parts.clock })

  return async (context: HookContext, body: unknown): Promise<HookAnswer> => {
    const { bridge } = context
    const demand = demandOf(body, bridge.options.inboxId)
    switch (demand?.kind) {
      case undefined:
        return { status: 400, done: 'not a post of Chatwoot' }
      case 'nothing':
        return { status: 200, done: 'nothing' }
      case 'resolved':
        if (!bridge.options.reopenConversation)
          await rows.forgetConversation(parts.store.db, bridge.webhookId, demand.conversationId)
        return { status: 200, done: 'nothing' }
      case 'delete':
        return deleteParts(parts, context, apiOf(bridge), demand.message)
      case 'send':
        return sendOnce(parts, context, apiOf(bridge), demand.message)
    }
  }
}

/** A line break keeps callers of the API from using the same key. */
const idempotencyKey = ({ webhookId }: Bridge, what: string): string => `chatwoot\n${webhookId}:${what}`

async function sendOnce(
  parts: InwardParts,
  context: HookContext,
  api: ChatwootApi,
  message: PostedMessage,
): Promise<HookAnswer> {
  try {
    await sendParts(parts, context, message)
    return { status: 200, done: 'sent' }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return showFailure(api, message, error)
  }
}

/** The agent sees the reason at the message. If Chatwoot cannot be told, its own error handling marks the message. */
async function showFailure(
  api: ChatwootApi,
  { id, conversation }: PostedMessage,
  error: GatewayError,
): Promise<HookAnswer> {
  const change = { status: 'failed', external_error: error.message }
  const isShown = await api.updateMessage(conversation.id, id, change).then(
    () => true,
    () => false,
  )
  return { status: isShown ? 200 : error.status, done: 'refused' }
}

async function sendParts(parts: InwardParts, context: HookContext, message: PostedMessage): Promise<void> {
  const { db } = parts.store
  const { bridge, apiName, caller } = context
  const named = chatOfConversation(message.conversation) ?? (await knownChat(parts, bridge, message))
  if (named === undefined)
    throw new GatewayError('invalid_request', {}, { message: 'The contact has no phone number.' })
  const chat = await currentChat(db, bridge.instanceId, named)
  const quotedMessageId = await quotedId(parts, bridge, message)
  const planned = partsOf(bridge, message)
  const outgoing = planned.map((part, index) =>
    toOutgoing(parts, { instanceName: apiName, chat, ...(index === 0 && { quotedMessageId }) }, part),
  )
  const now = parts.clock()
  const reserved = await rows.reserveParts(
    db,
    {
      webhookId: bridge.webhookId,
      chatwootId: message.id,
      conversationId: message.conversation.id,
      now,
    },
    outgoing.map(() => keyOf({ direction: 'outgoing', messageId: newMessageId() })),
  )
  for (const [index, each] of outgoing.entries()) {
    const messageId = idIn(reserved[index])
    // A post that is repeated long after its idempotency key has expired.
    if ((await findMessagesOf(db, bridge.instanceId, messageId)).length > 0) continue
    await accept(parts, bridge, caller, { ...each, messageId }, `${message.id}:${index}`)
  }
  await rows.saveChat(db, {
    webhookId: bridge.webhookId,
    chat,
    contactId: message.conversation.meta?.sender?.id ?? null,
    conversationId: message.conversation.id,
    now,
  })
}

const idIn = (row: rows.ChatwootMessage | undefined): string => row?.message.split(':')[1] ?? ''

const knownChat = async (
  { store }: InwardParts,
  { webhookId }: Bridge,
  { conversation }: PostedMessage,
): Promise<string | undefined> =>
  (await rows.findChatOfConversation(store.db, webhookId, conversation.id))?.chat

async function quotedId(
  { store }: InwardParts,
  { webhookId }: Bridge,
  { content_attributes: attributes }: PostedMessage,
): Promise<string | undefined> {
  if (attributes?.in_reply_to == null) return undefined
  const [row] = await rows.findParts(store.db, webhookId, attributes.in_reply_to)
  return row && idIn(row)
}

type Part = { text: string } | { url: string; fileType: string; caption: string | undefined }

/** A text alone, or one message per file with the text at the first one that can have a caption. */
function partsOf({ options }: Pick<Bridge, 'options'>, message: PostedMessage): Part[] {
  const text = toNetworkText(message.content ?? '').trim()
  const name = message.sender?.available_name ?? message.sender?.name
  const shown = text !== '' && options.signAgentNames && name ? signedText(name, text) : text
  const files = (message.attachments ?? []).flatMap(({ data_url: url, file_type: fileType }) =>
    url ? [{ url, fileType: fileType ?? 'file' }] : [],
  )
  const captioned = files.findIndex(({ fileType }) => fileType !== 'audio')
  const media = files.map(({ url, fileType }, index) => {
    const caption = index === captioned && shown !== '' ? shown : undefined
    return { url, fileType, caption }
  })
  return shown !== '' && captioned === -1 ? [{ text: shown }, ...media] : media
}

const KINDS: Record<string, 'image' | 'video' | 'audio'> = { image: 'image', video: 'video', audio: 'audio' }

interface Address {
  instanceName: string
  chat: string
  quotedMessageId?: string | undefined
}

/** With the limits of the API's own sends. */
function toOutgoing({ checkUrl }: InwardParts, address: Address, part: Part): OutgoingMessage {
  const common = { ...address, delay: 0 }
  if ('text' in part) return textMessage(parse(TextBody, { ...common, message: part.text }))
  const { url, fileType, caption } = part
  const type = KINDS[fileType] ?? 'document'
  const fileName = type === 'document' ? fileNameOf(url) : undefined
  const body = parse(MediaBody, { ...common, type, mediaUrl: url, message: caption, fileName })
  return mediaMessage({ ...body, type }, checkUrl)
}

function parse<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Fault } },
  value: object,
): T {
  const given = Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const { path, message } = result.error.issues[0] ?? { path: [], message: '' }
  throw new GatewayError('invalid_request', {}, { message: `${path.join('.')}: ${message}` })
}
interface Fault {
  issues: { path: PropertyKey[]; message: string }[]
}

function fileNameOf(url: string): string | undefined {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last).replaceAll(/\p{C}/gu, '').slice(0, 128) || undefined
  } catch {
    return undefined
  }
}

/** Without the quote, if the quoted message cannot be quoted: the text of the agent matters more. */
async function accept(
  parts: InwardParts,
  { instanceId, ...bridge }: Bridge,
  caller: Caller,
  message: OutgoingMessage,
  what: string,
): Promise<void> {
  const deps = { ...parts, instanceIds: async () => instanceId }
  const key = idempotencyKey({ instanceId, ...bridge }, what)
  try {
    await acceptMessage(deps, caller, message, key)
  } catch (error) {
    if (!(error instanceof GatewayError) || message.quotedMessageId === undefined) throw error
    await acceptMessage(deps, caller, { ...message, quotedMessageId: undefined }, key)
  }
}

async function deleteParts(
  parts: InwardParts,
  { bridge, apiName, caller }: HookContext,
  api: ChatwootApi,
  message: PostedMessage,
): Promise<HookAnswer> {
  const found = await rows.findParts(parts.store.db, bridge.webhookId, message.id)
  for (const row of found) {
    const messageId = idIn(row)
    const key = idempotencyKey(bridge, `delete ${messageId}`)
    try {
      const request = { caller, idempotencyKey: key }
      const outgoing = await deletion(parts, request, { messageId, instanceName: apiName })
      await acceptMessage({ ...parts, instanceIds: async () => bridge.instanceId }, caller, outgoing, key)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      if (!ALREADY_DELETED.has(error.reason)) await noteFailure(api, message, error)
    }
  }
  return { status: 200, done: found.length > 0 ? 'deleted' : 'nothing' }
}

/** The person or the phone has deleted it, and the bridge has told Chatwoot. */
const ALREADY_DELETED: ReadonlySet<string> = new Set([
  'message_deleted',
  'message_not_found',
  'message_not_sent',
])

/** Chatwoot shows the message as deleted in any case: a private note says that the customer still has it. */
const noteFailure = (
  api: ChatwootApi,
  { conversation }: PostedMessage,
  error: GatewayError,
): Promise<unknown> =>
  api
    .createMessage(conversation.id, {
      content: `The message was not deleted for the customer: ${error.message}`,
      message_type: 'outgoing',
      private: true,
    })
    .catch(() => undefined)
