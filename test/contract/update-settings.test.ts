// PATCH /instance/settings
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { sampleCall } from './group-rules.ts'
import { sampleCalls, UNKNOWN } from './sample-calls.ts'
import { DEFAULTS } from './settings-rules.ts'

contract('PATCH /instance/settings', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'updateSettings')
  /** On an instance of its own, so that the tests do not affect each other. */
  const own = async () => {
    const { mine, openInstance } = await fixture()
    const { name, id } = await openInstance(mine)
    const query = { instanceName: name }
    return {
      id,
      change: (body: Record<string, unknown>) => mine.call('updateSettings', { query, body }),
      read: async () => (await mine.call('getSettings', { query })).json.settings,
    }
  }

  test('200 changes the given settings, applies them, and keeps the others', async () => {
    const { id, change, read } = await own()
    const applied: number[] = []
    const applySettings = (instanceId: number) => void applied.push(instanceId)
    await scripted(await fixture(), { applySettings }, async () => {
      const every = {
        rejectCalls: true,
        rejectCallsText: 'Please write.\nThanks',
        readOnReply: true,
        viewWithoutReceipts: true,
        alwaysOnline: true,
        ignoreGroups: true,
        syncHistory: 'full',
        deviceName: 'Desk',
      }
      const answer = await change(every)
      assert.deepEqual([answer.status, answer.json.settings], [200, { ...DEFAULTS, ...every }])
      await change({ rejectCallsText: null, deviceName: null, syncHistory: 'none' })
      const cleared = { rejectCallsText: null, deviceName: null, syncHistory: 'none' }
      assert.deepEqual(await read(), { ...DEFAULTS, ...every, ...cleared })
      assert.deepEqual(applied, [id, id])
    })
  })

  test('200 masks the credentials of a proxy, and removes it', async () => {
    const { change, read } = await own()
    for (const [given, shown] of [
      ['socks5://user:s%40cret@proxy.example.com', 'socks5://***@proxy.example.com:1080'],
      ['http://proxy.example.com:3128', 'http://proxy.example.com:3128'],
      ['HTTPS://user@proxy.example.com/', 'https://***@proxy.example.com:443'],
    ]) {
      const answer = await change({ proxy: given })
      assert.equal(answer.json.settings?.proxy, shown, JSON.stringify(answer.json))
      await change({ readOnReply: true })
      assert.equal((await read()).proxy, shown)
    }
    assert.equal((await change({ proxy: null })).json.settings.proxy, null)
  })

  test('200 when the session cannot be reached now', async () => {
    const { change, read } = await own()
    const applySettings = () => {
      throw new NetworkError('unavailable', 'scripted')
    }
    const answer = await scripted(await fixture(), { applySettings }, () => change({ readOnReply: true }))
    assert.equal(answer.status, 200)
    assert.equal((await read()).readOnReply, true)
  })

  test('400 when no field or a field that is not valid is given', async () => {
    const wrong: [Record<string, unknown>, string[]][] = [
      [{}, ['']],
      [{ rejectCalls: 'yes' }, ['rejectCalls']],
      [{ rejectCallsText: '' }, ['rejectCallsText']],
      [{ syncHistory: 'some' }, ['syncHistory']],
      [{ deviceName: 'x'.repeat(51) }, ['deviceName']],
      [{ deviceName: ' ' }, ['deviceName']],
      [{ proxy: '' }, ['proxy']],
      [{ pacing: 'careful' }, ['', 'pacing']],
    ]
    for (const [body, paths] of wrong) {
      const answer = await call({ body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(faultPaths(answer), paths, JSON.stringify(body))
    }
  })

  test('400 when the proxy is not allowed, without its credentials in the answer', async () => {
    const { change, read } = await own()
    for (const proxy of [
      'socks5://user:s3cret@10.0.0.1:1080',
      'http://user:s3cret@localhost:1',
      'socks5://user:s3cret@0x7f.1:1',
      'ftp://user:s3cret@proxy.example.com',
      'http://user:s3cret@proxy.example.com/path',
      'http://user:s3cret@proxy.example.com:0',
      'user:s3cret@proxy.example.com',
    ]) {
      const answer = await change({ proxy })
      assert.deepEqual([answer.status, answer.json.reason], [400, 'url_not_allowed'], proxy)
      assert.deepEqual(faultPaths(answer), ['proxy'])
      assert.ok(!answer.bytes.includes('s3cret'))
    }
    assert.equal((await read()).proxy, null)
  })

  test('404 when the instance does not exist', async () => {
    const { mine } = await fixture()
    const answer = await mine.call('updateSettings', sampleCalls.updateSettings(UNKNOWN))
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })
})
