// POST /instance/connect
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'

contract('POST /instance/connect', (gateway) => {
  const fixture = withInstance(gateway)
  const closed = async (): Promise<string> => {
    const { mine } = await fixture()
    const created = await mine.call('createInstance', { body: { instanceName: 'New' } })
    return created.json.instance.apiInstanceName
  }
  const connect = async (instanceName: string, body?: unknown) =>
    (await fixture()).mine.call('connectInstance', { query: { instanceName }, body })

  test('200 starts pairing and returns the QR code', async () => {
    const running = await fixture()
    const name = await closed()
    const qr = { code: 'ref,noise,identity', expiresAt: 1_700_000_020_000 }
    const answer = await scripted(running, { qr: () => qr }, () => connect(name))
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json.qr, { code: 'ref,noise,identity', expiresAt: '2023-11-14T22:13:40.000Z' })
    assert.equal(answer.json.pairingCode, null)
    assert.equal(answer.json.instance.apiInstanceName, name)
    assert.equal(answer.json.instance.state, 'connecting')
    assert.equal(answer.json.instance.stateReason, 'awaiting_scan')
  })

  test('200 returns null when there is no QR code yet', async () => {
    const running = await fixture()
    const name = await closed()
    const answer = await scripted(running, { qr: () => null }, () => connect(name, {}))
    assert.equal(answer.status, 200)
    assert.equal(answer.json.qr, null)
  })

  test('200 returns a pairing code of eight characters for a number', async () => {
    const running = await fixture()
    const name = await closed()
    const answer = await scripted(running, { pairingCode: () => 'WXYZ9876' }, () =>
      connect(name, { number: '+55 (11) 91234-5678' }),
    )
    assert.equal(answer.status, 200)
    assert.equal(answer.json.pairingCode, 'WXYZ9876')
    assert.equal(answer.json.qr, null)
  })

  test('200 when called repeatedly', async () => {
    const name = await closed()
    for (let tries = 0; tries < 3; tries += 1) assert.equal((await connect(name)).status, 200)
  })

  test('400 when the number is not valid or instanceName is missing', async () => {
    const name = await closed()
    for (const number of ['1', 'abc', 5, null]) {
      const answer = await connect(name, { number })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['number'])
    }
    const answer = await (await fixture()).mine.call('connectInstance')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist', async () => {
    const answer = await connect('unknown-00000000')
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })

  test('409 when the instance is already open', async () => {
    const { instance, mine } = await fixture()
    const answer = await connect(instance.name)
    assert.equal(answer.status, 409)
    assert.equal(answer.json.reason, 'instance_already_connected')
    const state = await mine.call('instanceState', { query: { instanceName: instance.name } })
    assert.equal(state.json.instance.state, 'open')
  })

  test('502 when the network refuses the pairing', async () => {
    const running = await fixture()
    const name = await closed()
    const pair = () => {
      throw new NetworkError('refused', 'bad-request', undefined, 400)
    }
    const answer = await scripted(running, { pair }, () => connect(name))
    assert.deepEqual([answer.status, answer.json.reason], [502, 'refused_by_network'])
  })

  test('503 with Retry-After when the network is unavailable', async () => {
    const running = await fixture()
    const name = await closed()
    const pair = () => {
      throw new NetworkError('unavailable', 'connect ECONNREFUSED 10.0.0.7:443')
    }
    const answer = await scripted(running, { pair }, () => connect(name))
    assert.equal(answer.status, 503)
    assert.equal(answer.json.reason, 'unavailable')
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.ok(!JSON.stringify(answer.json).includes('10.0.0.7'))
  })

  test('504 when the network does not answer in time', async () => {
    const running = await fixture()
    const name = await closed()
    const pair = () => {
      throw new NetworkError('timeout', 'no answer')
    }
    const answer = await scripted(running, { pair }, () => connect(name))
    assert.equal(answer.status, 504)
    assert.equal(answer.json.reason, 'network_timeout')
  })
})
