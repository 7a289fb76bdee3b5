// What the scopes of a key open: using an instance, administering it, and reading. Also in the dialects.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hasScope, type Scope } from '../../src/contract/scopes.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { cloudClient } from '../support/cloud.ts'
import type { Engine } from '../support/engines.ts'
import { evolutionClient } from '../support/evolution.ts'
import { type Account, contract, startGateway } from '../support/gateway.ts'
import { shared, withInstance } from './fixture.ts'
import { demandPasskey } from './passkey-sessions.ts'
import { apiRoutes, sampleCalls, UNKNOWN } from './sample-calls.ts'

/** What a person needs who answers chats on the dashboard. */
const ANSWERS_CHATS: Scope[] = ['read', 'send', 'contacts', 'instances:use']

async function keyOf(account: Account, scopes: readonly Scope[], walls: object = {}): Promise<string> {
  const made = await account.call('createApiKey', { body: { name: 'Scoped', scopes, ...walls } })
  assert.equal(made.status, 200, JSON.stringify(made.json))
  return made.json.key
}

const opened = (held: readonly Scope[]): string[] =>
  apiRoutes
    .filter(({ scopes }) => scopes && hasScope(held, scopes))
    .map(({ id }) => id)
    .sort()

const ADMINISTRATION = [
  'answerPasskey',
  'cancelPasskey',
  'confirmPasskey',
  'connectInstance',
  'createInstance',
  'createPasskeyLink',
  'deleteInstance',
  'getPasskey',
  'logoutInstance',
  'qrImage',
  'updateProfile',
  'updateSettings',
]
const USE = [
  'getProfile',
  'getSettings',
  'getStatistics',
  'instanceActivity',
  'instanceState',
  'listInstances',
  'profilePicture',
  'restartInstance',
]

contract('scopes of instances', (gateway) => {
  const fixture = withInstance(gateway)

  test('instances:use opens what answering chats needs', () => {
    assert.deepEqual(opened(['instances:use']), USE)
  })

  test('instances:manage adds the administration, and instances is the older name of both', () => {
    const both = [...ADMINISTRATION, ...USE].sort()
    assert.deepEqual(opened(['instances:manage']), both)
    assert.deepEqual(opened(['instances']), both)
  })

  for (const id of ADMINISTRATION.filter((id) => id !== 'qrImage'))
    test(`403 when a key that answers chats calls ${id}`, async () => {
      const { mine, instance } = await fixture()
      const things = { ...UNKNOWN, instance: instance.name }
      const key = await keyOf(mine, ANSWERS_CHATS)
      const answer = await mine.call(id as 'logoutInstance', {
        ...sampleCalls[id as 'logoutInstance'](things),
        key,
      })
      assert.deepEqual(
        [answer.status, answer.json.reason, answer.json.error],
        [403, 'scope_missing', 'The API key needs the scope "instances:manage".'],
      )
    })

  test('200 for a key with the older scope instances', async () => {
    const { mine } = await fixture()
    const key = await keyOf(mine, ['instances'])
    const made = await mine.call('createInstance', { body: { instanceName: 'Short' }, key })
    assert.equal(made.status, 200)
    const query = { instanceName: made.json.instance.apiInstanceName }
    assert.equal((await mine.call('logoutInstance', { query, key })).status, 200)
    assert.equal((await mine.call('deleteInstance', { query, key })).status, 200)
  })

  test('200 when a key with the scope read lists instances: those inside its walls', async () => {
    const running = await fixture()
    const { mine, instance } = running
    await running.openInstance(mine)
    const list = async (key: string) => {
      const { status, json } = await mine.call('listInstances', { key })
      assert.equal(status, 200)
      return json.instances.map((each: { apiInstanceName: string }) => each.apiInstanceName)
    }
    assert.ok((await list(await keyOf(mine, ['read']))).length > 1)
    assert.deepEqual(await list(await keyOf(mine, ['read'], { instances: [instance.name] })), [instance.name])
  })

  test('only a key that may link an instance sees the passkey step in its state', async () => {
    const running = await fixture()
    const { name } = await demandPasskey(running)
    const seen = async (scopes: readonly Scope[]) => {
      const key = await keyOf(running.mine, scopes)
      const { status, json } = await running.mine.call('instanceState', {
        query: { instanceName: name },
        key,
      })
      assert.equal(status, 200)
      return json.passkey !== null
    }
    assert.deepEqual(await Promise.all([seen(['instances:manage']), seen(['instances'])]), [true, true])
    assert.deepEqual(await Promise.all([seen(['instances:use']), seen(['read'])]), [false, false])
  })

  test('403 when a new key would have a part of instances that the caller does not have', async () => {
    const { mine } = await fixture()
    const create = async (held: readonly Scope[], wanted: readonly Scope[]) => {
      const key = await keyOf(mine, ['keys', ...held])
      return (await mine.call('createApiKey', { body: { name: 'New', scopes: wanted }, key })).status
    }
    assert.equal(await create(['instances'], ['instances:use', 'instances:manage']), 200)
    assert.equal(await create(['instances:manage'], ['instances', 'instances:use']), 200)
    assert.equal(await create(['instances:use'], ['instances:manage']), 403)
    assert.equal(await create(['instances:use'], ['instances']), 403)
  })
})

for (const engine of behaviourEngines())
  describe(`scopes in the dialects on ${engine.name}`, () => declareDialects(engine))

function declareDialects(engine: Engine): void {
  const gateway = shared(() => startGateway(engine, { COMPAT: 'evolution,cloud' }))
  after(async () => (await gateway()).stop())

  test('403 with the needed scope when a key that answers chats administers an instance', async () => {
    const running = await gateway()
    const account = await running.account()
    const owner = evolutionClient(running.url, account.key)
    assert.equal((await owner('POST /instance/create', { instanceName: 'desk' })).status, 201)
    const key = await keyOf(account, ANSWERS_CHATS)
    const client = evolutionClient(running.url, key)
    for (const call of [
      'DELETE /instance/logout/desk',
      'DELETE /instance/delete/desk',
      'GET /instance/connect/desk',
      // Without a login, a restart in this dialect begins to link.
      'POST /instance/restart/desk',
      ['POST /instance/create', { instanceName: 'other' }],
      [
        'POST /settings/set/desk',
        {
          rejectCall: true,
          groupsIgnore: true,
          alwaysOnline: true,
          readMessages: true,
          readStatus: true,
          syncFullHistory: true,
        },
      ],
      ['POST /chat/updateProfileName/desk', { name: 'Desk' }],
    ] as const) {
      const [line, body] = typeof call === 'string' ? [call, undefined] : call
      const reply = await client(line, body)
      assert.equal(reply.status, 403, line)
      assert.match(JSON.stringify(reply.json), /instances:manage/, line)
    }
    assert.equal((await client('GET /instance/connectionState/desk')).status, 200)
    assert.equal((await client('GET /instance/fetchInstances')).status, 200)
    const { apiInstanceName } = (await account.call('listInstances')).json.instances[0]
    const cloud = cloudClient(running.url, key)
    const profile = { messaging_product: 'whatsapp', about: 'Open' }
    const refused = await cloud(`POST /${apiInstanceName}/whatsapp_business_profile`, profile)
    assert.equal(refused.status, 403)
    assert.match(JSON.stringify(refused.json), /instances:manage/)
    assert.equal((await cloud(`GET /${apiInstanceName}`)).status, 200)
  })
}
