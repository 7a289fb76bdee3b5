// A server that behaves as Chatwoot's Application API: it checks tokens, bodies and uniqueness as Chatwoot does, posts to the webhook
// of its API inboxes with a signature, and can be told to fail, to hang, or to lose the answer of a call that it has carried out.
import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Contact,
  type Conversation,
  createDeskModel,
  type DeskCall,
  type DeskMessage,
  type Inbox,
  missing,
  Refused,
} from './chatwoot-model.ts'
import { startWebHost } from './web-host.ts'

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

export async function startChatwootServer(): Promise<ChatwootServer> {
  const faults: { call: RegExp; kind: FaultKind; times: number }[] = []
  const posts: ChatwootServer['posts'] = []
  const posting = new Set<Promise<unknown>>()
  const token = randomBytes(12).toString('hex')
  const { state, CALLS, shownAttachment, webhookConversation, find } = createDeskModel({
    url: () => server.url,
    signs: () => server.signs,
    onMessage: postMessage,
    onStatus: (conversation) =>
      postLater(conversation, undefined, {
        event: 'conversation_status_changed',
        ...webhookConversation(conversation),
      }),
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

  async function readCall(request: IncomingMessage, url: URL): Promise<Omit<DeskCall, 'params'>> {
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
      if (request.headers.api_access_token !== token)
        throw new Refused(401, { error: 'Invalid Access Token' })
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
    if (redirects)
      return void response.writeHead(302, { location: pathname.replace('/redirect/', '/disk/') }).end()
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
