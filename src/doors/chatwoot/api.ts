// The calls of Chatwoot's Application API that the bridge makes. Answers are read leniently and with limits: the server is not ours.
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Outbound } from '../../kernel/outbound/client.ts'
import type { PostOutcome, PostRequest } from '../../kernel/outbound/post.ts'
import { parseRetryAfter } from '../../webhooks/rules.ts'
import { type AttachedFile, formBody } from './form.ts'

/** Lists of conversations contain their last messages. */
const ANSWER_BYTES = 4 * 1024 * 1024
const CALL_MS = 15_000
/** A file of 100 MB at 30 Mbit/s. */
const UPLOAD_MS = 30_000
const SHOWN_CHARACTERS = 300

/** A call that failed. The message is for people, and contains no address and no token. */
export class ChatwootError extends Error {
  /** Null: there is no complete answer, so that the call may have been carried out. */
  readonly status: number | null
  readonly isStopped: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    facts: { status: number | null; isStopped?: boolean; retryAfterMs?: number | undefined },
  ) {
    super(message)
    this.name = 'ChatwootError'
    this.status = facts.status
    this.isStopped = facts.isStopped ?? false
    this.retryAfterMs = facts.retryAfterMs
  }
}

/** Whether Chatwoot has answered that it did not carry out the call. A fault of the server itself may come after the work. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ChatwootError && error.status !== null && error.status >= 400 && error.status < 500
export const isMissing = (error: unknown): boolean => error instanceof ChatwootError && error.status === 404

const id = z.int().positive()
const ContactInbox = z.object({ source_id: z.string(), inbox: z.object({ id }) })
const DeskContact = z.object({
  id,
  name: z.string().nullish(),
  identifier: z.string().nullish(),
  phone_number: z.string().nullish(),
  contact_inboxes: z.array(ContactInbox).nullish(),
})
export type DeskContact = z.output<typeof DeskContact>
const DeskConversation = z.object({ id, inbox_id: id, status: z.string().nullish() })
export type DeskConversation = z.output<typeof DeskConversation>
const Message = z.object({ id, source_id: z.string().nullish() })
const Inbox = z.object({
  id,
  name: z.string(),
  channel_type: z.string(),
  webhook_url: z.string().nullish(),
  secret: z.string().nullish(),
})
export type Inbox = z.output<typeof Inbox>

export interface NewMessage {
  content: string
  message_type: 'incoming' | 'outgoing'
  source_id?: string
  private?: boolean
  content_attributes?: Record<string, unknown>
}

export interface ChatwootServer {
  url: string
  accountId: number
  token: string
  clock(): number
  signal?: AbortSignal | undefined
}

type Call = (method: NonNullable<PostRequest['method']>, path: string, body?: object) => Promise<unknown>
type Upload = (path: string, fields: object, file: AttachedFile) => Promise<unknown>

export function createChatwootApi(post: Outbound['post'], server: ChatwootServer) {
  const base = `${server.url.replace(/\/+$/, '')}/api/v1/accounts/${server.accountId}`
  const headers = { api_access_token: server.token, accept: 'application/json' }
  const signal = server.signal ? { signal: server.signal } : {}
  const exchange = async (request: PostRequest, exchangeMs: number): Promise<unknown> => {
    const limits = { exchangeMs, answerBytes: ANSWER_BYTES }
    return answerOf(await post({ ...request, ...signal, limits }), server.clock())
  }
  const call: Call = (method, path, body) => {
    const type = body && { 'content-type': 'application/json' }
    const text = body ? JSON.stringify(body) : null
    return exchange({ url: base + path, method, headers: { ...headers, ...type }, body: text }, CALL_MS)
  }
  const upload: Upload = (path, fields, file) => {
    const form = formBody({ ...fields }, file)
    const body = Readable.from(form.chunks)
    return exchange({ url: base + path, headers: { ...headers, ...form.headers }, body }, UPLOAD_MS)
  }
  return {
    ...inboxCalls(call),
    ...contactCalls(call),
    ...conversationCalls(call),
    ...messageCalls(call, upload),
  }
}

const inboxCalls = (call: Call) => ({
  async listInboxes(): Promise<Inbox[]> {
    return read(z.object({ payload: z.array(Inbox) }), await call('GET', '/inboxes')).payload
  },
  async getInbox(inboxId: number): Promise<Inbox> {
    return read(Inbox, await call('GET', `/inboxes/${inboxId}`))
  },
  async createInbox(name: string, webhookUrl: string, isSingle: boolean): Promise<Inbox> {
    const channel = { type: 'api', webhook_url: webhookUrl }
    return read(
      Inbox,
      await call('POST', '/inboxes', { name, lock_to_single_conversation: isSingle, channel }),
    )
  },
  async updateInbox(inboxId: number, webhookUrl: string, isSingle: boolean): Promise<void> {
    const channel = { webhook_url: webhookUrl }
    await call('PATCH', `/inboxes/${inboxId}`, { lock_to_single_conversation: isSingle, channel })
  },
})

const contactCalls = (call: Call) => ({
  /** Name, number or identifier contains the text. */
  async searchContacts(text: string): Promise<DeskContact[]> {
    const found = await call('GET', `/contacts/search?q=${encodeURIComponent(text)}`)
    return read(z.object({ payload: z.array(DeskContact) }), found).payload
  },
  async createContact(contact: Record<string, unknown>): Promise<DeskContact> {
    const Created = z.object({ payload: z.object({ contact: DeskContact }) })
    return read(Created, await call('POST', '/contacts', contact)).payload.contact
  },
  async updateContact(contactId: number, change: Record<string, unknown>): Promise<void> {
    await call('PUT', `/contacts/${contactId}`, change)
  },
  /** The base contact gets conversations and messages of the other one, which is deleted. */
  async mergeContacts(baseId: number, mergedId: number): Promise<void> {
    await call('POST', '/actions/contact_merge', { base_contact_id: baseId, mergee_contact_id: mergedId })
  },
  async addToInbox(contactId: number, inboxId: number, sourceId: string): Promise<void> {
    const body = { inbox_id: inboxId, source_id: sourceId }
    await call('POST', `/contacts/${contactId}/contact_inboxes`, body)
  },
})

