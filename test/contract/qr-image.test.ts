// GET /instance/qr/image
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, shared, withInstance } from './fixture.ts'
import { imageRules } from './image-rules.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

contract('GET /instance/qr/image', (gateway) => {
  const fixture = withInstance(gateway)
  const waiting = shared(async (): Promise<string> => {
    const { mine } = await fixture()
    const created = await mine.call('createInstance', { body: { instanceName: 'New' } })
    return created.json.instance.apiInstanceName
  })
  const image = async (instanceName: string) =>
    (await fixture()).mine.call('qrImage', { query: { instanceName } })

  const other = shared(async () => (await gateway()).account())
  imageRules(async () => {
    const { url, mine, clock } = await fixture()
    const target = `/api/v1/instance/qr/image?instanceName=${await waiting()}`
    return {
      url,
      target,
      key: mine.key,
      otherKey: (await other()).key,
      beforeWrongKey: () => clock.advance(3000),
    }
  })

  test('200 returns a PNG with the current QR code', async () => {
    const running = await fixture()
    const name = await waiting()
    const draw = (code: string) =>
      scripted(running, { qr: () => ({ code, expiresAt: Date.now() + 20_000 }) }, () => image(name))
    const [first, same, other] = [await draw('one'), await draw('one'), await draw('two')]
    assert.equal(first.status, 200)
    assert.equal(first.headers.get('content-type'), 'image/png')
    assert.deepEqual(first.bytes.subarray(0, 8), PNG)
    assert.deepEqual(same.bytes, first.bytes)
    assert.notDeepEqual(other.bytes, first.bytes)
  })

  test('400 when instanceName is missing', async () => {
    const answer = await (await fixture()).mine.call('qrImage')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist', async () => {
    const answer = await image('unknown-00000000')
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })

  test('409 when the instance is already open', async () => {
    const answer = await image((await fixture()).instance.name)
    assert.equal(answer.status, 409)
    assert.equal(answer.json.reason, 'instance_already_connected')
  })

  test('503 with Retry-After when there is no QR code in time', async () => {
    const answer = await scripted(await fixture(), { qr: () => null }, async () => image(await waiting()))
    assert.equal(answer.status, 503)
    assert.equal(answer.json.reason, 'qr_not_ready')
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  })

  test('503 when the network is unavailable', async () => {
    const qr = () => {
      throw new NetworkError('unavailable', 'no way')
    }
    const answer = await scripted(await fixture(), { qr }, async () => image(await waiting()))
    assert.equal(answer.status, 503)
    assert.equal(answer.json.reason, 'unavailable')
  })
})
