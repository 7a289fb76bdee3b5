// Clients of the Cloud API that others wrote, unmodified from npm, against the running gateway and the phones of the sandbox. Each is
// told the base URL, a key, and the secret and the verify token of its webhook; nothing else differs from the original.
import assert from 'node:assert/strict'
import { request as secureRequest } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { createMemoryState } from '@chat-adapter/state-memory'
import { createWhatsAppAdapter, type WhatsAppAdapter } from '@chat-adapter/whatsapp'
import { Client } from '@great-detail/whatsapp'
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server'
import { Chat, ConsoleLogger, type Message } from 'chat'
import { Document, Image, Text } from 'whatsapp-api-js/messages'
import { WhatsAppAPI } from 'whatsapp-api-js/middleware/web-standard'
import type { ServerMessage } from 'whatsapp-api-js/types'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { cloudBase } from '../support/cloud.ts'
import { startRequestHost, startTlsFront, trustTestAuthority } from '../support/foreign-clients.ts'
import { api, linkedInstance, until, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'
import type { WebHost } from '../support/web-host.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

const VERIFY_TOKEN = 'verify-me'
const APP_SECRET = 'an app secret of the client'

for (const engine of behaviourEngines('sqlite'))
  describe(`clients of the Cloud API on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511977770' : '5511978880'
    const [OWNER, BOB] = [1, 2].map((last) => `${prefix}00${last}`) as [string, string]
    const storeLocation = engine.createLocation()
    const key = newKey()
    const IMAGE = png(4, 4)
    const hosts: WebHost[] = []
    let gateway: StartedHere
    let front: Awaited<ReturnType<typeof startTlsFront>>
    let phoneNumberId = ''
    let distrust = (): void => undefined

    before(async () => {
      distrust = trustTestAuthority()
      gateway = await startHere(await storeLocation, key, {
        ...(await onOwnSandbox()),
        LOG_LEVEL: 'info',
        COMPAT: 'evolution,cloud',
        EXTRA_CA_FILE: AUTHORITY_FILE,
        ALLOW_TARGETS: '127.0.0.1',
      })
      front = await startTlsFront(gateway.url)
      phoneNumberId = await linkedInstance(gateway, OWNER)
      await world(gateway, 'POST /phones', { number: BOB, name: 'Bob' })
    })
    after(async () => {
      distrust()
      await gateway.stop()
      await front.close()
      for (const host of hosts) await host.close()
      await (await storeLocation).dispose()
    })

    /** A webhook whose receiver is the client: it is stored only if the client answers the handshake. */
    async function connect(handle: (request: Request) => Promise<Response>): Promise<void> {
      const host = await startRequestHost(handle)
      hosts.push(host)
      const { webhook } = await api(gateway, 'POST /webhooks', {
        url: `${host.url}/hook`,
        format: 'cloud',
        verifyToken: VERIFY_TOKEN,
        secret: APP_SECRET,
        instanceName: phoneNumberId,
      })
      assert.deepEqual([webhook.format, webhook.filter.chats], ['cloud', 'people'])
    }
    const says = async (body: object): Promise<string> =>
      (await world(gateway, `POST /phones/${BOB}/send`, { to: OWNER, ...body })).messageId
    const acts = (action: string, body: object): Promise<Json> =>
      world(gateway, `POST /phones/${BOB}/${action}`, body)
    const shownOn = (
      number: string,
      id: string,
      fits: (shown: Json) => boolean = () => true,
    ): Promise<Json> =>
      until(`message ${id} on ${number}`, async () => {
        const { messages } = await world(gateway, `GET /phones/${number}/messages`)
        return messages.find((shown: Json) => shown.id === id && fits(shown))
      })
    const seenBy = <T>(what: string, list: readonly T[], fits: (one: T) => boolean): Promise<T> =>
      until(what, async () => list.find(fits))
    const photo = {
      type: 'image',
      base64: IMAGE.toString('base64'),
      mimetype: 'image/png',
      caption: 'Ação ✓',
    }

    test('@chat-adapter/whatsapp: a bot answers texts, reads pictures, sends cards, and gets taps and reactions', async () => {
      const whatsapp: WhatsAppAdapter = createWhatsAppAdapter({
        accessToken: key,
        appSecret: APP_SECRET,
        phoneNumberId,
        verifyToken: VERIFY_TOKEN,
        apiUrl: cloudBase(front.url),
        userName: 'bot',
        logger: new ConsoleLogger('silent'),
      })
      const seen: Message[] = []
      const taps: string[] = []
      const reactions: string[] = []
      const bot = new Chat({
        userName: 'bot',
        // Its types are those of a looser compiler.
        adapters: { whatsapp: whatsapp as Json },
        state: createMemoryState(),
        logger: 'silent',
      })
      bot.onDirectMessage(async (thread, message) => {
        seen.push(message)
        if (message.text === 'Olá, bot') await thread.post(`You wrote: *${message.text}*`)
      })
      bot.onAction(async ({ actionId }) => void taps.push(actionId))
      bot.onReaction(async ({ rawEmoji, added }) => void reactions.push(`${rawEmoji}${added}`))
      await bot.initialize()
      await connect((request) => (bot.webhooks as Json).whatsapp(request))

      const question = await says({ text: 'Olá, bot' })
      const message = await seenBy('the text', seen, ({ id }) => id === question)
      assert.deepEqual([message.author.userId, message.author.fullName], [BOB, 'Bob'])
      await until('the answer of the bot', async () => {
        const { messages } = await world(gateway, `GET /phones/${BOB}/messages`)
        return messages.find((shown: Json) => shown.text === 'You wrote: *Olá, bot*')
      })
      const { threadId } = message
      await whatsapp.markAsRead(threadId, question)
      await shownOn(BOB, question, ({ status }) => status === 'read')
      await whatsapp.startTyping(threadId)
      await whatsapp.addReaction(threadId, question, '👍')
      await shownOn(BOB, question, ({ reactions: given }) => Object.values(given ?? {}).join() === '👍')

      const pictured = await says({ media: photo })
      const picture = await seenBy('the picture', seen, ({ id }) => id === pictured)
      assert.equal(picture.text, 'Ação ✓')
      const { mediaId = '' } = picture.attachments[0]?.fetchMetadata ?? {}
      // By itself it does not connect to the loopback; it takes another transport instead.
      const bytes = await whatsapp.downloadMedia(
        mediaId,
        (url, signal, headers) =>
          new Promise((resolve, reject) => {
            secureRequest(url, { headers, signal }, resolve).on('error', reject).end()
          }),
      )
      assert.deepEqual(bytes, IMAGE)

      const files = [{ data: IMAGE, filename: 'photo.png', mimeType: 'image/png' }]
      const uploaded = await whatsapp.postMessage(threadId, { markdown: 'A picture', files })
      assert.equal((await shownOn(BOB, uploaded.id)).text, 'A picture')
      const card = {
        type: 'card' as const,
        title: 'Delivery',
        children: [
          { type: 'text' as const, content: 'Is tomorrow fine?' },
          {
            type: 'actions' as const,
            children: [{ type: 'button' as const, id: 'yes', label: 'Yes' }],
          },
        ],
      }
      const sent = await whatsapp.postMessage(threadId, { card })
      const { interactive } = await shownOn(BOB, sent.id)
      await acts('tap', { messageId: sent.id, buttonId: interactive.buttons[0].id })
      await seenBy('the tap', taps, (id) => id === 'yes')
      await acts('react', { messageId: sent.id, emoji: '❤️' })
      await seenBy('the reaction', reactions, (one) => one === '❤️true')
      await assert.rejects(
        whatsapp.postMessage(`whatsapp:${phoneNumberId}:12`, 'too short'),
        (error: Json) => error.errorCode === 131009 && error.details.startsWith('to: '),
      )
    })

    test('@kapso/whatsapp-cloud-api: sends every kind, manages templates, and reads verified webhooks', async () => {
      const client = new WhatsAppClient({ baseUrl: cloudBase(gateway.url), accessToken: key })
      const messages: Json[] = []
      const statuses: Json[] = []
      await connect(async (request) => {
        const { searchParams } = new URL(request.url)
        if (request.method === 'GET')
          return new Response(
            searchParams.get('hub.verify_token') === VERIFY_TOKEN ? searchParams.get('hub.challenge') : 'no',
          )
        const rawBody = await request.text()
        const signatureHeader = request.headers.get('x-hub-signature-256') ?? ''
        if (!verifySignature({ appSecret: APP_SECRET, rawBody, signatureHeader }))
          return new Response(null, { status: 401 })
        const normalized = normalizeWebhook(JSON.parse(rawBody))
        assert.deepEqual([normalized.phoneNumberId, normalized.displayPhoneNumber], [phoneNumberId, OWNER])
        messages.push(...normalized.messages)
        statuses.push(...normalized.statuses)
        return new Response('ok')
      })
      const to = `+${BOB}`
      const text = await client.messages.sendText({ phoneNumberId, to, body: 'Olá 👋' })
      const id = text.messages[0]?.id ?? ''
      assert.equal((await shownOn(BOB, id)).text, 'Olá 👋')
      for (const status of ['sent', 'delivered'])
        await seenBy(status, statuses, (one) => one.id === id && one.status === status)
      await acts('read', { chat: OWNER, messageId: id })
      const read = await seenBy('read', statuses, (one) => one.id === id && one.status === 'read')
      assert.deepEqual([read.recipientId, /^\d{10}$/.test(read.timestamp)], [BOB, true])

      const media = await client.media.upload({
        phoneNumberId,
        type: 'image',
        file: new Blob([new Uint8Array(IMAGE)], { type: 'image/png' }),
        fileName: 'photo.png',
      })
      const image = await client.messages.sendImage({
        phoneNumberId,
        to,
        image: { id: media.id, caption: 'By id' },
      })
      assert.equal((await shownOn(BOB, image.messages[0]?.id ?? '')).text, 'By id')
      const spot = { latitude: -23.5, longitude: -46.6, name: 'Shop', address: 'Paulista 1' }
      const location = await client.messages.sendLocation({ phoneNumberId, to, location: spot })
      assert.equal((await shownOn(BOB, location.messages[0]?.id ?? '')).kind, 'location')
      const buttons = await client.messages.sendInteractiveButtons({
        phoneNumberId,
        to,
        bodyText: 'Sure?',
        buttons: [{ id: 'yes', title: 'Yes' }],
      })
      const question = buttons.messages[0]?.id ?? ''
      await shownOn(BOB, question)
      await acts('tap', { messageId: question, buttonId: 'yes' })
      const tap = await seenBy(
        'the tap',
        messages,
        ({ interactive }) => interactive?.buttonReply?.id === 'yes',
      )
      assert.deepEqual([tap.type, tap.context.id], ['interactive', question])

      const businessAccountId = phoneNumberId
      await client.templates.create({
        businessAccountId,
        name: 'greeting',
        language: 'en_US',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Hello {{1}}', example: { bodyText: [['Ana']] } }],
      })
      const { data } = await client.templates.list({ businessAccountId })
      assert.deepEqual(
        data.map(({ name, status }) => [name, status]),
        [
          ['hello_world', 'APPROVED'],
          ['greeting', 'APPROVED'],
        ],
      )
      const greeting = await client.messages.sendTemplate({
        phoneNumberId,
        to,
        template: {
          name: 'greeting',
          language: { code: 'en_US' },
          components: [{ type: 'body', parameters: [{ type: 'text', text: 'Bob' }] }],
        },
      })
      assert.equal((await shownOn(BOB, greeting.messages[0]?.id ?? '')).text, 'Hello Bob')

      const pictured = await says({ media: photo })
      const received = await seenBy('the picture', messages, (one) => one.id === pictured)
      assert.deepEqual([received.image.caption, received.image.mimeType], ['Ação ✓', 'image/png'])
      const file = { mediaId: received.image.id, auth: 'always' as const }
      assert.deepEqual(Buffer.from((await client.media.download(file)) as ArrayBuffer), IMAGE)
      await client.messages.markRead({
        phoneNumberId,
        messageId: pictured,
        typingIndicator: { type: 'text' },
      })
      await shownOn(BOB, pictured, ({ status }) => status === 'read')
      const { data: profiles } = await client.phoneNumbers.businessProfile.get({ phoneNumberId })
      assert.equal((profiles[0] as Json).messagingProduct, 'whatsapp')
      await assert.rejects(
        client.messages.sendText({ phoneNumberId: 'no-such-00000000', to, body: 'x' }),
        (error: Json) => error.code === 100 && error.category === 'parameter',
      )
    })

    test('whatsapp-api-js: its address is fixed, so its own `fetch` option leads it here', async () => {
      const client = new WhatsAppAPI({
        token: key,
        appSecret: APP_SECRET,
        webhookVerifyToken: VERIFY_TOKEN,
        v: 'v23.0',
        ponyfill: {
          fetch: (url: Json, init: Json) =>
            fetch(String(url).replace('https://graph.facebook.com', cloudBase(gateway.url)), init),
          subtle: crypto.subtle,
        },
      })
      const received: ServerMessage[] = []
      const statuses: string[] = []
      client.on.message = async ({ message, received: markRead, reply }) => {
        received.push(message)
        await markRead()
        await reply(new Text(`Re: ${message.type}`), true)
      }
      client.on.status = ({ id, status }) => void statuses.push(`${id} ${status}`)
      await connect(async (request) =>
        request.method === 'GET'
          ? new Response(client.handle_get(request))
          : new Response(null, { status: await client.handle_post(request) }),
      )
      // Other characters than those of ASCII: it checks the signature of the escaped body.
      const question = await says({ text: 'Olá, ça va? 👋' })
      const message = (await seenBy('the text', received, ({ id }) => id === question)) as Json
      assert.equal(message.text.body, 'Olá, ça va? 👋')
      await until('the reply', async () => {
        const { messages } = await world(gateway, `GET /phones/${BOB}/messages`)
        return messages.find((one: Json) => one.text === 'Re: text' && one.quoted?.id === question)
      })
      await shownOn(BOB, question, ({ status }) => status === 'read')
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(IMAGE)], { type: 'image/png' }), 'photo.png')
      const upload = (await client.uploadMedia(phoneNumberId, form)) as Json
      const sent = (await client.sendMessage(phoneNumberId, BOB, new Image(upload.id, true, 'Look'))) as Json
      assert.equal((await shownOn(BOB, sent.messages[0].id)).text, 'Look')
      await seenBy('the status', statuses, (one) => one === `${sent.messages[0].id} delivered`)
      const document = new Document(upload.id, true, 'Plan', 'plan.png')
      const plan = (await client.sendMessage(phoneNumberId, BOB, document)) as Json
      assert.equal((await shownOn(BOB, plan.messages[0].id)).kind, 'document')
      const pictured = await says({ media: photo })
      const picture = (await seenBy('the picture', received, ({ id }) => id === pictured)) as Json
      const { url } = (await client.retrieveMedia(picture.image.id)) as Json
      assert.deepEqual(Buffer.from(await (await client.fetchMedia(url)).arrayBuffer()), IMAGE)
    })

    test('@great-detail/whatsapp: messages, numbers, files, subscriptions and verified webhooks', async () => {
      const client = new Client({
        baseUrl: cloudBase(gateway.url),
        request: { headers: { Authorization: `Bearer ${key}` } },
      })
      const values: Json[] = []
      await connect(async (request) => {
        const url = new URL(request.url)
        if (request.method === 'GET') {
          const query = Object.fromEntries(url.searchParams)
          const { verifyToken, accept } = await client.webhook.register({ method: 'GET', query } as Json)
          return verifyToken === VERIFY_TOKEN ? new Response(accept()) : new Response(null, { status: 403 })
        }
        const headers = Object.fromEntries(request.headers)
        const event = await client.webhook.eventNotification({
          method: 'POST',
          query: {},
          headers,
          body: await request.text(),
        })
        await event.verifySignature(APP_SECRET)
        values.push((event.eventNotification as Json).entry[0].changes[0].value)
        return new Response('ok')
      })
      const answer: Json = await client.message
        .createMessage({ phoneNumberID: phoneNumberId, to: BOB, type: 'text', text: { body: 'Hi' } } as Json)
        .json()
      assert.equal((await shownOn(BOB, answer.messages[0].id)).text, 'Hi')
      const number: Json = await client.phoneNumbers
        .getPhoneNumber({ phoneNumberID: phoneNumberId, fields: ['display_phone_number', 'status'] } as Json)
        .json()
      assert.deepEqual(number, { id: phoneNumberId, display_phone_number: `+${OWNER}`, status: 'CONNECTED' })
      const upload: Json = await client.media
        .upload({
          phoneNumberID: phoneNumberId,
          file: new Blob([new Uint8Array(IMAGE)], { type: 'image/png' }),
          filename: 'photo.png',
          mimeType: 'image/png',
        } as Json)
        .json()
      assert.match(upload.id, /^media-/)
      const pictured = await says({ media: photo })
      const value = await seenBy('the picture', values, (one) => one.messages?.[0].id === pictured)
      const info: Json = await client.media.getURL({ mediaID: value.messages[0].image.id }).json()
      const request = { headers: { Authorization: `Bearer ${key}` } }
      const bytes = await client.media.download({ mediaURL: info.url, request }).arrayBuffer()
      assert.deepEqual(Buffer.from(bytes), IMAGE)
      const subscribed: Json = await client.subscribedApps
        .listSubscriptions({ businessAccountID: phoneNumberId })
        .json()
      assert.ok(subscribed.data.length >= 1)
    })

    test('no key reaches the log', () => {
      assert.match(gateway.log(), /"level":30/)
      assert.ok(!gateway.log().includes(key))
    })
  })
