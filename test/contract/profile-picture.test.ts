// GET /instance/profile-picture (spec 4.2, decisions 5)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, shared, withInstance } from './fixture.ts'
import { imageRules } from './image-rules.ts'

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00])
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00])
const WEBP = Buffer.from('RIFF\u0004\u0000\u0000\u0000WEBPVP8 ', 'latin1')

contract('GET /instance/profile-picture', (gateway) => {
  const fixture = withInstance(gateway)
  const picture = async (instanceName: string) =>
    (await fixture()).mine.call('profilePicture', { query: { instanceName } })
  const showing = async (bytes: Buffer, contentType: string) => {
    const running = await fixture()
    return scripted(running, { profilePicture: () => ({ bytes, contentType }) }, () =>
      picture(running.instance.name),
    )
  }

  const other = shared(async () => (await gateway()).account())
  imageRules(async () => {
    const { url, mine, instance, clock, sessions } = await fixture()
    sessions.script.profilePicture = () => ({ bytes: JPEG, contentType: 'image/jpeg' })
    const target = `/api/v1/instance/profile-picture?instanceName=${instance.name}`
    return {
      url,
      target,
      key: mine.key,
      otherKey: (await other()).key,
      beforeWrongKey: () => clock.advance(3000),
    }
  })

  test('200: the bytes of the picture with their type', async () => {
    for (const [bytes, type] of [
      [JPEG, 'image/jpeg'],
      [PNG, 'image/png'],
      [WEBP, 'image/webp'],
    ] as const) {
      const answer = await showing(bytes, type)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), type)
      assert.deepEqual(answer.bytes, bytes)
    }
  })

  test('404: what is not an image is never handed out as one, SVG least of all', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const type of ['image/svg+xml', 'image/png', 'text/html']) {
      const answer = await showing(svg, type)
      assert.equal(answer.status, 404, type)
      assert.equal(answer.json.reason, 'profile_picture_not_found')
    }
  })

  test('400: instanceName is required', async () => {
    const answer = await (await fixture()).mine.call('profilePicture')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404: an instance that is not known', async () => {
    const answer = await picture('nobody-00000000')
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })

  test('404: no public picture, or nobody logged in', async () => {
    const running = await fixture()
    const created = await running.mine.call('createInstance', { body: { instanceName: 'New' } })
    const none = await scripted(running, { profilePicture: () => null }, () => picture(running.instance.name))
    for (const answer of [none, await picture(created.json.instance.apiInstanceName)]) {
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'profile_picture_not_found')
    }
  })

  test('503 and 504: no way to the network, no answer in time', async () => {
    const running = await fixture()
    for (const [kind, status] of [
      ['unavailable', 503],
      ['timeout', 504],
    ] as const) {
      const profilePicture = () => {
        throw new NetworkError(kind, 'no way')
      }
      const answer = await scripted(running, { profilePicture }, () => picture(running.instance.name))
      assert.equal(answer.status, status)
    }
  })
})
