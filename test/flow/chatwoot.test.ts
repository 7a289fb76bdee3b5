// An instance connected with Chatwoot: conversations go both ways, and nothing is created or sent twice, whatever gets lost.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import {
  agentSays,
  CHECKS,
  callDesk,
  connectDesk,
  conversationsOf,
  type Desk,
  hasText,
  messagesIn,
  newPerson,
  type Stage,
  says,
  shownOn,
  untilInDesk,
  untilShown,
} from '../support/chatwoot-checks.ts'
import { type ChatwootServer, startChatwootServer } from '../support/chatwoot-server.ts'
import { api, ask, until, world } from '../support/linked.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

for (const engine of behaviourEngines())
  describe(`the bridge to Chatwoot on ${engine.name}`, () => {
    const storeLocation = engine.createLocation()
    const key = newKey()
    let gateway: Started
    let chatwoot: ChatwootServer
    let stage: Stage
    let written = ''

    before(async () => {
      chatwoot = await startChatwootServer()
      await start()
      stage = await connectDesk(gateway, deskOf())
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await chatwoot.close()
      await (await storeLocation).dispose()
    })
    async function start(more: Record<string, string> = {}): Promise<void> {
      const targets = { ALLOW_TARGETS: '127.0.0.1', EXTRA_CA_FILE: AUTHORITY_FILE, LOG_LEVEL: 'debug' }
      gateway = await startWithKey(await storeLocation, key, { ...targets, ...more })
    }
    const deskOf = (): Desk => ({
      url: chatwoot.url,
      ownUrl: chatwoot.plainUrl,
      accountId: chatwoot.accountId,
      token: chatwoot.token,
      gatewayUrl: gateway.url,
    })
    const textsOf = async (conversation: number): Promise<string[]> =>
      (await messagesIn(stage, conversation)).map(({ content }: Json) => content)

    for (const [name, check] of CHECKS) test(name, () => check(stage))

    test('a contact that Chatwoot knew by number takes over the conversation of the lid', async () => {
      const bob = await newPerson(stage)
      const { phone } = await world(gateway, `PATCH /phones/${bob}`, { hidesNumber: true })
      await says(stage, bob, { text: 'hidden' })
      const { conversation } = await untilInDesk(stage, `${phone.lid}@lid`, hasText('hidden'))
      await callDesk(stage.desk, 'POST /contacts', { name: 'Known', phone_number: `+${bob}` })
      await world(gateway, `PATCH /phones/${bob}`, { hidesNumber: false })
      await says(stage, bob, { text: 'shown' })
      const shown = await untilInDesk(stage, bob, hasText('shown'))
      assert.equal(shown.conversation, conversation)
      const { contacts } = await conversationsOf(stage, bob)
      assert.deepEqual(
        contacts.map(({ name }: Json) => name),
        ['Known'],
      )
    })

    test('without reopenConversation the next message begins a new conversation, and groups can be left out', async () => {
      const other = await connectDesk(gateway, deskOf(), { reopenConversation: false, ignoreGroups: true })
      const bob = await newPerson(other)
      // Chatwoot itself does not prevent a second conversation here.
      chatwoot.fault(/^POST \/conversations$/, 'lose')
      await says(other, bob, { text: 'first' })
      const { conversation } = await untilInDesk(other, bob, hasText('first'))
      await callDesk(other.desk, `POST /conversations/${conversation}/toggle_status`, { status: 'resolved' })
      await until('the post of the status', async () =>
        chatwoot.posts.find(
          ({ event, body }) =>
            event === 'conversation_status_changed' && JSON.parse(body).id === conversation,
        ),
      )
      const { group } = await world(gateway, 'POST /groups', {
        subject: 'Left out',
        admin: other.owner,
        members: [other.owner, bob],
      })
      await world(gateway, `POST /phones/${bob}/send`, { to: group.jid, text: 'to the group' })
      await says(other, bob, { text: 'second' })
      const ids = await until('the second conversation', async () => {
        const found = await conversationsOf(other, bob)
        return found.ids.length > 1 ? found.ids : undefined
      })
      assert.deepEqual(await textsOf(conversation), ['first'])
      const [latest = 0] = ids
      await until('the message', async () => (await textsOf(latest)).find((text) => text === 'second'))
      assert.deepEqual((await conversationsOf(other, group.jid)).contacts, [])
    })

    test('a post of Chatwoot that comes again sends nothing', async () => {
      const bob = await newPerson(stage)
      await says(stage, bob, { text: 'hi' })
      const { conversation } = await untilInDesk(stage, bob, hasText('hi'))
      const { id } = await agentSays(stage, conversation, { content: 'only once', message_type: 'outgoing' })
      await untilShown(stage, bob, hasText('only once'))
      const posted = await until('the post', async () =>
        chatwoot.posts.find(({ event, body }) => event === 'message_created' && JSON.parse(body).id === id),
      )
      for (let times = 0; times < 5; times += 1) assert.equal(await chatwoot.repost(posted), 200)
      assert.deepEqual(await Promise.all([1, 2, 3].map(() => chatwoot.repost(posted))), [200, 200, 200])
      await agentSays(stage, conversation, { content: 'and this', message_type: 'outgoing' })
      await untilShown(stage, bob, hasText('and this'))
      const texts = (await shownOn(stage, bob)).map(({ text }: Json) => text)
      assert.deepEqual(texts, ['hi', 'only once', 'and this'])
    })

    test('a post with a wrong, missing or old signature, or with another path, is refused', async () => {
      const made = chatwoot.posts.find(({ event }) => event === 'message_created')
      assert.ok(made)
      const signed = (secret: string, at: number, body: string) => ({
        'content-type': 'application/json',
        'x-chatwoot-timestamp': String(at),
        'x-chatwoot-signature': `sha256=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
      })
      const now = Math.floor(Date.now() / 1000)
      const inbox = chatwoot.inboxes.find(({ webhook_url: url }) => url === made.url)
      const secret = inbox?.secret ?? ''
      const body = made.body.replace('"id":', '"id":9')
      assert.equal(await chatwoot.repost({ ...made, headers: signed(secret, now, made.body) }), 200)
      for (const headers of [
        signed('wrong', now, made.body),
        signed(secret, now - 3600, made.body),
        signed(secret, now, body),
        { 'content-type': 'application/json' },
      ])
        assert.equal(await chatwoot.repost({ ...made, headers }), 401)
      const headers = signed(secret, now, made.body)
      for (const url of [
        `${made.url}x`,
        made.url.slice(0, -1),
        `${gateway.url}/chatwoot/hooks/1-${'x'.repeat(43)}`,
      ])
        assert.equal(await chatwoot.repost({ ...made, url, headers }), 401)
    })

    for (const call of ['POST /conversations/\\d+/messages', 'POST /conversations$', 'POST /contacts$'])
      test(`an answer that is lost after ${call.split(/[\\$]/)[0]} creates nothing twice`, async () => {
        const bob = await newPerson(stage)
        chatwoot.fault(new RegExp(`^${call}`), 'lose')
        await says(stage, bob, { text: 'lost?' })
        const { conversation } = await untilInDesk(stage, bob, hasText('lost?'))
        await says(stage, bob, { text: 'after it' })
        await untilInDesk(stage, bob, hasText('after it'))
        await delivered()
        const { contacts, ids } = await conversationsOf(stage, bob)
        assert.deepEqual([contacts.length, ids], [1, [conversation]])
        assert.deepEqual((await textsOf(conversation)).toSorted(), ['after it', 'lost?'])
      })

    /** All deliveries of the bridge are made. */
    const delivered = (): Promise<unknown> =>
      until('all deliveries', async () => {
        const { bridge } = await api(gateway, `GET /chatwoot/${stage.line}`)
        const { deliveries } = await api(gateway, `GET /webhooks/${bridge.webhookId}/deliveries?limit=50`)
        return deliveries.every(({ status }: Json) => status === 'delivered') ? true : undefined
      })

    test('a server that fails gets the message later, once', async () => {
      const bob = await newPerson(stage)
      chatwoot.fault(/^POST \/conversations\/\d+\/messages/, 'fail')
      await says(stage, bob, { text: 'in the end' })
      const { conversation } = await untilInDesk(stage, bob, hasText('in the end'))
      await delivered()
      assert.deepEqual(await textsOf(conversation), ['in the end'])
    })

    test('after a kill between the call and its record, the message is in Chatwoot once', async () => {
      const bob = await newPerson(stage)
      await says(stage, bob, { text: 'before' })
      const { conversation } = await untilInDesk(stage, bob, hasText('before'))
      // Chatwoot has created the message, and the process ends while it waits for the answer.
      chatwoot.fault(/^POST \/conversations\/\d+\/messages/, 'stall')
      await says(stage, bob, { text: 'at the kill' })
      await until('the message that Chatwoot has created', async () =>
        chatwoot.messages.find(({ content }) => content === 'at the kill'),
      )
      await gateway.stop('SIGKILL')
      written += gateway.stdout() + gateway.stderr()
      await start({ PORT: new URL(gateway.url).port })
      stage = { ...stage, gateway }
      await says(stage, bob, { text: 'after' })
      await untilInDesk(stage, bob, hasText('after'))
      await delivered()
      assert.deepEqual((await textsOf(conversation)).toSorted(), ['after', 'at the kill', 'before'])
    })

    test('an agent sees why an answer was not sent', async () => {
      const bob = await newPerson(stage)
      await says(stage, bob, { text: 'hello?' })
      const { conversation } = await untilInDesk(stage, bob, hasText('hello?'))
      const content = 'x'.repeat(100_000)
      const { id } = await agentSays(stage, conversation, { content, message_type: 'outgoing' })
      const { message } = await untilInDesk(stage, bob, (one) => one.id === id && one.status === 'failed')
      assert.match(message.content_attributes.external_error, /message/)
    })

    test('history is handed over once, oldest first', async () => {
      const bob = await newPerson(stage)
      await api(gateway, `DELETE /chatwoot/${stage.line}`)
      for (const text of ['one', 'two', 'three']) {
        await says(stage, bob, { text })
        await until(text, async () => {
          const { messages } = await api(gateway, `GET /messages?instanceName=${stage.line}&number=${bob}`)
          return messages.find(({ content }: Json) => content.text === text)
        })
      }
      const { url, accountId, token, gatewayUrl } = stage.desk
      const body = {
        url,
        accountId,
        token,
        gatewayUrl,
        inboxName: `Bridge ${stage.line}`,
        signAgentNames: true,
      }
      await api(gateway, `PUT /chatwoot/${stage.line}`, body)
      const push = (more: object) =>
        api(gateway, `POST /chatwoot/${stage.line}/history`, { number: bob, limit: 2, ...more })
      const first = await push({})
      assert.deepEqual([first.pushed, first.failure], [2, null])
      const second = await push({ cursor: first.next })
      assert.deepEqual([second.pushed, second.next], [1, null])
      assert.equal((await push({ limit: 200 })).pushed, 3)
      const { conversation } = await untilInDesk(stage, bob, hasText('three'))
      assert.deepEqual(await textsOf(conversation), ['one', 'two', 'three'])
    })

    test('with signAgentNames, the text to the customer begins with the name of the agent', async () => {
      const bob = await newPerson(stage)
      await says(stage, bob, { text: 'who is there?' })
      const { conversation } = await untilInDesk(stage, bob, hasText('who is there?'))
      await agentSays(stage, conversation, { content: 'me', message_type: 'outgoing' })
      await untilShown(stage, bob, hasText('*Ana Agent*:\nme'))
    })

    test('neither token nor secret nor path is shown or logged', async () => {
      const shown = JSON.stringify([
        (await ask(gateway, `GET /api/v1/chatwoot/${stage.line}`)).json,
        (await ask(gateway, 'GET /api/v1/webhooks')).json,
      ])
      const inbox = chatwoot.inboxes.find(({ name }) => name === `Bridge ${stage.line}`)
      const path = inbox?.webhook_url.split('-').slice(1).join('-') ?? ''
      const all = shown + written + gateway.stdout() + gateway.stderr()
      for (const secret of [chatwoot.token, inbox?.secret ?? '', path]) {
        assert.ok(secret.length > 8)
        assert.ok(!all.includes(secret))
      }
    })
  })
