// The Cloud API dialect: keys, objects of the path, set-up calls, and the form of every refusal.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import {
  assertRefused,
  type CloudClient,
  cloudBase,
  cloudClient,
  startCloudReceiver,
  watchCalls,
} from '../support/cloud.ts'
import type { Engine } from '../support/engines.ts'
import { type Account, type Gateway, startGateway } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { scripted, shared } from './fixture.ts'
import { receive } from './received-message.ts'

for (const engine of behaviourEngines('postgres'))
  describe(`the Cloud API dialect on ${engine.name}`, () => declare(engine))

const TO = '5511912345678'
const TEXT = { messaging_product: 'whatsapp', to: TO, type: 'text', text: { body: 'x' } }

function declare(engine: Engine): void {
  const gateway = shared(() => startGateway(engine, { COMPAT: 'cloud' }))
  after(async () => (await gateway()).stop())

  interface Mine {
    running: Gateway
    account: Account
    client: CloudClient
    /** The API name of an open instance. */
    id: string
    instanceId: number
  }
  const newAccount = async (plan?: Record<string, unknown>): Promise<Mine> => {
    const running = await gateway()
    const account = await running.account(plan)
    const { name, id } = await running.openInstance(account)
    return { running, account, client: cloudClient(running.url, account.key), id: name, instanceId: id }
  }

  test('401 with code 190 without a key, with a wrong one, and with a key in the query of a send', async () => {
    const { running, account, id } = await newAccount()
    for (const key of [undefined, 'wrong'])
      assertRefused(await cloudClient(running.url, key)(`POST /${id}/messages`, TEXT), 401, 190, /API key/)
    const anonymous = cloudClient(running.url, undefined)
    const inQuery = await anonymous(`POST /${id}/messages?access_token=${account.key}`, TEXT)
    assertRefused(inQuery, 401, 190, /API key/)
    assert.equal(inQuery.headers.get('www-authenticate'), 'Bearer')
    assertRefused(await anonymous(`GET /${id}?access_token=${account.key}`), 401, 190, /API key/)
    assertRefused(await anonymous(`POST /${id}/calls`, {}), 401, 190, /API key/)
  })

  test('200 with the key in the query of the calls by which help desks are set up', async () => {
    const { running, account, id } = await newAccount()
    const anonymous = cloudClient(running.url, undefined)
    for (const name of ['message_templates', 'phone_numbers']) {
      const token = `access_token=${account.key}`
      assert.equal((await anonymous(`GET /${id}/${name}?${token}`)).status, 200)
      assertRefused(await anonymous(`GET /${id}/${name}?access_token=wrong`), 401, 190, /API key/)
      const both = await anonymous(`GET /${id}/${name}?${token}`, undefined, {
        authorization: 'Bearer wrong',
      })
      assertRefused(both, 401, 190, /API key/)
    }
  })

  test('403 when the scope, the subscription or the plan does not allow it', async () => {
    const { running, account, id } = await newAccount()
    const made = await account.call('createApiKey', { body: { name: 'Sender', scopes: ['send'] } })
    const sender = cloudClient(running.url, made.json.key)
    assert.equal((await sender(`POST /${id}/messages`, TEXT)).status, 200)
    assertRefused(await sender(`GET /${id}`), 403, 10, /scope/)
    assertRefused(await sender(`GET /${id}/subscribed_apps`), 403, 10, /scope/)
    const ended = await running.account({}, { status: 'canceled', expiresAt: '2020-01-01T00:00:00.000Z' })
    const refused = await cloudClient(running.url, ended.key)('POST /x/messages', TEXT)
    assertRefused(refused, 403, 131042, /subscription/)
    const limits = { users: 1, contacts: 1, instances: 1, messages: 0 }
    const limited = await newAccount({ limits })
    assertRefused(await limited.client(`POST /${limited.id}/messages`, TEXT), 403, 131042, /limit/)
  })

  test('400 with code 100 and subcode 33 for an object that does not exist or belongs to another account', async () => {
    const [mine, other] = [await newAccount(), await newAccount()]
    for (const id of ['nobody-00000000', other.id])
      for (const reply of [
        await mine.client(`POST /${id}/messages`, TEXT),
        await mine.client(`GET /${id}`),
        await mine.client(`GET /${id}/message_templates`),
        await mine.client(`GET /${id}/subscribed_apps`),
      ]) {
        assertRefused(reply, 400, 100, /no such instance/)
        assert.equal(reply.json.error.error_subcode, 33)
      }
  })

  test('404 with code 2500 for an unknown path, and in the form of this API while COMPAT is not set', async () => {
    const { client } = await newAccount()
    for (const call of ['GET /a/b/c/d', 'GET /a/nothing', 'POST /a/b/c'])
      assertRefused(await client(call), 404, 2500, /nothing at this path/)
    const plain = await startGateway(engine, { COMPAT: 'evolution' })
    const response = await fetch(`${cloudBase(plain.url)}/v23.0/x`)
    const { reason } = (await response.json()) as { reason: string }
    assert.deepEqual([response.status, reason], [404, 'not_found'])
    await plain.stop()
  })

  test('400 for a body that is not valid JSON, 413 for one that is too large, and forms only for files', async () => {
    const { running, account, client, id } = await newAccount()
    const response = await fetch(`${cloudBase(running.url)}/v23.0/${id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: '{"a":',
    })
    const json: unknown = await response.json()
    const { status, headers } = response
    assertRefused({ status, json, headers, bytes: Buffer.alloc(0) }, 400, 100, /JSON/)
    const large = { ...TEXT, text: { body: 'x'.repeat(300 * 1024) } }
    assertRefused(await client(`POST /${id}/messages`, large), 413, 100, /256 KiB/)
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    assertRefused(await client(`POST /${id}/messages`, form), 400, 100, /JSON/)
    assertRefused(await client(`POST /${id}/media`, form), 400, 131008, /^file: required/)
    assertRefused(await client(`POST /${id}/media`, {}), 400, 131009, /multipart/)
  })

  test('429 with Retry-After: calls count against the rate limit of the key', async () => {
    const { client, id } = await newAccount({ requestsPerSecond: 1 })
    const replies = []
    for (let count = 0; count < 4; count += 1) replies.push(await client(`GET /${id}`))
    const last = replies.at(-1)
    assert.ok(last)
    assertRefused(last, 429, 80007, /Too many requests/)
    assert.ok(Number(last.headers.get('retry-after')) >= 1)
  })

  test('400 with code 133010 for an instance that is not connected', async () => {
    const { account, client } = await newAccount()
    const created = await account.call('createInstance', { body: { instanceName: 'Offline' } })
    const id: string = created.json.instance.apiInstanceName
    assertRefused(await client(`POST /${id}/messages`, TEXT), 400, 133010, /not logged in/)
    assertRefused(
      await client(`POST /${id}/register`, { messaging_product: 'whatsapp', pin: '1' }),
      400,
      133010,
      /not linked/,
    )
  })

  test('502 and 504 when the network refuses or does not answer, without a cause', async () => {
    const { running, client, id } = await newAccount()
    const failing = (kind: 'refused' | 'timeout') => ({
      ownProfile: () => {
        throw new NetworkError(kind, 'a cause that is only logged')
      },
    })
    for (const [kind, status, code] of [
      ['refused', 502, 131000],
      ['timeout', 504, 131016],
    ] as const) {
      const reply = await scripted(running, failing(kind) as never, () =>
        client(`GET /${id}/whatsapp_business_profile`),
      )
      assertRefused(reply, status, code, /network/)
      assert.doesNotMatch(JSON.stringify(reply.json), /only logged/)
    }
  })

  test('501 for what this gateway does not offer', async () => {
    const { client, id } = await newAccount()
    for (const call of [`POST /${id}/calls`, `GET /${id}/flows`, `POST /${id}/deregister`])
      assertRefused(await client(call, call.startsWith('POST') ? {} : undefined), 501, 3, /\S\.$/)
  })

  test('every call is answered with 200 in the form of the original', async () => {
    const { running, account, client: plain, id, instanceId } = await newAccount()
    const { client, missing } = watchCalls(plain)
    const number = (await client(`GET /${id}`)).json
    assert.deepEqual(number, {
      id,
      name: 'Support',
      display_phone_number: number.display_phone_number,
      verified_name: number.verified_name,
      quality_rating: 'UNKNOWN',
      code_verification_status: 'VERIFIED',
      status: 'CONNECTED',
    })
    assert.match(number.display_phone_number, /^\+\d+$/)
    const listed = await client(`GET /${id}/phone_numbers?fields=display_phone_number`)
    const { display_phone_number } = number
    assert.deepEqual(listed.json.data, [{ id, display_phone_number }])
    assert.deepEqual((await client(`POST /${id}/register`, { pin: '123456' })).json, { success: true })
    const token = (await client(`GET /debug_token?input_token=${account.key}`)).json.data
    assert.deepEqual([token.is_valid, token.expires_at], [true, 0])
    assertRefused(await client('GET /debug_token?input_token=other'), 400, 131009, /^input_token/)

    const sent = (await client(`POST /${id}/messages`, { ...TEXT, to: `+${TO}` })).json
    assert.deepEqual(sent.contacts, [{ input: `+${TO}`, wa_id: TO }])
    await receive({ ...running, instance: { name: id, id: instanceId } }, {}, 'IN1')
    const read = { messaging_product: 'whatsapp', status: 'read', message_id: 'IN1' }
    assert.deepEqual((await client(`POST /${id}/messages`, read)).json, { success: true })
    const own = { ...read, message_id: sent.messages[0].id }
    assertRefused(await client(`POST /${id}/messages`, own), 400, 131009, /was received/)
    assertRefused(
      await client(`POST /${id}/messages`, { ...read, message_id: '' }),
      400,
      131008,
      /^message_id/,
    )

    const file = `file-${Buffer.from(`${id}/IN1`).toString('base64url')}`
    const info = (await client(`GET /${file}`)).json
    assert.deepEqual(Object.keys(info), [
      'url',
      'mime_type',
      'sha256',
      'file_size',
      'id',
      'messaging_product',
    ])
    assert.equal(info.url, `${cloudBase(running.url)}/v23.0/${file}/download`)
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(png(4, 4))], { type: 'image/png' }), 'a.png')
    const uploaded = (await client(`POST /${id}/media`, form)).json
    assertRefused(await client(`GET /${uploaded.id}`), 400, 100, /can be sent, but not read/)
    assertRefused(await client('GET /file-AAAA/download'), 400, 100, /no such file/)
    const picture = (link: object) => client(`POST /${id}/messages`, { ...TEXT, type: 'image', image: link })
    assert.equal((await picture({ id: uploaded.id })).status, 200)
    const stranger = await newAccount()
    assertRefused(await stranger.client(`DELETE /${uploaded.id}`), 400, 100, /no such file/)
    assert.deepEqual((await client(`DELETE /${uploaded.id}`)).json, { success: true })
    assertRefused(await client(`DELETE /${uploaded.id}`), 400, 100, /no such file/)
    assertRefused(await client(`DELETE /${file}`), 400, 100, /Only uploaded files/)
    assertRefused(await client(`DELETE /${id}`), 400, 100, /no such file/)
    assertRefused(await picture({ id: uploaded.id }), 400, 100, /unknown or expired/)

    const profile = await client(`GET /${id}/whatsapp_business_profile?fields=about`)
    assert.deepEqual(Object.keys(profile.json.data[0]), ['messaging_product', 'about'])
    const change = { messaging_product: 'whatsapp', about: 'Open' }
    assert.deepEqual((await client(`POST /${id}/whatsapp_business_profile`, change)).json, { success: true })
    const whole = {
      ...change,
      about: 'Closed',
      email: 'a@b.c',
      websites: ['https://example.com'],
      vertical: 'RETAIL',
    }
    assert.deepEqual((await client(`POST /${id}/whatsapp_business_profile`, whole)).json, { success: true })
    const { about: _about, ...fixed } = whole
    const refused = await client(`POST /${id}/whatsapp_business_profile`, fixed)
    assertRefused(refused, 400, 131009, /^email: can only be changed/)

    await checkTemplates(client, id)
    await checkSubscriptions(account, client, id)
    // The flow tests download files.
    assert.deepEqual(missing(), ['GET download'])
  })

  async function checkTemplates(client: CloudClient, id: string): Promise<void> {
    const path = `/${id}/message_templates`
    const [first, ...others] = (await client(`GET ${path}`)).json.data
    assert.deepEqual([first.name, first.language, first.status], ['hello_world', 'en_US', 'APPROVED'])
    assert.deepEqual(others, [])
    const again = await client(`POST ${path}`, { ...first, components: [{ type: 'BODY', text: 'Ours' }] })
    assertRefused(again, 400, 100, /exists in en_US/)
    assert.equal((await client(`DELETE ${path}?name=hello_world`)).status, 200)
    assert.deepEqual((await client(`GET ${path}`)).json.data, [])
    const template = {
      name: 'hello',
      language: 'en',
      category: 'utility',
      components: [{ type: 'body', text: 'Hi {{1}}' }],
    }
    const created = await client(`POST ${path}`, template)
    assert.deepEqual(Object.keys(created.json), ['id', 'status', 'category'])
    const twice = await client(`POST ${path}`, template)
    assertRefused(twice, 400, 100, /exists in en/)
    assert.equal(twice.json.error.error_subcode, 2_388_024)
    await client(`POST ${path}`, { ...template, language: 'de' })
    const listed = await client(`GET ${path}?name=hello&fields=name,language,status`)
    assert.deepEqual(
      listed.json.data.map(({ language, status }: { language: string; status: string }) => [
        language,
        status,
      ]),
      [
        ['en', 'APPROVED'],
        ['de', 'APPROVED'],
      ],
    )
    for (const [wrong, code] of [
      [{ name: 'Not Lower' }, 131009],
      [{ language: undefined }, 131008],
      [{ components: [{ type: 'FOOTER', text: 'x' }] }, 131008],
      [{ components: [] }, 131009],
      [{ category: 'SPAM' }, 131009],
    ] as const)
      assertRefused(await client(`POST ${path}`, { ...template, ...wrong }), 400, code, /\S/)
    const one = `DELETE ${path}?name=hello&hsm_id=${created.json.id}`
    assert.deepEqual((await client(one)).json, { success: true })
    assertRefused(await client(one), 400, 100, /no template hello/)
    assert.equal((await client(`DELETE ${path}?name=hello`)).status, 200)
    assert.deepEqual((await client(`GET ${path}`)).json.data, [])
  }

  async function checkSubscriptions(account: Account, client: CloudClient, id: string): Promise<void> {
    const path = `/${id}/subscribed_apps`
    assertRefused(await client(`POST ${path}`, {}), 400, 131008, /^override_callback_uri: required/)
    const receiver = await startCloudReceiver('a-token')
    const callback = { override_callback_uri: receiver.namedUrl, verify_token: 'a-token' }
    assertRefused(
      await client(`POST ${path}`, { ...callback, verify_token: 'wrong' }),
      400,
      100,
      /answered 403/,
    )
    assertRefused(
      await client(`POST ${path}`, { ...callback, verify_token: '' }),
      400,
      131008,
      /^verify_token/,
    )
    const plain = { ...callback, override_callback_uri: 'http://example.com/' }
    assertRefused(await client(`POST ${path}`, plain), 400, 131009, /^override_callback_uri: .*https/)
    assert.deepEqual((await client(`POST ${path}`, callback)).json, { success: true })
    const moved = { webhook_configuration: { ...callback, override_callback_uri: `${receiver.namedUrl}/2` } }
    assert.deepEqual((await client(`POST /${id}`, moved)).json, { success: true })
    const { webhooks } = (await account.call('listWebhooks')).json
    assert.deepEqual(
      webhooks.map(({ format, url }: { format: string; url: string }) => [format, url]),
      [['cloud', `${receiver.namedUrl}/2`]],
    )
    assert.deepEqual((await client(`GET ${path}`)).json.data, [
      {
        whatsapp_business_api_data: { id: String(webhooks[0].id), name: 'Cloud API' },
        override_callback_uri: `${receiver.namedUrl}/2`,
      },
    ])
    assert.deepEqual((await client(`POST ${path}`, {})).json, { success: true })
    assert.deepEqual((await client(`DELETE ${path}`)).json, { success: true })
    assert.equal((await account.call('listWebhooks')).json.count, 0)
    await receiver.close()
  }
}
