// The Evolution dialect: keys and tokens, instances, webhooks, and the form of every refusal.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { after, describe, test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { Engine } from '../support/engines.ts'
import { assertRefused, type EvolutionClient, evolutionClient, watchCalls } from '../support/evolution.ts'
import { type Account, type Gateway, startGateway } from '../support/gateway.ts'
import { RECEIVER_HOST, startReceiver } from '../support/receiver.ts'
import { scripted, shared } from './fixture.ts'

const TOKEN = 'a-token-of-the-client-1'

for (const engine of behaviourEngines())
  describe(`the Evolution dialect on ${engine.name}`, () => declare(engine))

function declare(engine: Engine): void {
  const gateway = shared(() => startGateway(engine, { COMPAT: 'evolution' }))
  after(async () => (await gateway()).stop())

  interface Mine {
    running: Gateway
    account: Account
    client: EvolutionClient
  }
  const newAccount = async (plan?: Record<string, unknown>): Promise<Mine> => {
    const running = await gateway()
    const account = await running.account(plan)
    return { running, account, client: evolutionClient(running.url, account.key) }
  }
  const create = async (client: EvolutionClient, instanceName: string, more: object = {}) => {
    const reply = await client('POST /instance/create', { instanceName, ...more })
    assert.equal(reply.status, 201, JSON.stringify(reply.json))
    return reply.json
  }

  test('401 without a key, and with a wrong one', async () => {
    const { url } = await gateway()
    for (const key of [undefined, 'wrong'])
      assertRefused(await evolutionClient(url, key)('GET /instance/fetchInstances'), 401, /API key/)
  })

  test('401 with a key of this API in the wrong header', async () => {
    const { running, account } = await newAccount()
    const authorization = `Bearer ${account.key}`
    const client = evolutionClient(running.url, undefined)
    const reply = await client('GET /instance/fetchInstances', undefined, { authorization })
    assertRefused(reply, 401, /API key/)
  })

  test('401 with the token of another instance, of a deleted one, and for a creation', async () => {
    const { running, client } = await newAccount()
    const { hash } = await create(client, 'one')
    await create(client, 'two')
    const one = evolutionClient(running.url, hash)
    assert.equal((await one('GET /instance/connectionState/one')).status, 200)
    assertRefused(await one('GET /instance/connectionState/two'), 401, /API key/)
    assertRefused(await one('GET /instance/connectionState/three'), 401, /API key/)
    assertRefused(await one('POST /instance/create', { instanceName: 'x' }), 401, /token of an instance/)
    assert.equal((await one('DELETE /instance/delete/one')).status, 200)
    running.clock.advance(1000)
    assertRefused(await one('GET /instance/fetchInstances'), 401, /API key/)
  })

  test('401 for a token on the API of this gateway, and the store has only its hash', async () => {
    const { running, client, account } = await newAccount()
    await create(client, 'hashed', { token: `${TOKEN}-hashed` })
    const answer = await account.call('listInstances', { key: `${TOKEN}-hashed` })
    assert.equal(answer.status, 401)
    const rows = await running.store.db.selectFrom('evolution_instances').selectAll().execute()
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(TOKEN))
  })

  test('403 when the name or the token is taken; other accounts can use the name, and a deletion frees both', async () => {
    const [mine, other] = [await newAccount(), await newAccount()]
    const token = `${TOKEN}-taken`
    await create(mine.client, 'taken', { token })
    const again = await mine.client('POST /instance/create', { instanceName: 'taken' })
    assertRefused(again, 403, /already in use/)
    assert.equal((await mine.account.call('listInstances')).json.count, 1)
    await create(other.client, 'taken')
    const sameToken = await other.client('POST /instance/create', { instanceName: 'free', token })
    assertRefused(sameToken, 403, /already in use/)
    assert.equal((await mine.client('DELETE /instance/delete/taken')).status, 200)
    await create(mine.client, 'taken', { token })
  })

  test('403 when the plan, the scope or the subscription does not allow it', async () => {
    const limits = { users: 1, contacts: 1, instances: 0, messages: 1 }
    const limited = await newAccount({ limits })
    assertRefused(await limited.client('POST /instance/create', { instanceName: 'x' }), 403, /limit/)
    const { running, account } = await newAccount()
    const made = await account.call('createApiKey', { body: { name: 'Reader', scopes: ['contacts'] } })
    const reader = evolutionClient(running.url, made.json.key)
    assertRefused(await reader('GET /instance/fetchInstances'), 403, /scope/)
    const ended = await running.account({}, { status: 'canceled', expiresAt: '2020-01-01T00:00:00.000Z' })
    const reply = await evolutionClient(running.url, ended.key)('POST /instance/create', {
      instanceName: 'x',
    })
    assertRefused(reply, 403, /subscription/)
  })

  test('404 for an unknown instance, an instance of another account, and an unknown path', async () => {
    const [mine, other] = [await newAccount(), await newAccount()]
    await create(other.client, 'theirs')
    for (const name of ['nobody', 'theirs'])
      assertRefused(await mine.client(`GET /instance/connectionState/${name}`), 404, /does not exist/)
    assertRefused(await mine.client('GET /instance/fetchInstances?instanceName=theirs'), 404, /not found/)
    assertRefused(await mine.client('GET /no/such/path'), 404, /Cannot GET/)
  })

  test('404 in the form of this API while COMPAT is not set', async () => {
    const plain = await startGateway(engine)
    const response = await fetch(`${plain.url}/compat/evolution/instance/fetchInstances`)
    assert.deepEqual(
      [response.status, ((await response.json()) as { reason: string }).reason],
      [404, 'not_found'],
    )
    await plain.stop()
  })

  test('400 for a body that is not valid JSON, and for a missing name', async () => {
    const { running, account, client } = await newAccount()
    const response = await fetch(`${running.url}/compat/evolution/instance/create`, {
      method: 'POST',
      headers: { apikey: account.key, 'content-type': 'application/json' },
      body: '{"a":',
    })
    const json: unknown = await response.json()
    assertRefused({ status: response.status, json, headers: response.headers }, 400, /JSON/)
    assertRefused(await client('POST /instance/create', {}), 400, /^instanceName: required$/)
    assertRefused(
      await client('POST /instance/create', { instanceName: 'x', token: 'short' }),
      400,
      /^token: /,
    )
    const business = { instanceName: 'x', integration: 'WHATSAPP-BUSINESS' }
    assertRefused(await client('POST /instance/create', business), 400, /^integration: /)
  })

  test('400 for a send of an instance that is not connected', async () => {
    const { client } = await newAccount()
    await create(client, 'offline')
    const reply = await client('POST /message/sendText/offline', { number: '5511912345678', text: 'x' })
    assertRefused(reply, 400, /not logged in/)
  })

  test('413 and 415: the limits of bodies are those of this API, and only calls with a file take a form', async () => {
    const { client } = await newAccount()
    await create(client, 'limits')
    const large = { number: '5511912345678', text: 'x'.repeat(300 * 1024) }
    assertRefused(await client('POST /message/sendText/limits', large), 413, /256 KiB/)
    const form = new FormData()
    form.set('text', 'x')
    assertRefused(await client('POST /message/sendText/limits', form), 415, /JSON/)
    const tooLarge = { number: '5511912345678', mediatype: 'image', media: 'A'.repeat(24 * 1024 * 1024) }
    assertRefused(await client('POST /message/sendMedia/limits', tooLarge), 413, /23 MB/)
  })

  test('400 for a form that cannot be read', async () => {
    const { client } = await newAccount()
    await create(client, 'forms')
    const form = new FormData()
    for (let field = 0; field < 70; field += 1) form.set(`field${field}`, 'x')
    assertRefused(await client('POST /message/sendMedia/forms', form), 400, /too many parts/)
    const long = new FormData()
    long.set('caption', 'x'.repeat(70 * 1024))
    assertRefused(await client('POST /message/sendMedia/forms', long), 400, /64 KiB/)
  })

  test('429 with Retry-After: calls count against the rate limit of the key', async () => {
    const { client } = await newAccount({ requestsPerSecond: 1 })
    const replies = []
    for (let count = 0; count < 3; count += 1) replies.push(await client('GET /instance/fetchInstances'))
    const last = replies.at(-1)
    assert.ok(last)
    assertRefused(last, 429, /Too many requests/)
    assert.ok(Number(last.headers.get('retry-after')) >= 1)
  })

  test('501 for families that this gateway does not offer, and 401 for them without a key', async () => {
    const { running, client } = await newAccount()
    for (const path of ['typebot/create/x', 'evolutionBot/find/x', 'n8n/create/x'])
      assertRefused(await client(`POST /${path}`, { enabled: true }), 501, /^Chatbots are not part/)
    assertRefused(await client('POST /rabbitmq/set/x', {}), 501, /webhook.*destinations/)
    assertRefused(await client('POST /chatwoot/set/x', {}), 501, /api\/v1\/chatwoot/)
    assertRefused(await client('POST /websocket/set/x', {}), 501, /events\/stream/)
    assertRefused(await evolutionClient(running.url, undefined)('POST /openai/create/x'), 401, /API key/)
  })

  test('every call about instances is answered with its status, in the form of the dialect', async () => {
    const { running, client: plain } = await newAccount()
    const { client, missing } = watchCalls(plain)
    const created = await create(client, 'line', {
      token: `${TOKEN}-line`,
      rejectCall: true,
      msgCall: 'No calls',
      chatwootUrl: 'ignored',
    })
    assert.deepEqual([created.hash, created.settings.rejectCall], [`${TOKEN}-line`, true])
    const [row] = (await client('GET /instance/fetchInstances?instanceName=line')).json
    assert.deepEqual(
      [row.name, row.connectionStatus, row.token, row.Setting.msgCall, row._count],
      ['line', 'connecting', null, 'No calls', { Message: 0, Contact: 0, Chat: 0 }],
    )
    const shown = await client('GET /instance/connect/line')
    assert.deepEqual(Object.keys(shown.json).toSorted(), ['base64', 'code', 'count', 'pairingCode'])
    const paired = await client('GET /instance/connect/line?number=5511912345678')
    assert.match(paired.json.pairingCode, /^\w{8}$/)
    assert.deepEqual((await client('GET /instance/connectionState/line')).json, {
      instance: { instanceName: 'line', state: 'connecting' },
    })
    await running.sessions.open(Number(created.instance.instanceId), '5511900000001')
    assert.equal((await client('GET /instance/connect/line')).json.instance.state, 'open')
    const [open] = (await client('GET /instance/fetchInstances?number=5511900000001')).json
    assert.equal(open.ownerJid, '5511900000001@s.whatsapp.net')
    const restarted = await client('POST /instance/restart/line')
    assert.equal(restarted.json.instance.instanceName, 'line')
    assert.equal((await client('POST /instance/setPresence/line', { presence: 'available' })).status, 201)
    assert.equal((await client('GET /settings/find/line')).json.alwaysOnline, true)
    const done = { status: 'SUCCESS', error: false }
    const loggedOut = await client('DELETE /instance/logout/line')
    assert.deepEqual(loggedOut.json, { ...done, response: { message: 'Instance logged out' } })
    const deleted = await client('DELETE /instance/delete/line')
    assert.deepEqual(deleted.json, { ...done, response: { message: 'Instance deleted' } })
    assertRefused(await client('GET /instance/connectionState/line'), 404, /does not exist/)
    assert.deepEqual(missing('instance'), [])
  })

  test('201 create answers with the token although no code is available', async () => {
    const { running, client } = await newAccount()
    const pair = () => {
      throw new NetworkError('unavailable', 'no way')
    }
    const { hash, qrcode } = await scripted(running, { pair }, () => create(client, 'late', { qrcode: true }))
    assert.equal(typeof hash, 'string')
    assert.deepEqual(qrcode, { pairingCode: null, code: null, base64: null, count: 0 })
  })

  test('400 create with an option that is refused leaves no instance behind', async () => {
    const { account, client } = await newAccount()
    const webhook = { url: 'http://example.com/hook' }
    const reply = await client('POST /instance/create', { instanceName: 'half', webhook })
    assertRefused(reply, 400, /https/)
    assert.equal((await account.call('listInstances')).json.count, 0)
    await create(client, 'half')
  })

  test('large bodies that are announced and do not arrive keep nothing from other requests', async () => {
    const { running, account, client } = await newAccount()
    await create(client, 'idle')
    const idle = Array.from({ length: 10 }, () => beginSend(running.url, account.key, 'idle', '{'))
    await Promise.all(idle.map((begun) => once(begun, 'socket')))
    const body = { number: '5511912345678', mediatype: 'image', media: 'A'.repeat(400_000) }
    assertRefused(
      await client('POST /message/sendMedia/idle', body),
      400,
      /not logged in|Content-Type|mimetype/,
    )
    for (const begun of idle) begun.destroy()
  })

  test('429 when the bodies of an account that have arrived need too much memory, which is free afterwards', async () => {
    const { running, account, client } = await newAccount()
    await create(client, 'large')
    const media = 'A'.repeat(20 * 1024 * 1024)
    const held = Array.from({ length: 3 }, () =>
      beginSend(running.url, account.key, 'large', `{"media":"${media}`),
    )
    // Two of three fit into the share of an account.
    const [refused] = await Promise.race(held.map((begun) => once(begun, 'response')))
    assert.equal((refused as IncomingMessage).statusCode, 429)
    const body = { number: '5511912345678', mediatype: 'image', media }
    const send = () => client('POST /message/sendMedia/large', body)
    const other = await newAccount()
    await create(other.client, 'large')
    assertRefused(
      await other.client('POST /message/sendMedia/large', body),
      400,
      /not logged in|Content-Type|mimetype/,
    )
    for (const begun of held) begun.destroy()
    let reply = await send()
    for (let tries = 0; tries < 200 && reply.status === 429; tries += 1) reply = await send()
    assertRefused(reply, 400, /not logged in|Content-Type|mimetype/)
  })

  test('200 an instance of this API is reached by its API name', async () => {
    const { running, account, client } = await newAccount()
    const { name } = await running.openInstance(account)
    const reply = await client(`GET /instance/connectionState/${name}`)
    assert.deepEqual(reply.json, { instance: { instanceName: name, state: 'open' } })
  })

  test('201 webhook/set stores one webhook per instance, and webhook/find shows it without values of headers', async () => {
    const { account, client: plain } = await newAccount()
    const { client, missing } = watchCalls(plain)
    await create(client, 'hooked')
    assert.equal((await client('GET /webhook/find/hooked')).json, null)
    const url = `https://${RECEIVER_HOST}/hook`
    const headers = { authorization: 'Bearer secret' }
    const events = ['MESSAGES_UPSERT', 'SEND_MESSAGE', 'LABELS_EDIT']
    const set = (webhook: object) => client('POST /webhook/set/hooked', { webhook })
    const saved = await set({ enabled: true, url, headers, byEvents: true, base64: true, events })
    assert.equal(saved.status, 201, JSON.stringify(saved.json))
    const { id, createdAt, updatedAt, instanceId } = saved.json
    assert.deepEqual(saved.json, {
      id,
      url,
      enabled: true,
      headers: { authorization: '***' },
      events,
      webhookByEvents: true,
      webhookBase64: true,
      instanceId,
      createdAt,
      updatedAt,
    })
    assert.deepEqual((await client('GET /webhook/find/hooked')).json, saved.json)
    const [own] = (await account.call('listWebhooks')).json.webhooks
    assert.deepEqual(
      [own.format, own.events, String(own.id)],
      ['evolution', ['messages.upsert', 'labels.update'], id],
    )
    const changed = await set({ enabled: false, headers: { authorization: '***' } })
    assert.deepEqual([changed.json.id, changed.json.enabled, changed.json.url], [id, false, url])
    assert.equal((await account.call('listWebhooks')).json.count, 1)
    assert.deepEqual(missing('webhook'), [])
  })

  test('a test of its webhook posts an event that it subscribes to, in the form of the dialect', async () => {
    const { account, client } = await newAccount()
    await create(client, 'tested')
    const receiver = await startReceiver()
    const posted = async (events: string[]) => {
      const webhook = {
        enabled: true,
        url: receiver.url,
        byEvents: true,
        events,
        headers: { 'x-own': 'value' },
      }
      const { json } = await client('POST /webhook/set/tested', { webhook })
      const { delivered, request, attempt } = (await account.call('testWebhook', { params: { id: json.id } }))
        .json
      assert.ok(!JSON.stringify(request.headers).includes('value'))
      return delivered ? receiver.received.at(-1) : attempt.error
    }
    const update = await posted(['MESSAGES_UPDATE', 'CONNECTION_UPDATE'])
    assert.deepEqual(
      [update.path, update.json.event, update.json.instance, update.headers['x-own']],
      ['/hook/messages-update', 'messages.update', 'tested', 'value'],
    )
    const upsert = await posted(['MESSAGES_UPSERT'])
    assert.deepEqual([upsert.json.event, upsert.json.data.key.fromMe], ['messages.upsert', true])
    assert.equal((await posted(['CONNECTION_UPDATE'])).json.event, 'connection.update')
    assert.match(await posted(['CALL']), /subscribes to no event/)
    await receiver.close()
  })

  test('400 webhook/set refuses unknown events, headers of the gateway, and URLs that are not https', async () => {
    const { client } = await newAccount()
    await create(client, 'strict')
    const url = `https://${RECEIVER_HOST}/hook`
    const refused: [webhook: object, message: RegExp][] = [
      [{ url }, /^webhook\.enabled: /],
      [{ enabled: true, url, events: ['NO_EVENT'] }, /^webhook\.events: expected some of/],
      [{ enabled: true, url, headers: { Host: 'x' } }, /^webhook\.headers\.Host: the gateway sets/],
      [{ enabled: true, url, headers: { 'a b': 'x' } }, /^webhook\.headers: expected names/],
      [{ enabled: true, url, headers: { a: 'x\n' } }, /^webhook\.headers\.a: expected/],
      [{ enabled: true, url: 'http://example.com/' }, /https/],
      [{ enabled: true, url: '' }, /not allowed/],
    ]
    for (const [webhook, message] of refused)
      assertRefused(await client('POST /webhook/set/strict', { webhook }), 400, message)
    assert.equal((await client('POST /webhook/set/strict', { webhook: { enabled: false } })).json, null)
  })
}

/** Begins a send whose body has 22 MB according to its header, and never ends. */
function beginSend(gatewayUrl: string, key: string, name: string, start: string): ClientRequest {
  const { port, hostname } = new URL(gatewayUrl)
  const begun = request({
    port,
    host: hostname,
    method: 'POST',
    path: `/compat/evolution/message/sendMedia/${name}`,
    headers: { apikey: key, 'content-type': 'application/json', 'content-length': 22 * 1024 * 1024 },
  })
  begun.on('error', () => undefined)
  begun.write(start)
  return begun
}
