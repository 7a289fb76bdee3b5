// A server that behaves as Chatwoot's Application API: it checks tokens, bodies and uniqueness as Chatwoot does, posts to the webhook
// of its API inboxes with a signature, and can be told to fail, to hang, or to lose the answer of a call that it has carried out.
import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startWebHost } from './web-host.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- bodies of a foreign API

interface Inbox {
  id: number
  name: string
  channel_type: string
  webhook_url: string
  secret: string
  lock_to_single_conversation: boolean
}
interface ContactInbox {
  contactId: number
  inboxId: number
  sourceId: string
}
interface Contact {
  id: number
  name: string
  identifier: string | null
  phone_number: string | null
}
interface Conversation {
  id: number
  inboxId: number
  contactId: number
  sourceId: string
  status: string
}
interface Attachment {
  id: number
  file_type: string
  bytes: Buffer
  fileName: string
  contentType: string
}
export interface DeskMessage {
  id: number
  conversationId: number
  content: string | null
  message_type: 'incoming' | 'outgoing'
  private: boolean
  status: string
  source_id: string | null
  content_attributes: Json
  attachments: Attachment[]
}

/** `lose` and `stall`: the call is carried out, and the connection ends, or stays, without an answer. */
export type FaultKind = 'fail' | 'lose' | 'stall' | 'hang'

export interface ChatwootServer {
  url: string
  /** The same server without TLS, for the test itself. */
  plainUrl: string
  token: string
  accountId: number
  contacts: Contact[]
  conversations: Conversation[]
  messages: DeskMessage[]
  inboxes: Inbox[]
  /** Posts to webhooks that were made, with their answers. */
  posts: { event: string; body: string; status: number; headers: Record<string, string>; url: string }[]
  /** Whether inboxes sign and show their secret: older versions do not. */
  signs: boolean
  /** The next calls whose method and path match, such as `POST /conversations`. */
  fault(call: RegExp, kind: FaultKind, times?: number): void
  /** Posts a webhook once more, as a queue does that has lost the answer. */
  repost(post: ChatwootServer['posts'][number]): Promise<number>
  close(): Promise<void>
}

class Refused extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super(`refused ${status}`)
    this.status = status
    this.body = body
  }
}
const invalid = (message: string): Refused => new Refused(422, { message, attributes: [] })
const missing = (): Refused => new Refused(404, { error: 'Resource could not be found' })

interface Call {
  params: string[]
  query: URLSearchParams
  body: Json
  files: { field: string; file: File }[]
}

const TYPES = { incoming: 0, outgoing: 1 } as const
const PHONE = /^\+[1-9]\d{1,14}$/
const MESSAGES_PER_PAGE = 20

