// A program of the Cloud API moves in: its webhook is confirmed by the handshake, and messages go in both directions in its form.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { verifyDelivery } from '../../src/contract/verify-delivery.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import {
  type CloudClient,
  type CloudReceiver,
  cloudClient,
  type Posted,
  startCloudReceiver,
} from '../support/cloud.ts'
import { api, linkedInstance, until, untilState, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

for (const engine of behaviourEngines('sqlite'))
  describe(`the Cloud API dialect on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511979990' : '5511981110'
    const [OWNER, BOB] = [1, 2].map((last) => `${prefix}00${last}`) as [string, string]
    const VERIFY_TOKEN = 'a-verify-token'
    const storeLocation = engine.createLocation()
    const key = newKey()
    let gateway: StartedHere
    let client: CloudClient
    let receiver: CloudReceiver
    let status = 200
    let id = ''
    let secret = ''
    let logged = ''

    before(async () => {
      receiver = await startCloudReceiver(VERIFY_TOKEN, async () => status)
      await start()
      id = await linkedInstance(gateway, OWNER)
      await world(gateway, 'POST /phones', { number: BOB, name: 'Bob' })
    })
    after(async () => {
      await gateway.stop()
      await receiver.close()
      await (await storeLocation).dispose()
    })

    async function start(): Promise<void> {
      const settings = { COMPAT: 'cloud', EXTRA_CA_FILE: AUTHORITY_FILE, ALLOW_TARGETS: '127.0.0.1' }
      const sandbox = await onSharedSandbox()
      gateway = await startHere(await storeLocation, key, { ...settings, ...sandbox, LOG_LEVEL: 'debug' })
      client = cloudClient(gateway.url, key)
    }
    const says = async (body: object): Promise<string> =>
      (await world(gateway, `POST /phones/${BOB}/send`, { to: OWNER, ...body })).messageId
    const sends = async (body: object): Promise<string> => {
      const reply = await client(`POST /${id}/messages`, { messaging_product: 'whatsapp', to: BOB, ...body })
      assert.equal(reply.status, 200, JSON.stringify(reply.json))
      return reply.json.messages[0].id
    }
    const untilMessage = async (messageId: string): Promise<Json> =>
      (await receiver.until(`message ${messageId}`, ({ value }) => value.messages?.[0].id === messageId))
        .value.messages[0]
    const untilStatus = async (messageId: string, wanted: string): Promise<Json> =>
      (
        await receiver.until(
          `${wanted} of ${messageId}`,
          ({ value }) => value.statuses?.[0].id === messageId && value.statuses[0].status === wanted,
        )
      ).value.statuses[0]
    const shown = (messageId: string, fits: (one: Json) => boolean = () => true): Promise<Json> =>
      until(`message ${messageId} on the phone`, async () => {
        const { messages } = await world(gateway, `GET /phones/${BOB}/messages`)
        return messages.find((one: Json) => one.id === messageId && fits(one))
      })

    test('the webhook is stored after the handshake', async () => {
      const wrong = await client(`POST /${id}/subscribed_apps`, {
        override_callback_uri: receiver.url,
        verify_token: 'wrong',
      })
      assert.equal(wrong.json.error.code, 100)
      const set = await client(`POST /${id}/subscribed_apps`, {
        override_callback_uri: receiver.url,
        verify_token: VERIFY_TOKEN,
      })
      assert.deepEqual(set.json, { success: true })
      const [webhook] = (await api(gateway, 'GET /webhooks')).webhooks
      const rotated = await api(gateway, `POST /webhooks/${webhook.id}/rotate-secret`, { overlapHours: 0 })
      secret = rotated.webhook.secret
    })

    test('a text is sent, and its statuses are posted with all signatures', async () => {
      const sent = await sends({ type: 'text', text: { body: 'Bom dia ☀️' } })
      assert.equal((await shown(sent)).text, 'Bom dia ☀️')
      for (const wanted of ['sent', 'delivered']) await untilStatus(sent, wanted)
      await world(gateway, `POST /phones/${BOB}/read`, { chat: OWNER })
      const read = await untilStatus(sent, 'read')
      assert.deepEqual([read.recipient_id, typeof read.timestamp], [BOB, 'string'])
      const { headers, body, json } = receiver.posted.at(-1) as Posted
      assert.deepEqual([json.object, json.entry[0].id], ['whatsapp_business_account', id])
      const expected = createHmac('sha256', secret).update(body).digest('hex')
      assert.equal(headers['x-hub-signature-256'], `sha256=${expected}`)
      const older = createHmac('sha1', secret).update(body).digest('hex')
      assert.equal(headers['x-hub-signature'], `sha1=${older}`)
      const own = { headers: new Headers(headers as Record<string, string>), body, secret, now: Date.now() }
      assert.equal(await verifyDelivery(own), true)
    })

    test('a failure is a status with the code of the original', async () => {
      const sent = await sends({ to: '5511999990000', text: { body: 'anyone?' } })
      const { errors } = await untilStatus(sent, 'failed')
      assert.deepEqual([errors[0].code, errors[0].title], [131026, 'Message undeliverable'])
    })

    test('received: a text as a reply, a location, a contact, and the advertisement', async () => {
      const question = await sends({ text: { body: 'Where?' } })
      await shown(question)
      const text = await untilMessage(await says({ text: 'Olá', quoted: question }))
      assert.deepEqual(
        [text.from, text.type, text.text, text.context],
        [BOB, 'text', { body: 'Olá' }, { from: OWNER, id: question }],
      )
      const spot = { latitude: -23.5, longitude: -46.6 }
      const { location } = await untilMessage(await says({ location: spot }))
      assert.deepEqual([location.latitude, location.longitude], [-23.5, -46.6])
      const { contacts } = await untilMessage(
        await says({ contact: { name: 'Ana', number: '5511912345678' } }),
      )
      assert.deepEqual(
        [contacts[0].name.formatted_name, contacts[0].phones[0].wa_id],
        ['Ana', '5511912345678'],
      )
      const ad = { sourceId: '42', sourceUrl: 'https://fb.me/x', title: 'Sale', ctwaClid: 'click' }
      const { referral } = await untilMessage(await says({ text: 'From the ad', ad }))
      assert.deepEqual([referral.source_id, referral.headline, referral.ctwa_clid], ['42', 'Sale', 'click'])
    })

    test('received: a file, which is downloaded with the same key and sent back by its upload', async () => {
      const file = png(4, 4)
      const media = { type: 'image', base64: file.toString('base64'), mimetype: 'image/png', caption: 'Foto' }
      const { image } = await untilMessage(await says({ media }))
      assert.deepEqual([image.caption, image.mime_type], ['Foto', 'image/png'])
      const info = (await client(`GET /${image.id}?phone_number_id=${id}`)).json
      assert.deepEqual([info.file_size, info.mime_type], [file.length, 'image/png'])
      const anonymous = await fetch(info.url)
      assert.equal(anonymous.status, 401)
      const response = await fetch(info.url, { headers: { authorization: `Bearer ${key}` } })
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), file)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      form.set('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'a.png')
      const upload = (await client(`POST /${id}/media`, form)).json
      const back = await sends({ type: 'image', image: { id: upload.id, caption: 'Back' } })
      assert.equal((await shown(back)).text, 'Back')
    })

    test('taps on a list, reactions, edits and deletions of a person', async () => {
      const rows = [{ id: 'tea', title: 'Tea', description: 'Hot' }]
      const list = {
        type: 'list',
        body: { text: 'Drink?' },
        action: { button: 'Open', sections: [{ rows }] },
      }
      const question = await sends({ type: 'interactive', interactive: list })
      await shown(question)
      const { messageId } = await world(gateway, `POST /phones/${BOB}/tap`, {
        messageId: question,
        rowId: 'tea',
      })
      const { interactive, context } = await untilMessage(messageId)
      assert.deepEqual([interactive.list_reply.id, context.id], ['tea', question])
      await world(gateway, `POST /phones/${BOB}/react`, { messageId: question, emoji: '👍' })
      const reacted = await receiver.until(
        'a reaction',
        ({ value }) => value.messages?.[0].type === 'reaction',
      )
      assert.deepEqual(reacted.value.messages[0].reaction, { message_id: question, emoji: '👍' })
      const text = await says({ text: 'Frist' })
      await untilMessage(text)
      await world(gateway, `POST /phones/${BOB}/edit`, { messageId: text, text: 'First' })
      const edited = await receiver.until('the edit', ({ value }) => value.messages?.[0].edit !== undefined)
      assert.deepEqual(edited.value.messages[0].edit, {
        original_message_id: text,
        message: { type: 'text', text: { body: 'First' } },
      })
      await world(gateway, `POST /phones/${BOB}/delete`, { messageId: text })
      const gone = await receiver.until(
        'the deletion',
        ({ value }) => value.messages?.[0].revoke !== undefined,
      )
      assert.equal(gone.value.messages[0].revoke.original_message_id, text)
    })

    test('a message that the owner writes on the phone is an echo; messages of groups come only if they are wanted', async () => {
      const { messageId } = await world(gateway, `POST /phones/${OWNER}/send`, { to: BOB, text: 'By hand' })
      const echo = await receiver.until('the echo', ({ field }) => field === 'smb_message_echoes')
      assert.deepEqual(
        [echo.value.message_echoes[0].id, echo.value.message_echoes[0].to, echo.value.message_echoes[0].text],
        [messageId, BOB, { body: 'By hand' }],
      )
      const { group } = await api(gateway, 'POST /groups', {
        instanceName: id,
        subject: 'Team',
        members: [BOB],
      })
      const { groupJid } = group
      const inGroup = (text: string) => world(gateway, `POST /phones/${BOB}/send`, { to: groupJid, text })
      const first = await until('Bob in the group', async () => {
        const said = await inGroup('unheard').catch(() => undefined)
        return said?.messageId as string | undefined
      })
      await untilMessage(await says({ text: 'after the group' }))
      assert.ok(!receiver.posted.some(({ value }) => value.messages?.[0].id === first))
      const [webhook] = (await api(gateway, 'GET /webhooks')).webhooks
      await api(gateway, 'POST /webhooks', { id: webhook.id, filter: null })
      const heard = await untilMessage((await inGroup('heard')).messageId)
      assert.deepEqual([heard.group_id, heard.from], [groupJid, BOB])
      const answer = await sends({ recipient_type: 'group', to: groupJid, text: { body: 'hello all' } })
      assert.equal((await untilStatus(answer, 'sent')).recipient_id, groupJid)
    })

    test('events that came while the receiver was down are posted later, after a restart, with the same body', async () => {
      status = 503
      const text = await says({ text: 'later' })
      await untilMessage(text)
      const first = receiver.posted.find(({ value }) => value.messages?.[0].id === text) as Posted
      const [webhook] = (await api(gateway, 'GET /webhooks')).webhooks
      const tried = await until('a recorded attempt', async () => {
        const { deliveries } = await api(gateway, `GET /webhooks/${webhook.id}/deliveries`)
        const latest = (deliveries as Json[]).find(({ event }) => event === 'messages.upsert')
        return latest.tries > 0 ? latest : undefined
      })
      await gateway.stop()
      logged = gateway.log()
      status = 200
      await start()
      await untilState(gateway, id, 'open')
      await api(gateway, `POST /webhooks/${webhook.id}/deliveries/${tried.id}/replay`)
      const again = await receiver.until(
        'the replay',
        (one) => one !== first && one.value.messages?.[0].id === text,
      )
      assert.equal(again.body, first.body)
    })

    test('no key, secret or token reaches a webhook body or the log', () => {
      const written = receiver.posted.map(({ body }) => body).join('\n') + logged + gateway.log()
      for (const hidden of [key, secret, VERIFY_TOKEN]) assert.ok(!written.includes(hidden))
    })
  })
