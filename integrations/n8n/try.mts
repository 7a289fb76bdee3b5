// Runs the package in a real n8n: `node integrations/n8n/try.mts`. Not a part of `npm test`, because n8n has some two thousand packages.
// `N8N_DIR` and `N8N_TOOLS` name folders in which n8n and its tools stay installed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { api, linkedInstance, newNumber, until, world } from '../../test/support/linked.ts'
import { onSharedSandbox } from '../../test/support/shared-sandbox.ts'
import { newKey } from '../../test/support/started.ts'
import { type StartedHere, startHere } from '../../test/support/started-here.ts'
import { build } from './build.mts'
import { type RunningN8n, startN8n } from './n8n-process.mts'
import { ROWS } from './nodes/Switchboard/generated/rows.ts'

const [engine = assert.fail('no engine')] = engines
const [owner, friend] = [newNumber(), newNumber()]

/** "Custom API Call", in every resource of a node whose credentials can sign other requests as well. */
const ADDED_BY_N8N = '__CUSTOM_API_CALL__'

describe('the package in n8n', () => {
  let location: StoreLocation
  let gateway: StartedHere
  let n8n: RunningN8n
  let instance = ''
  let credential = { id: '', name: 'Gateway' }
  before(async () => {
    await build()
    location = await engine.createLocation()
    const settings = { ALLOW_TARGETS: '127.0.0.1', ...(await onSharedSandbox()) }
    gateway = await startHere(location, newKey(), settings)
    instance = await linkedInstance(gateway, owner)
    await world(gateway, 'POST /phones', { number: friend, name: 'Ana' })
    n8n = await startN8n()
  })
  after(async () => {
    await n8n?.stop()
    await gateway?.stop()
    await location?.dispose()
  })

  /** Texts that the phone of the friend shows as received. */
  async function received(): Promise<string[]> {
    const { messages } = await world(gateway, `GET /phones/${friend}/messages?chat=${owner}&limit=100`)
    return (messages as { from: string; text: string }[])
      .filter(({ from }) => from.startsWith(owner))
      .map(({ text }) => text)
  }
  const untilReceived = (text: string) =>
    until(text, async () => ((await received()).includes(text) ? true : undefined))

  const data = () => ({ baseUrl: gateway.url, apiKey: gateway.key })
  const using = () => ({ switchboardApi: credential })
  const trigger = () => ({
    id: 'b6d7a4de-0000-4000-8000-000000000001',
    name: 'Received',
    type: 'CUSTOM.switchboardTrigger',
    typeVersion: 1,
    position: [0, 0],
    webhookId: 'b6d7a4de-0000-4000-8000-00000000000a',
    parameters: { events: ['messages.upsert'], directions: ['incoming'] },
    credentials: using(),
  })
  const answer = (message: string) => ({
    id: 'b6d7a4de-0000-4000-8000-000000000002',
    name: 'Answer',
    type: 'CUSTOM.switchboard',
    typeVersion: 1,
    position: [300, 0],
    parameters: {
      resource: 'sending',
      operation: 'sendText',
      instanceName: '={{ $json.instance.apiInstanceName }}',
      recipient: '={{ $json.data.chat }}',
      message,
      additionalFields: { delay: 0 },
    },
    credentials: using(),
  })

  test('both nodes are loaded, with every operation, and the actions can be used as tools', async () => {
    const types = await n8n.nodeTypes()
    const action = types.find(({ name }) => name === 'CUSTOM.switchboard') ?? assert.fail('not loaded')
    assert.ok(types.some(({ name }) => name === 'CUSTOM.switchboardTrigger'))
    assert.ok(types.some(({ name }) => name === 'CUSTOM.switchboardTool'))
    const operations = action.properties
      .filter(({ name }) => name === 'operation')
      .flatMap(({ options }) => options as { value: string }[])
      .map(({ value }) => value)
      .filter((value) => value !== ADDED_BY_N8N)
    assert.deepEqual(operations.toSorted(), ROWS.map(({ id }) => id).toSorted())
  })

  test('the credentials are tested against the gateway', async () => {
    const created = await n8n.call('POST /rest/credentials', {
      name: 'Gateway',
      type: 'switchboardApi',
      data: data(),
    })
    credential = { id: created.id, name: created.name }
    const check = (tested: object) =>
      n8n.call('POST /rest/credentials/test', {
        credentials: { ...credential, type: 'switchboardApi', data: tested },
      })
    assert.equal((await check(data())).status, 'OK')
    assert.equal((await check({ ...data(), apiKey: 'another key' })).status, 'Error')
  })

  test('a received message starts a workflow that answers it; forged deliveries are refused; nothing is left behind', async () => {
    const workflow = await n8n.call('POST /rest/workflows', {
      name: 'Echo',
      nodes: [trigger(), answer('=n8n: {{ $json.data.text }}')],
      connections: { Received: { main: [[{ node: 'Answer', type: 'main', index: 0 }]] } },
      settings: {},
      active: false,
    })
    const turn = async (active: boolean) => {
      const { versionId } = await n8n.call(`GET /rest/workflows/${workflow.id}`)
      await n8n.call(`PATCH /rest/workflows/${workflow.id}`, { active, versionId })
    }
    await turn(true)
    const [hook] = (await api(gateway, 'GET /webhooks')).webhooks as {
      id: number
      url: string
      name: string
    }[]
    assert.ok(hook, 'the trigger has registered a webhook')
    assert.ok(hook.url.startsWith(n8n.url), JSON.stringify(hook))
    assert.equal(hook.name, 'n8n: Echo')

    await world(gateway, `POST /phones/${friend}/send`, { to: owner, text: 'Hello' })
    await untilReceived('n8n: Hello')

    const { deliveries } = await api(gateway, `GET /webhooks/${hook.id}/deliveries`)
    const { delivery } = await api(gateway, `GET /webhooks/${hook.id}/deliveries/${deliveries[0].id}`)
    const { headers } = delivery.attempts.at(-1)
    const post = async (body: string, more: Record<string, string> = {}) =>
      (await fetch(hook.url, { method: 'POST', headers: { ...headers, ...more }, body })).status
    const forged = delivery.body.replace('Hello', 'Forged')
    assert.notEqual(forged, delivery.body)
    assert.equal(await post(forged), 401, 'another body')
    assert.equal(await post(delivery.body, { 'x-service-timestamp': '1700000000' }), 401, 'another time')
    assert.equal(
      await post(delivery.body, { 'x-service-signature': '0'.repeat(64) }),
      401,
      'another signature',
    )
    const tested = await api(gateway, `POST /webhooks/${hook.id}/test`)
    assert.equal(tested.delivered, true, JSON.stringify(tested.attempt))

    await world(gateway, `POST /phones/${friend}/send`, { to: owner, text: 'Goodbye' })
    await untilReceived('n8n: Goodbye')
    assert.deepEqual(await received(), ['n8n: Hello', 'n8n: Goodbye'])

    await turn(false)
    assert.deepEqual((await api(gateway, 'GET /webhooks')).webhooks, [])
    console.log(`Seen on the phone, sent by n8n over ${instance}: ${(await received()).join(', ')}`)
  })
})