const conversationCalls = (call: Call) => ({
  /** Latest activity first. */
  async listConversations(contactId: number): Promise<DeskConversation[]> {
    const found = await call('GET', `/contacts/${contactId}/conversations`)
    return read(z.object({ payload: z.array(DeskConversation) }), found).payload
  },
  async createConversation(conversation: Record<string, unknown>): Promise<number> {
    return read(z.object({ id }), await call('POST', '/conversations', conversation)).id
  },
  async resolve(conversationId: number): Promise<void> {
    await call('POST', `/conversations/${conversationId}/toggle_status`, { status: 'resolved' })
  },
})

const messageCalls = (call: Call, upload: Upload) => ({
  /** The latest messages, or those before one, latest last. */
  async listMessages(conversationId: number, before?: number): Promise<z.output<typeof Message>[]> {
    const query = before === undefined ? '' : `?before=${before}`
    const found = await call('GET', `/conversations/${conversationId}/messages${query}`)
    return read(z.object({ payload: z.array(Message) }), found).payload
  },
  async createMessage(conversationId: number, message: NewMessage, file?: AttachedFile): Promise<number> {
    const path = `/conversations/${conversationId}/messages`
    const created = await (file ? upload(path, message, file) : call('POST', path, message))
    return read(Message, created).id
  },
  async updateMessage(
    conversationId: number,
    messageId: number,
    change: Record<string, unknown>,
  ): Promise<void> {
    await call('PATCH', `/conversations/${conversationId}/messages/${messageId}`, change)
  },
  async deleteMessage(conversationId: number, messageId: number): Promise<void> {
    await call('DELETE', `/conversations/${conversationId}/messages/${messageId}`)
  },
})

export type ChatwootApi = ReturnType<typeof createChatwootApi>

function answerOf(outcome: PostOutcome, now: number): unknown {
  if ('error' in outcome)
    throw new ChatwootError(outcome.message, { status: null, isStopped: outcome.error === 'stopped' })
  const { status, bodyStart, truncated, headers } = outcome
  const text = bodyStart.toString()
  if (status < 200 || status >= 300)
    throw new ChatwootError(`Chatwoot answered with status ${status}${reasonIn(text)}.`, {
      status,
      retryAfterMs: pauseOf(status, text, parseRetryAfter(headers['retry-after'], now)),
    })
  if (truncated) throw new ChatwootError('The answer of Chatwoot is too long.', { status: null })
  return text === '' ? null : parsed(text)
}

const FLOOD_MS = 60_000
/** Chatwoot takes so many messages of a conversation per minute. */
const pauseOf = (status: number, text: string, asked: number | undefined): number | undefined =>
  status === 422 && text.includes('Too many messages') ? FLOOD_MS : asked

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new ChatwootError('The answer of Chatwoot is not JSON.', { status: null })
  }
}

const Refusal = z.object({ error: z.string().optional(), message: z.string().optional() })

/** What Chatwoot says about it, if it says so in JSON. */
function reasonIn(text: string): string {
  try {
    const { error, message } = Refusal.parse(JSON.parse(text))
    const sentence = (error ?? message ?? '').slice(0, SHOWN_CHARACTERS).replaceAll(/\p{C}/gu, ' ')
    return sentence === '' ? '' : `: ${sentence}`
  } catch {
    return ''
  }
}

function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const path = result.error.issues[0]?.path.join('.') ?? ''
  throw new ChatwootError(`The answer of Chatwoot has not the expected form (${path}).`, {
    status: null,
  })
}
