// POST /chatwoot/{instanceName}/history
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { withChatwoot } from './chatwoot-fixture.ts'
import { faultPaths } from './fixture.ts'

contract('POST /chatwoot/{instanceName}/history', (gateway) => {
  const fixture = withChatwoot(gateway)
  const push = async (instanceName: string, body: object) =>
    (await fixture()).mine.call('pushChatwootHistory', { params: { instanceName }, body })

  test('200 with nothing to hand over', async () => {
    const { mine, valid, instance } = await fixture()
    const params = { instanceName: instance.name }
    await mine.call('saveChatwoot', { params, body: valid })
    const answer = await push(instance.name, { number: '5511912345678' })
    assert.deepEqual(answer.json, { success: true, pushed: 0, next: null, failure: null })
  })

  test('400 when a field is not valid', async () => {
    const { instance } = await fixture()
    for (const [body, path] of [
      [{ number: '5511912345678', chat: '111222333444555@lid' }, 'number'],
      [{ days: 0 }, 'days'],
      [{ limit: 201 }, 'limit'],
      [{ cursor: 'here' }, 'cursor'],
    ] as const) {
      const answer = await push(instance.name, body)
      assert.deepEqual([answer.status, faultPaths(answer)], [400, [path]], JSON.stringify(body))
    }
  })

  test('404 when the instance is not connected, or does not exist', async () => {
    const { another } = await fixture()
    for (const [instanceName, reason] of [
      [await another(), 'chatwoot_not_set'],
      ['support-00000000', 'instance_not_found'],
    ] as const) {
      const answer = await push(instanceName, {})
      assert.deepEqual([answer.status, answer.json.reason], [404, reason])
    }
  })
})
