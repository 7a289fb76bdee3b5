// POST /instance/create
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths, scripted, shared, UNLIMITED_PLAN } from './fixture.ts'

contractOnEachEngine('POST /instance/create', (gateway) => {
  const account = shared(async () => (await gateway()).account())
  const create = async (body: unknown) => (await account()).call('createInstance', { body })

  test('200 creates an instance that waits for a scan', async () => {
    const { clock } = await gateway()
    const before = clock.now()
    const answer = await create({ instanceName: 'Support Brasil' })
    assert.equal(answer.status, 200)
    const { instance } = answer.json
    assert.match(instance.apiInstanceName, /^support-brasil-[a-z0-9]{8}$/)
    assert.ok(Date.parse(instance.createdAt) >= before)
    assert.deepEqual(instance, {
      id: instance.id,
      instanceName: 'Support Brasil',
      displayName: 'Support Brasil',
      apiInstanceName: instance.apiInstanceName,
      internalName: instance.apiInstanceName,
      state: 'connecting',
      status: 'connecting',
      stateReason: null,
      stateReasonUntil: null,
      isConnected: false,
      number: null,
      profileName: null,
      profilePictureUrl: null,
      profilePicUrl: null,
      owner: null,
      integration: 'whatsapp',
      createdAt: instance.createdAt,
      updatedAt: instance.updatedAt,
    })
  })

  test('200 creates different API names for the same display name', async () => {
    const [first, second] = [await create({ instanceName: 'Same' }), await create({ instanceName: 'Same' })]
    assert.equal(second.status, 200)
    assert.notEqual(first.json.instance.apiInstanceName, second.json.instance.apiInstanceName)
    assert.notEqual(first.json.instance.id, second.json.instance.id)
  })

  test('200 creates a URL-safe API name from any display name of 1 to 64 characters', async () => {
    const names: [string, RegExp][] = [
      ['A', /^a-[a-z0-9]{8}$/],
      ['Atenção & Cia.', /^atencao-cia-[a-z0-9]{8}$/],
      ['Поддержка', /^instance-[a-z0-9]{8}$/],
      ['👋', /^instance-[a-z0-9]{8}$/],
      ['../../etc', /^etc-[a-z0-9]{8}$/],
      ['x'.repeat(64), /^x{40}-[a-z0-9]{8}$/],
    ]
    for (const [instanceName, form] of names) {
      const { json } = await create({ instanceName })
      assert.equal(json.instance.displayName, instanceName)
      assert.match(json.instance.apiInstanceName, form)
    }
    assert.equal((await create({ instanceName: '  Shop  ' })).json.instance.displayName, 'Shop')
  })

  test('200 creates the instance while the network is unavailable, and its state shows that', async () => {
    const answer = await scripted(
      await gateway(),
      {
        begin: () => {
          throw new NetworkError('unavailable', 'no way')
        },
      },
      () => create({ instanceName: 'Offline' }),
    )
    assert.equal(answer.status, 200)
    const { state, stateReason } = answer.json.instance
    assert.deepEqual([state, stateReason], ['close', 'network_lost'])
  })

  test('200 does not wait for a login code', async () => {
    const requested: string[] = []
    const answer = await scripted(
      await gateway(),
      {
        pair: () => void requested.push('pair'),
        qr: () => {
          requested.push('qr')
          return null
        },
      },
      () => create({ instanceName: 'At once' }),
    )
    assert.equal(answer.status, 200)
    assert.deepEqual(requested, [])
  })

  test('400 when the display name is empty, blank, too long or not text', async () => {
    for (const instanceName of ['', '   ', 'x'.repeat(65), 'a\nb', 'a\u0007', 5, null, undefined]) {
      const answer = await create({ instanceName })
      assert.equal(answer.status, 400, JSON.stringify(instanceName))
      assert.deepEqual(faultPaths(answer), ['instanceName'])
    }
    for (const integration of ['', 'x'.repeat(65), 'a\nb', 5, null])
      assert.deepEqual(faultPaths(await create({ instanceName: 'Ok', integration })), ['integration'])
  })

  test('403 when the instance limit is reached, also concurrently; deleting frees the quota', async () => {
    const running = await gateway()
    const limited = await running.account({ limits: { ...UNLIMITED_PLAN, instances: 2 } })
    const make = () => limited.call('createInstance', { body: { instanceName: 'One' } })
    const answers = await Promise.all([make(), make(), make(), make()])
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 200, 403, 403])
    const refused = answers.find((answer) => answer.status === 403)
    const { reason, resource, limit, used } = refused?.json ?? {}
    assert.deepEqual([reason, resource, limit, used], ['limit_reached', 'instances', 2, 2])
    assert.equal((await limited.call('listInstances')).json.count, 2)
    const made = answers.find((answer) => answer.status === 200)
    const query = { instanceName: made?.json.instance.apiInstanceName }
    assert.equal((await limited.call('deleteInstance', { query })).status, 200)
    assert.equal((await make()).status, 200)
  })
})
