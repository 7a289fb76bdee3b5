// What the bridge to Chatwoot promises, as checks that see Chatwoot through its API alone: they run against the server of the tests,
// and against a real one (scripts/chatwoot-check.ts).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { api, type LinkedGateway, linkedInstance, newNumber, until, world } from './linked.ts'
import { png } from './sample-files.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- bodies of a foreign API

export interface Desk {
  /** As the gateway reaches it. */
  url: string
  /** As the checks reach it. */
  ownUrl: string
  accountId: number
  token: string
  /** How it reaches the gateway. */
  gatewayUrl: string
}

/** Any call of Chatwoot's Application API, as `GET /inboxes`; resolves with the body of its success. */
export async function callDesk(desk: Desk, call: string, body?: unknown): Promise<Json> {
  const [method = '', path = ''] = call.split(' ')
  const isForm = body instanceof FormData
  const response = await fetch(`${desk.ownUrl}/api/v1/accounts/${desk.accountId}${path}`, {
    method,
    headers: {
      api_access_token: desk.token,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.ok(response.ok, `${call}: ${response.status} ${text.slice(0, 300)}`)
  return text === '' ? undefined : JSON.parse(text)
}

export interface Stage {
  gateway: LinkedGateway
  desk: Desk
  /** The connected instance, and its number. */
  line: string
  owner: string
}

/** A gateway with an open instance that is connected with Chatwoot. */
export async function connectDesk(gateway: LinkedGateway, desk: Desk, more: object = {}): Promise<Stage> {
  const owner = newNumber()
  const line = await linkedInstance(gateway, owner)
  const { url, accountId, token, gatewayUrl } = desk
  await api(gateway, `PUT /chatwoot/${line}`, {
    url,
    accountId,
    token,
    gatewayUrl,
    inboxName: `Bridge ${line}`,
    ...more,
  })
  return { gateway, desk, line, owner }
}

/** A person with a phone of the sandbox. */
export async function newPerson({ gateway }: Stage, name = 'Bob'): Promise<string> {
  const number = newNumber()
  await world(gateway, 'POST /phones', { number, name })
  return number
}

export const says = async ({ gateway, owner }: Stage, person: string, body: object): Promise<string> =>
  (await world(gateway, `POST /phones/${person}/send`, { to: owner, ...body })).messageId

/** What a phone shows. */
export const shownOn = async ({ gateway }: Stage, person: string): Promise<Json[]> =>
  (await world(gateway, `GET /phones/${person}/messages`)).messages

export const untilShown = (stage: Stage, person: string, fits: (message: Json) => boolean): Promise<Json> =>
  until('the message on the phone', async () => (await shownOn(stage, person)).find(fits))

const inboxOf = async ({ gateway, line }: Stage): Promise<number> =>
  (await api(gateway, `GET /chatwoot/${line}`)).bridge.inboxId

/** The contacts and conversations that a text finds in Chatwoot, in the inbox of the instance. */
export async function conversationsOf(
  stage: Stage,
  text: string,
): Promise<{ contacts: Json[]; ids: number[] }> {
  const { payload: contacts } = await callDesk(
    stage.desk,
    `GET /contacts/search?q=${encodeURIComponent(text)}`,
  )
  const inboxId = await inboxOf(stage)
  const lists = await Promise.all(
    contacts.map(
      async ({ id }: Json) => (await callDesk(stage.desk, `GET /contacts/${id}/conversations`)).payload,
    ),
  )
  const ids = lists.flat().filter(({ inbox_id: inbox }: Json) => inbox === inboxId)
  return { contacts, ids: ids.map(({ id }: Json) => id) }
}

export const messagesIn = async ({ desk }: Stage, conversation: number): Promise<Json[]> =>
  (await callDesk(desk, `GET /conversations/${conversation}/messages`)).payload

/** The only conversation of a person, once a message in it fits. */
export const untilInDesk = (
  stage: Stage,
  person: string,
  fits: (message: Json) => boolean,
): Promise<{ conversation: number; message: Json }> =>
  until('the message in Chatwoot', async () => {
    const { ids } = await conversationsOf(stage, person)
    const [conversation] = ids
    if (conversation === undefined) return undefined
    assert.deepEqual(ids, [conversation], 'one person has one conversation')
    const message = (await messagesIn(stage, conversation)).find(fits)
    return message && { conversation, message }
  })

export const hasText = (text: string) => (message: Json) => (message.content ?? message.text) === text

export const agentSays = (stage: Stage, conversation: number, body: object | FormData): Promise<Json> =>
  callDesk(stage.desk, `POST /conversations/${conversation}/messages`, body)

const [INCOMING, OUTGOING] = [0, 1]

export const CHECKS: [name: string, check: (stage: Stage) => Promise<void>][] = [
  [
    'a person who writes is one contact with one conversation, and an agent answers there',
    async (stage) => {
      const bob = await newPerson(stage)
      await says(stage, bob, { text: 'Hello *there*' })
      const { conversation, message } = await untilInDesk(stage, bob, hasText('Hello **there**'))
      assert.equal(message.message_type, INCOMING)
      const { contacts } = await conversationsOf(stage, bob)
      assert.deepEqual(
        contacts.map(({ name, phone_number: phone }: Json) => [name, phone]),
        [['Bob', `+${bob}`]],
      )
      await agentSays(stage, conversation, { content: 'Good **morning**', message_type: 'outgoing' })
      await untilShown(stage, bob, hasText('Good *morning*'))
      await says(stage, bob, { text: 'again' })
      const later = await untilInDesk(stage, bob, hasText('again'))
      assert.equal(later.conversation, conversation)
      // Neither the answer nor the private note comes back or goes out again.
      await agentSays(stage, conversation, { content: 'secret', message_type: 'outgoing', private: true })
      await agentSays(stage, conversation, { content: 'last', message_type: 'outgoing' })
      await untilShown(stage, bob, hasText('last'))
      const texts = (await shownOn(stage, bob))
        .filter(({ fromMe }: Json) => !fromMe)
        .map(({ text }: Json) => text)
      assert.deepEqual(
        texts.filter((text: string) => ['Good *morning*', 'secret', 'last'].includes(text)),
        ['Good *morning*', 'last'],
      )
      const inDesk = (await messagesIn(stage, conversation)).filter(
        ({ message_type: type }: Json) => type === OUTGOING,
      )
      assert.deepEqual(
        inDesk.map(({ content }: Json) => content),
        ['Good **morning**', 'secret', 'last'],
      )
    },
  ],
  [
    'an agent sees that the answer was delivered and read',
    async (stage) => {
      const bob = await newPerson(stage)
      await says(stage, bob, { text: 'ping' })
      const { conversation } = await untilInDesk(stage, bob, hasText('ping'))
      const { id } = await agentSays(stage, conversation, { content: 'pong', message_type: 'outgoing' })
      await untilShown(stage, bob, hasText('pong'))
      await world(stage.gateway, `POST /phones/${bob}/read`, { chat: stage.owner })
      await untilInDesk(stage, bob, (message) => message.id === id && message.status === 'read')
    },
  ],
  [
    'files go both ways, with their captions',
    async (stage) => {
      const bob = await newPerson(stage)
      const [theirs, ours] = [png(5, 4), png(6, 7)]
      const media = {
        type: 'image',
        base64: theirs.toString('base64'),
        mimetype: 'image/png',
        caption: 'Look',
      }
      await says(stage, bob, { media })
      const { conversation, message } = await untilInDesk(stage, bob, hasText('Look'))
      const [attachment] = message.attachments
      assert.equal(attachment.file_type, 'image')
      const { pathname, search } = new URL(attachment.data_url)
      const file = await fetch(stage.desk.ownUrl + pathname + search)
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), theirs)
      const form = new FormData()
      form.set('content', 'And mine')
      form.set('message_type', 'outgoing')
      form.append('attachments[]', new Blob([new Uint8Array(ours)], { type: 'image/png' }), 'mine.png')
      await agentSays(stage, conversation, form)
      const shown = await untilShown(stage, bob, ({ media: file }) => file?.caption === 'And mine')
      assert.equal(shown.media.sha256, createHash('sha256').update(ours).digest('hex'))
    },
  ],
  [
    'replies quote the message on both sides',
    async (stage) => {
      const bob = await newPerson(stage)
      await says(stage, bob, { text: 'question' })
      const { conversation, message } = await untilInDesk(stage, bob, hasText('question'))
      const attributes = { in_reply_to: message.id }
      const answer = await agentSays(stage, conversation, {
        content: 'answer',
        message_type: 'outgoing',
        content_attributes: attributes,
      })
      const shown = await untilShown(stage, bob, hasText('answer'))
      assert.equal(shown.quoted.text, 'question')
      await says(stage, bob, { text: 'thanks', quoted: shown.id })
      const { message: thanks } = await untilInDesk(stage, bob, hasText('thanks'))
      assert.equal(thanks.content_attributes.in_reply_to, answer.id)
    },
  ],
  [
    'deletions are made on the other side',
    async (stage) => {
      const bob = await newPerson(stage)
      const id = await says(stage, bob, { text: 'a slip' })
      const { conversation, message } = await untilInDesk(stage, bob, hasText('a slip'))
      await world(stage.gateway, `POST /phones/${bob}/delete`, { messageId: id })
      await untilInDesk(stage, bob, (one) => one.id === message.id && one.content_attributes.deleted === true)
      const ours = await agentSays(stage, conversation, { content: 'wrong chat', message_type: 'outgoing' })
      await untilShown(stage, bob, hasText('wrong chat'))
      await callDesk(stage.desk, `DELETE /conversations/${conversation}/messages/${ours.id}`)
      await untilShown(stage, bob, ({ deleted }) => deleted === true)
    },
  ],
  [
    'what the owner writes on the phone or over the API is shown, and is not sent again',
    async (stage) => {
      const bob = await newPerson(stage)
      await world(stage.gateway, `POST /phones/${stage.owner}/send`, { to: bob, text: 'from my phone' })
      const { conversation, message } = await untilInDesk(stage, bob, hasText('from my phone'))
      assert.equal(message.message_type, OUTGOING)
      const { gateway, line } = stage
      await api(gateway, 'POST /send/text', { instanceName: line, number: bob, message: 'by API', delay: 0 })
      const second = await untilInDesk(stage, bob, hasText('by API'))
      assert.equal(second.conversation, conversation)
      await agentSays(stage, conversation, { content: 'the end', message_type: 'outgoing' })
      await untilShown(stage, bob, hasText('the end'))
      const texts = (await shownOn(stage, bob)).map(({ text }: Json) => text)
      assert.deepEqual(texts, ['from my phone', 'by API', 'the end'])
    },
  ],
  [
    'a person who hides the number and shows it later stays one contact with one conversation',
    async (stage) => {
      const bob = await newPerson(stage)
      const { phone } = await world(stage.gateway, `PATCH /phones/${bob}`, { hidesNumber: true })
      const lid = `${phone.lid}@lid`
      await says(stage, bob, { text: 'guess who' })
      const { conversation } = await untilInDesk(stage, lid, hasText('guess who'))
      await world(stage.gateway, `PATCH /phones/${bob}`, { hidesNumber: false })
      await says(stage, bob, { text: 'it is me' })
      const shown = await untilInDesk(stage, bob, hasText('it is me'))
      assert.equal(shown.conversation, conversation)
      const { contacts } = await conversationsOf(stage, bob)
      assert.deepEqual(
        contacts.map(({ phone_number: number }: Json) => number),
        [`+${bob}`],
      )
      await agentSays(stage, conversation, { content: 'I knew it', message_type: 'outgoing' })
      await untilShown(stage, bob, hasText('I knew it'))
    },
  ],
  [
    'a group is one conversation, and each text names its author',
    async (stage) => {
      const [bob, carol] = [await newPerson(stage), await newPerson(stage, 'Carol')]
      const { group } = await world(stage.gateway, 'POST /groups', {
        subject: `Team ${bob}`,
        admin: stage.owner,
        members: [stage.owner, bob, carol],
      })
      for (const person of [bob, carol])
        await world(stage.gateway, `POST /phones/${person}/send`, { to: group.jid, text: `I am ${person}` })
      const byBob = await untilInDesk(stage, group.jid, ({ content }) => content?.includes(`I am ${bob}`))
      const byCarol = await untilInDesk(stage, group.jid, ({ content }) => content?.includes(`I am ${carol}`))
      assert.equal(byBob.conversation, byCarol.conversation)
      assert.match(byCarol.message.content, /^\*\*Carol/)
      await agentSays(stage, byBob.conversation, { content: 'to all', message_type: 'outgoing' })
      await untilShown(stage, carol, hasText('to all'))
    },
  ],
]
