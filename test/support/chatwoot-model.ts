// The records of a Chatwoot account and the calls of its Application API, with the checks and the uniqueness of the real one.
import { randomBytes } from 'node:crypto'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- bodies of a foreign API

export interface Inbox {
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
export interface Contact {
  id: number
  name: string
  identifier: string | null
  phone_number: string | null
}
export interface Conversation {
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

export class Refused extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super(`refused ${status}`)
    this.status = status
    this.body = body
  }
}
const invalid = (message: string): Refused => new Refused(422, { message, attributes: [] })
export const missing = (): Refused => new Refused(404, { error: 'Resource could not be found' })

export interface DeskCall {
  params: string[]
  query: URLSearchParams
  body: Json
  files: { field: string; file: File }[]
}

const TYPES = { incoming: 0, outgoing: 1 } as const
const PHONE = /^\+[1-9]\d{1,14}$/
const MESSAGES_PER_PAGE = 20

/** What the records tell the server that posts webhooks. */
interface Listener {
  url(): string
  signs(): boolean
  onMessage(event: 'message_created' | 'message_updated', message: DeskMessage): void
  onStatus(conversation: Conversation): void
}

export function createDeskModel(listener: Listener) {
  const state = {
    contacts: [] as Contact[],
    contactInboxes: [] as ContactInbox[],
    conversations: [] as Conversation[],
    messages: [] as DeskMessage[],
    inboxes: [] as Inbox[],
  }
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
  const shownInbox = ({ secret, ...inbox }: Inbox) => ({ ...inbox, ...(listener.signs() && { secret }) })
  const shownAttachment = ({ id, file_type, fileName }: Attachment) => ({
    id,
    file_type,
    data_url: `${listener.url()}/rails/active_storage/blobs/redirect/${id}/${encodeURIComponent(fileName)}`,
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
    if (known && known.contactId !== contactId)
      throw new Refused(422, { error: 'source_id should be unique' })
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
  function createMessage(conversation: Conversation, { body, files }: DeskCall): DeskMessage {
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
    void readFiles(message, files).then(() => listener.onMessage('message_created', message))
    return message
  }
  async function readFiles(message: DeskMessage, files: DeskCall['files']): Promise<void> {
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

  const CALLS: [method: string, path: RegExp, (call: DeskCall) => unknown][] = [
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
        const { sourceId } = addToInbox(
          contact.id,
          inbox.id,
          body.source_id ?? randomBytes(8).toString('hex'),
        )
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
        listener.onStatus(conversation)
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
        listener.onMessage('message_updated', message)
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
        listener.onMessage('message_updated', message)
        return shownMessage(message)
      },
    ],
  ]

  return { state, CALLS, shownAttachment, webhookConversation, find }
}
