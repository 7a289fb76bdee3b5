// POST /instance/restart
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'

contract('POST /instance/restart', (gateway) => {
  const fixture = withInstance(gateway)
  const restart = async (instanceName: string) =>
    (await fixture()).mine.call('restartInstance', { query: { instanceName } })

  test('200 reconnects once without logging out', async () => {
    const running = await fixture()
    let restarts = 0
    const answer = await scripted(running, { restart: () => void (restarts += 1) }, () =>
      restart(running.instance.name),
    )
    assert.equal(answer.status, 200)
    assert.equal(restarts, 1)
    assert.equal(answer.json.instance.id, running.instance.id)
    assert.equal(answer.json.instance.state, 'open')
    assert.ok(!running.sessions.loggedOut.includes(running.instance.id))
  })

  test('200 for an instance that lost its connection but not its login', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    await running.sessions.move(id, 'connection_lost')
    assert.equal((await restart(name)).status, 200)
  })

  test('400 when instanceName is missing', async () => {
    const answer = await (await fixture()).mine.call('restartInstance')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist', async () => {
    const answer = await restart('unknown-00000000')
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })

  test('409 when the instance is not logged in', async () => {
    const { mine } = await fixture()
    const created = await mine.call('createInstance', { body: { instanceName: 'New' } })
    const answer = await restart(created.json.instance.apiInstanceName)
    assert.equal(answer.status, 409)
    assert.equal(answer.json.reason, 'instance_not_connected')
  })

  test('503 when the network is unavailable', async () => {
    const running = await fixture()
    const away = () => {
      throw new NetworkError('unavailable', 'no way')
    }
    const answer = await scripted(running, { restart: away }, () => restart(running.instance.name))
    assert.equal(answer.status, 503)
    assert.equal(answer.json.reason, 'unavailable')
  })
})
