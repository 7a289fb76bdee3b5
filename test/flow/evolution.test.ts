// A client of the Evolution dialect moves in: it creates an instance, connects it, sends, receives, and gets its webhooks as before.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { verifyDelivery } from '../../src/contract/verify-delivery.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { type EvolutionClient, evolutionClient } from '../support/evolution.ts'
import { api, until, world } from '../support/linked.ts'
import { logLines } from '../support/process.ts'
import { readQrCode } from '../support/qr-reader.ts'
import { png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

interface Posted {
  path: string
  headers: Record<string, string>
  body: string
  json: any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
}

for (const engine of behaviourEngines('sqlite'))
  describe(`the Evolution dialect on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511971110' : '5511972220'
    const [OWNER, BOB] = [1, 2].map((last) => `${prefix}00${last}`) as [string, string]
    const NAME = 'Loja São Paulo'
    const PATH = encodeURIComponent(NAME)
    const storeLocation = engine.createLocation()
    const key = newKey()
    let gateway: StartedHere
    let host: WebHost
    let account: EvolutionClient
    let shop: EvolutionClient
    const posted: Posted[] = []
    let status = 200
    let created = { hash: '' }
    let logged = ''

    before(async () => {
      host = await startWebHost(
        (request, response) => {
          let body = ''
          request.setEncoding('utf8').on('data', (text: string) => (body += text))
          request.on('end', () => {
            const headers = request.headers as Record<string, string>
            posted.push({ path: request.url ?? '', headers, body, json: JSON.parse(body) })
            response.writeHead(status).end('ok')
          })
        },
        { tls: 'trusted' },
      )
      await start()
      for (const [number, name] of [
        [BOB, 'Bob'],
        [OWNER, 'Owner'],
      ] as const)
        await world(gateway, 'POST /phones', { number, name })
    })
    after(async () => {
      await gateway.stop()
      await host.close()
      await (await storeLocation).dispose()
    })

    async function start(): Promise<void> {
      const settings = { COMPAT: 'evolution', EXTRA_CA_FILE: AUTHORITY_FILE, ALLOW_TARGETS: '127.0.0.1' }
      const more = { ...settings, ...(await onSharedSandbox()), LOG_LEVEL: 'debug' }
      gateway = await startHere(await storeLocation, key, more)
      account = evolutionClient(gateway.url, key)
    }
    const says = async (body: object): Promise<string> =>
      (await world(gateway, `POST /phones/${BOB}/send`, { to: OWNER, ...body })).messageId

    const untilPosted = (event: string, fits: (one: Posted) => boolean = () => true): Promise<Posted> =>
      until(event, async () => posted.find((one) => one.json.event === event && fits(one)))

    test('create answers with a token, and the token opens only this instance', async () => {
      const reply = await account('POST /instance/create', {
        instanceName: NAME,
        integration: 'WHATSAPP-BAILEYS',
        qrcode: true,
        webhook: {
          url: `${host.url}/hook`,
          byEvents: true,
          headers: { authorization: 'Bearer mine', jwt_key: 'signing key' },
        },
      })
      assert.equal(reply.status, 201, JSON.stringify(reply.json))
      created = reply.json
      const { instance, hash, qrcode, settings } = reply.json
      assert.deepEqual(instance, {
        instanceName: NAME,
        instanceId: instance.instanceId,
        integration: 'WHATSAPP-BAILEYS',
        webhookWaBusiness: null,
        accessTokenWaBusiness: '',
        status: 'connecting',
      })
      assert.equal(typeof qrcode.code, 'string')
      assert.equal(settings.rejectCall, false)
      shop = evolutionClient(gateway.url, hash)
      const own = await shop('GET /instance/fetchInstances')
      assert.deepEqual(
        own.json.map((row: { name: string }) => row.name),
        [NAME],
      )
      await account('POST /instance/create', { instanceName: 'Other' })
      assert.equal((await shop('GET /instance/fetchInstances')).json.length, 1)
      assert.equal((await account('GET /instance/fetchInstances')).json.length, 2)
      assert.equal((await shop('GET /instance/connectionState/Other')).status, 401)
    })

    test('the QR code of connect links the phone, and webhooks report it', async () => {
      const shown = await shop(`GET /instance/connect/${PATH}`)
      assert.equal(shown.status, 200)
      assert.match(shown.json.base64, /^data:image\/png;base64,/)
      const posted = await untilPosted('qrcode.updated', ({ json }) => json.data.qrcode.code !== null)
      assert.equal(posted.path, '/hook/qrcode-updated')
      assert.equal(
        await readQrCode(Buffer.from(posted.json.data.qrcode.base64.split(',')[1], 'base64')),
        posted.json.data.qrcode.code,
      )
      const [instance] = (await api(gateway, 'GET /instance/list')).instances
      await world(gateway, `POST /phones/${OWNER}/scan`, { instanceName: instance.apiInstanceName })
      const opened = await untilPosted('connection.update', ({ json }) => json.data.state === 'open')
      assert.deepEqual(opened.json.data, {
        instance: NAME,
        state: 'open',
        statusReason: 200,
        wuid: `${OWNER}@s.whatsapp.net`,
        profileName: null,
        profilePictureUrl: null,
      })
      const state = await shop(`GET /instance/connectionState/${PATH}`)
      assert.deepEqual(state.json, { instance: { instanceName: NAME, state: 'open' } })
      assert.deepEqual((await shop(`GET /instance/connect/${PATH}`)).json, state.json)
    })

    test('a text is sent, and its webhooks have the form of the dialect', async () => {
      const sent = await shop(`POST /message/sendText/${PATH}`, { number: BOB, text: 'Bom dia' })
      assert.equal(sent.status, 201, JSON.stringify(sent.json))
      const { key, messageTimestamp, instanceId } = sent.json
      assert.deepEqual(sent.json, {
        key: { remoteJid: `${BOB}@s.whatsapp.net`, fromMe: true, id: key.id },
        pushName: null,
        status: 'PENDING',
        message: { conversation: 'Bom dia' },
        contextInfo: null,
        messageType: 'conversation',
        messageTimestamp,
        instanceId,
        source: 'unknown',
      })
      const reported = await untilPosted('send.message', ({ json }) => json.data.key.id === key.id)
      assert.equal(reported.path, '/hook/send-message')
      assert.equal(reported.json.data.message.conversation, 'Bom dia')
      const { event, instance, sender, apikey, destination } = reported.json
      assert.deepEqual(
        [event, instance, sender, apikey],
        ['send.message', NAME, `${OWNER}@s.whatsapp.net`, null],
      )
      assert.equal(destination, `${host.url}/hook/send-message`)
      assert.match(reported.json.date_time, /^\d{4}-\d\d-\d\dT.*Z$/)
      const update = await untilPosted('messages.update', ({ json }) => json.data.status === 'DELIVERY_ACK')
      assert.deepEqual(update.json.data, {
        messageId: key.id,
        keyId: key.id,
        remoteJid: `${BOB}@s.whatsapp.net`,
        fromMe: true,
        participant: `${BOB}@s.whatsapp.net`,
        status: 'DELIVERY_ACK',
        instanceId,
      })
    })

    test('a received text arrives as messages.upsert, with the configured headers, a token and a signature', async () => {
      const id = await says({ text: 'Olá' })
      const received = await untilPosted('messages.upsert', ({ json }) => json.data.key.id === id)
      const { key, pushName, message, messageType, status } = received.json.data
      assert.equal(key.remoteJid, `${BOB}@s.whatsapp.net`)
      assert.match(key.remoteJidAlt, /@lid$/)
      assert.deepEqual(
        [key.fromMe, pushName, messageType, status],
        [false, 'Bob', 'conversation', 'DELIVERY_ACK'],
      )
      assert.deepEqual(message, { conversation: 'Olá' })
      const { headers } = received
      assert.equal(headers['x-event-type'], 'messages.upsert')
      assert.equal(headers['x-instance-name'], PATH)
      assert.equal(headers['jwt_key'], undefined)
      const [head, payload, signature] = (headers.authorization ?? '').replace('Bearer ', '').split('.')
      assert.equal(
        createHmac('sha256', 'signing key').update(`${head}.${payload}`).digest('base64url'),
        signature,
      )
      const [webhook] = (await api(gateway, 'GET /webhooks')).webhooks
      assert.equal(webhook.format, 'evolution')
      const { webhook: rotated } = await api(gateway, `POST /webhooks/${webhook.id}/rotate-secret`, {
        overlapHours: 0,
      })
      const later = await says({ text: 'Tchau' })
      const signed = await untilPosted('messages.upsert', ({ json }) => json.data.key.id === later)
      const delivery = { headers: new Headers(signed.headers), body: signed.body, secret: rotated.secret }
      assert.equal(await verifyDelivery({ ...delivery, now: Date.now() }), true)
    })

    test('no value of a configured header is stored or shown', async () => {
      const [webhook] = (await api(gateway, 'GET /webhooks')).webhooks
      // The latest delivery may still wait for its first try.
      const tried = await until('a tried delivery', async () => {
        const { deliveries } = await api(gateway, `GET /webhooks/${webhook.id}/deliveries`)
        return deliveries.find(({ tries }: { tries: number }) => tries > 0)
      })
      const { delivery } = await api(gateway, `GET /webhooks/${webhook.id}/deliveries/${tried.id}`)
      assert.equal(delivery.attempts[0].headers.Authorization, '***')
      assert.doesNotMatch(JSON.stringify(delivery), /Bearer|signing key/)
      const found = await shop(`GET /webhook/find/${PATH}`)
      assert.deepEqual(found.json.headers, { authorization: '***', jwt_key: '***' })
    })

    test('with base64 the file of a received message is in the body, and events keep their one URL', async () => {
      const webhook = { enabled: true, url: `${host.url}/one`, byEvents: false, base64: true }
      assert.equal((await shop(`POST /webhook/set/${PATH}`, { webhook })).status, 201)
      const file = png(4, 4).toString('base64')
      const media = { type: 'image', base64: file, mimetype: 'image/png', caption: 'Foto' }
      const id = await says({ media })
      const { path, json } = await untilPosted('messages.upsert', (one) => one.json.data.key.id === id)
      assert.equal(path, '/one')
      assert.deepEqual([json.data.message.base64, json.data.message.imageMessage.caption], [file, 'Foto'])
    })

    test('events that came while the receiver was down are posted later, and a replay posts the same body', async () => {
      status = 503
      const id = await says({ text: 'later' })
      const first = await untilPosted('messages.upsert', ({ json }) => json.data.key.id === id)
      status = 200
      const [webhook] = (await api(gateway, 'GET /webhooks')).webhooks
      const tried = await until('a recorded attempt', async () => {
        const { deliveries } = await api(gateway, `GET /webhooks/${webhook.id}/deliveries`)
        const latest = deliveries.find(({ event }: { event: string }) => event === 'messages.upsert')
        return latest.tries > 0 ? latest : undefined
      })
      await api(gateway, `POST /webhooks/${webhook.id}/deliveries/${tried.id}/replay`)
      const again = await until('the replay', async () =>
        posted.find(
          (one) => one !== first && one.json.event === 'messages.upsert' && one.json.data.key.id === id,
        ),
      )
      assert.equal(again.body, first.body)
    })

    test('after a restart, the instance has its name and token, and sends go on', async () => {
      await gateway.stop()
      logged = gateway.log()
      const { hash } = created
      await start()
      shop = evolutionClient(gateway.url, hash)
      await until('the open instance', async () => {
        const { json } = await shop(`GET /instance/connectionState/${PATH}`)
        return json.instance.state === 'open' ? true : undefined
      })
      const sent = await shop(`POST /message/sendText/${PATH}`, {
        number: BOB,
        text: 'again',
        ignoredField: 1,
      })
      await untilPosted('messages.update', ({ json }) => json.data.keyId === sent.json.key.id)
      const ignored = await until('the log line', async () =>
        logLines({ stdout: gateway.log }).find(({ msg }) => msg === 'evolution: ignored fields'),
      )
      assert.deepEqual(ignored.fields, ['ignoredField'])
    })

    test('no key, token or configured header reaches a webhook body or the log', () => {
      const written = posted.map(({ body }) => body).join('\n') + logged + gateway.log()
      for (const secret of [key, created.hash, 'Bearer mine', 'signing key'])
        assert.ok(!written.includes(secret))
    })
  })