export async function startChatwootServer(): Promise<ChatwootServer> {
  const state = {
    contacts: [] as Contact[],
    contactInboxes: [] as ContactInbox[],
    conversations: [] as Conversation[],
    messages: [] as DeskMessage[],
    inboxes: [] as Inbox[],
  }
  const faults: { call: RegExp; kind: FaultKind; times: number }[] = []
  const posts: ChatwootServer['posts'] = []
  const posting = new Set<Promise<unknown>>()
  const token = randomBytes(12).toString('hex')
  let lastId = 0
  const newId = () => (lastId += 1)
  const find = <T extends { id: number }>(list: T[], id: unknown): T => {
    const found = list.find((one) => one.id === Number(id))
    if (!found) throw missing()
    return found
  }

  const shownContact = (contact: Contact) => ({
    ...contact,
    contact_inboxes: state.contactInboxes
      .filter(({ contactId }) => contactId === contact.id)
      .map(({ inboxId, sourceId }) => ({ source_id: sourceId, inbox: { id: inboxId } })),
  })
  const shownInbox = ({ secret, ...inbox }: Inbox) => ({ ...inbox, ...(server.signs && { secret }) })
  const shownAttachment = ({ id, file_type, fileName }: Attachment) => ({
    id,
    file_type,
    data_url: `${server.url}/rails/active_storage/blobs/redirect/${id}/${encodeURIComponent(fileName)}`,
  })
  const shownMessage = (message: DeskMessage) => {
    const { conversationId, attachments, ...shown } = message
    return {
      ...shown,
      conversation_id: conversationId,
      message_type: TYPES[message.message_type],
      ...(attachments.length > 0 && { attachments: attachments.map(shownAttachment) }),
    }
  }
  const shownConversation = ({ id, inboxId, status }: Conversation) => ({ id, inbox_id: inboxId, status })

  function checkContact(given: Partial<Contact>, own?: number): void {
    const others = state.contacts.filter(({ id }) => id !== own)
    if (given.phone_number && !PHONE.test(given.phone_number))
      throw invalid('Phone number should be in e164 format')
    for (const name of ['identifier', 'phone_number'] as const)
      if (given[name] && others.some((other) => other[name] === given[name]))
        throw invalid(`${name} has already been taken`)
  }
  /** As `first_or_create!` under the unique index of inbox and source id. */
  function addToInbox(contactId: number, inboxId: number, sourceId: string): ContactInbox {
    const known = state.contactInboxes.find((one) => one.inboxId === inboxId && one.sourceId === sourceId)
    if (known && known.contactId !== contactId) throw new Refused(422, { error: 'source_id should be unique' })
    if (known) return known
    const made = { contactId, inboxId, sourceId }
    state.contactInboxes.push(made)
    return made
  }

  const webhookConversation = (conversation: Conversation) => ({
    id: conversation.id,
    inbox_id: conversation.inboxId,
    status: conversation.status,
    contact_inbox: { source_id: conversation.sourceId },
    meta: { sender: find(state.contacts, conversation.contactId) },
  })
  function postMessage(event: 'message_created' | 'message_updated', message: DeskMessage): void {
    const conversation = find(state.conversations, message.conversationId)
    postLater(conversation, message, {
      event,
      id: message.id,
      content: message.content,
      content_attributes: message.content_attributes,
      content_type: 'text',
      message_type: message.message_type,
      private: message.private,
      source_id: message.source_id,
      inbox: { id: conversation.inboxId, name: 'inbox' },
      sender: message.message_type === 'outgoing' ? { id: 1, name: 'Ana Agent', type: 'user' } : { id: 2 },
      conversation: webhookConversation(conversation),
      ...(message.attachments.length > 0 && { attachments: message.attachments.map(shownAttachment) }),
    })
  }
  /** Not awaited by the call that causes it, as a job of a queue. */
  function postLater(conversation: Conversation, message: DeskMessage | undefined, payload: object): void {
    const inbox = find(state.inboxes, conversation.inboxId)
    if (!inbox.webhook_url) return
    const running = post(inbox, JSON.stringify(payload)).then((status) => {
      if (status >= 200 && status < 300) return
      if (message) Object.assign(message, { status: 'failed' })
    })
    posting.add(running)
    void running.finally(() => posting.delete(running))
  }
  async function post(inbox: Inbox, body: string): Promise<number> {
    const at = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', inbox.secret).update(`${at}.${body}`).digest('hex')
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      ...(server.signs && {
        'x-chatwoot-timestamp': at,
        'x-chatwoot-signature': `sha256=${signature}`,
      }),
    }
    return send({ event: JSON.parse(body).event, body, headers, url: inbox.webhook_url, status: 0 })
  }
  async function send(made: ChatwootServer['posts'][number]): Promise<number> {
    const { url, headers, body } = made
    const status = await fetch(url, { method: 'POST', headers, body }).then(
      (response) => response.status,
      () => 0,
    )
    posts.push({ ...made, status })
    return status
  }

  function createMessage(conversation: Conversation, { body, files }: Call): DeskMessage {
    const type = body.message_type ?? 'outgoing'
    if (!(type in TYPES)) throw new Refused(422, { error: `'${type}' is not a valid message_type` })
    if ((body.content ?? '').length > 150_000) throw new Refused(422, { error: 'Content is too long' })
    const attributes =
      typeof body.content_attributes === 'string'
        ? JSON.parse(body.content_attributes)
        : (body.content_attributes ?? {})
    const replied = state.messages.find(
      ({ id, conversationId }) => id === Number(attributes.in_reply_to) && conversationId === conversation.id,
    )
    const message: DeskMessage = {
      id: newId(),
      conversationId: conversation.id,
      content: body.content ?? null,
      message_type: type,
      private: body.private === true || body.private === 'true',
      status: 'sent',
      source_id: body.source_id ?? null,
      content_attributes: {
        ...attributes,
        ...('in_reply_to' in attributes && { in_reply_to: replied?.id ?? null }),
      },
      attachments: [],
    }
    state.messages.push(message)
    if (type === 'incoming' && conversation.status === 'resolved') conversation.status = 'open'
    void readFiles(message, files).then(() => postMessage('message_created', message))
    return message
  }
  async function readFiles(message: DeskMessage, files: Call['files']): Promise<void> {
    for (const { field, file } of files) {
      if (field !== 'attachments[]') continue
      const kind = file.type.split('/')[0] ?? ''
      message.attachments.push({
        id: newId(),
        file_type: ['image', 'audio', 'video'].includes(kind) ? kind : 'file',
        bytes: Buffer.from(await file.arrayBuffer()),
        fileName: file.name,
        contentType: file.type,
      })
    }
  }

  const conversationOf = (id: unknown) => find(state.conversations, id)
  const messageOf = ([conversation, id]: string[]): DeskMessage => {
    const message = find(state.messages, id)
    if (message.conversationId !== Number(conversation)) throw missing()
    return message
  }

  const CALLS: [method: string, path: RegExp, (call: Call) => unknown][] = [
    ['GET', /^\/inboxes$/, () => ({ payload: state.inboxes.map(shownInbox) })],
    ['GET', /^\/inboxes\/(\d+)$/, ({ params }) => shownInbox(find(state.inboxes, params[0]))],
    [
      'POST',
      /^\/inboxes$/,
      ({ body }) => {
        if (body.channel?.type !== 'api' || !body.name) throw invalid('Channel must exist')
        const inbox: Inbox = {
          id: newId(),
          name: body.name,
          channel_type: 'Channel::Api',
          webhook_url: body.channel.webhook_url,
          secret: randomBytes(12).toString('base64url'),
          lock_to_single_conversation: body.lock_to_single_conversation === true,
        }
        state.inboxes.push(inbox)
        return shownInbox(inbox)
      },
    ],
    [
      'PATCH',
      /^\/inboxes\/(\d+)$/,
      ({ params, body }) => {
        const inbox = find(state.inboxes, params[0])
        if (body.channel?.webhook_url !== undefined) inbox.webhook_url = body.channel.webhook_url
        if (body.lock_to_single_conversation !== undefined)
          inbox.lock_to_single_conversation = body.lock_to_single_conversation
        return shownInbox(inbox)
      },
    ],
    [
      'GET',
      /^\/contacts\/search$/,
      ({ query }) => {
        const text = (query.get('q') ?? '').toLowerCase()
        if (text === '') throw new Refused(422, { error: 'Specify search string with parameter q' })
        const found = state.contacts.filter((one) =>
          [one.name, one.identifier, one.phone_number].some((value) => value?.toLowerCase().includes(text)),
        )
        return { meta: { count: found.length }, payload: found.slice(0, 15).map(shownContact) }
      },
    ],
    [
      'POST',
      /^\/contacts$/,
      ({ body }) => {
        checkContact(body)
        const { name = '', identifier = null, phone_number = null } = body
        const contact = { id: newId(), name, identifier, phone_number }
        if (body.inbox_id !== undefined) {
          find(state.inboxes, body.inbox_id)
          addToInbox(contact.id, body.inbox_id, body.source_id ?? randomBytes(8).toString('hex'))
        }
        state.contacts.push(contact)
        return { payload: { contact: shownContact(contact) } }
      },
    ],
    [
      'PUT',
      /^\/contacts\/(\d+)$/,
      ({ params, body }) => {
        const contact = find(state.contacts, params[0])
        checkContact(body, contact.id)
        for (const name of ['name', 'identifier', 'phone_number'] as const)
          if (body[name] !== undefined) contact[name] = body[name]
        return { payload: shownContact(contact) }
      },
    ],
    [
      'POST',
      /^\/contacts\/(\d+)\/contact_inboxes$/,
      ({ params, body }) => {
        const contact = find(state.contacts, params[0])
        return { source_id: addToInbox(contact.id, body.inbox_id, body.source_id).sourceId }
      },
    ],
    [
      'GET',
      /^\/contacts\/(\d+)\/conversations$/,
      ({ params }) => ({
        payload: state.conversations
          .filter(({ contactId }) => contactId === Number(params[0]))
          .toReversed()
          .map(shownConversation),
      }),
    ],
    [
      'POST',
      /^\/actions\/contact_merge$/,
      ({ body }) => {
        const base = find(state.contacts, body.base_contact_id)
        const merged = find(state.contacts, body.mergee_contact_id)
        for (const list of [state.conversations, state.contactInboxes])
          for (const one of list) if (one.contactId === merged.id) one.contactId = base.id
        state.contacts.splice(state.contacts.indexOf(merged), 1)
        base.identifier ||= merged.identifier
        base.phone_number ||= merged.phone_number
        return shownContact(base)
      },
    ],
    [
      'POST',
      /^\/conversations$/,
      ({ body }) => {
        const inbox = find(state.inboxes, body.inbox_id)
        const contact = find(state.contacts, body.contact_id)
        const { sourceId } = addToInbox(contact.id, inbox.id, body.source_id ?? randomBytes(8).toString('hex'))
        const last = state.conversations.findLast(
          (one) => one.inboxId === inbox.id && one.sourceId === sourceId,
        )
        if (inbox.lock_to_single_conversation && last) return shownConversation(last)
        const made = {
          id: newId(),
          inboxId: inbox.id,
          contactId: contact.id,
          sourceId,
          status: body.status ?? 'open',
        }
        state.conversations.push(made)
        return shownConversation(made)
      },
    ],
    [
      'POST',
      /^\/conversations\/(\d+)\/toggle_status$/,
      ({ params, body }) => {
        const conversation = conversationOf(params[0])
        conversation.status = body.status
        postLater(conversation, undefined, {
          event: 'conversation_status_changed',
          ...webhookConversation(conversation),
        })
        return { payload: { success: true, current_status: conversation.status } }
      },
    ],
    [
      'GET',
      /^\/conversations\/(\d+)\/messages$/,
      ({ params, query }) => {
        const before = Number(query.get('before') ?? Infinity)
        const of = state.messages.filter(
          ({ id, conversationId }) => conversationId === conversationOf(params[0]).id && id < before,
        )
        return { meta: {}, payload: of.slice(-MESSAGES_PER_PAGE).map(shownMessage) }
      },
    ],
    [
      'POST',
      /^\/conversations\/(\d+)\/messages$/,
      (call) => shownMessage(createMessage(conversationOf(call.params[0]), call)),
    ],
    [
      'PATCH',
      /^\/conversations\/(\d+)\/messages\/(\d+)$/,
      ({ params, body }) => {
        const message = messageOf(params)
        if (['sent', 'delivered', 'read', 'failed'].includes(body.status)) {
          if (!(message.status === 'read' && body.status === 'delivered')) message.status = body.status
          message.content_attributes.external_error = body.status === 'failed' ? body.external_error : null
        }
        postMessage('message_updated', message)
        return shownMessage(message)
      },
    ],
    [
      'DELETE',
      /^\/conversations\/(\d+)\/messages\/(\d+)$/,
      ({ params }) => {
        const message = messageOf(params)
        Object.assign(message, { content: 'This message was deleted', content_attributes: { deleted: true } })
        message.attachments = []
        postMessage('message_updated', message)
        return shownMessage(message)
      },
    ],
  ]

  async function readCall(request: IncomingMessage, url: URL): Promise<Omit<Call, 'params'>> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    const type = request.headers['content-type'] ?? ''
    if (type.startsWith('multipart/form-data')) {
      const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
      const entries = [...form.entries()]
      return {
        query: url.searchParams,
        body: Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')),
        files: entries.flatMap(([field, file]) => (typeof file === 'string' ? [] : [{ field, file }])),
      }
    }
    return { query: url.searchParams, body: bytes.length > 0 ? JSON.parse(bytes.toString()) : {}, files: [] }
  }

  function takeFault(name: string): FaultKind | undefined {
    const fault = faults.find(({ call }) => call.test(name))
    if (!fault) return undefined
    fault.times -= 1
    if (fault.times === 0) faults.splice(faults.indexOf(fault), 1)
    return fault.kind
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', server.url)
    const file = /^\/rails\/active_storage\/blobs\/(redirect|disk)\/(\d+)\//.exec(url.pathname)
    if (file) return answerFile(response, file[1] === 'redirect', Number(file[2]), url)
    const call = await readCall(request, url)
    const base = `/api/v1/accounts/${server.accountId}`
    const path = url.pathname.slice(base.length)
    const name = `${request.method} ${path}`
    const fault = takeFault(name)
    if (fault === 'hang') return
    if (fault === 'fail') return reply(response, 500, { error: 'Internal server error' })
    try {
      if (request.headers.api_access_token !== token) throw new Refused(401, { error: 'Invalid Access Token' })
      if (!url.pathname.startsWith(base)) throw missing()
      const row = CALLS.find(([method, pattern]) => method === request.method && pattern.test(path))
      if (!row) throw missing()
      const params = row[1].exec(path)?.slice(1) ?? []
      const answered = row[2]({ ...call, params })
      if (fault === 'lose') return void response.destroy()
      if (fault === 'stall') return
      reply(response, 200, answered)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      reply(response, error.status, error.body)
    }
  }
  function answerFile(response: ServerResponse, redirects: boolean, id: number, { pathname }: URL): void {
    const attachment = state.messages.flatMap(({ attachments }) => attachments).find((one) => one.id === id)
    if (!attachment) return reply(response, 404, {})
    // The real one redirects to its storage.
    if (redirects) return void response.writeHead(302, { location: pathname.replace('/redirect/', '/disk/') }).end()
    response.writeHead(200, { 'content-type': attachment.contentType }).end(attachment.bytes)
  }
  function reply(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const serve = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, response).catch((error) => reply(response, 500, { error: String(error) }))
  const host = await startWebHost(serve, { tls: 'trusted' })
  const plain = await startWebHost(serve)
  const server: ChatwootServer = {
    url: host.url,
    plainUrl: plain.url,
    token,
    accountId: 7,
    ...state,
    posts,
    signs: true,
    fault: (call, kind, times = 1) => void faults.push({ call, kind, times }),
    repost: send,
    async close() {
      await Promise.all([host.close(), plain.close()])
      await Promise.allSettled(posting)
    },
  }
  return server
}
