// GET /instance/profile-picture
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, shared, withInstance } from './fixture.ts'
import { imageRules } from './image-rules.ts'
import { deleteKnownPictures } from './known-picture.ts'

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00])
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00])
const WEBP = Buffer.from('RIFF\u0004\u0000\u0000\u0000WEBPVP8 ', 'latin1')

contract('GET /instance/profile-picture', (gateway) => {
  const fixture = withInstance(gateway)
  const picture = async (instanceName: string) =>
    (await fixture()).mine.call('profilePicture', { query: { instanceName } })
  const showing = async (bytes: Buffer, contentType: string) => {
    const running = await fixture()
    await deleteKnownPictures(running, running.instance.id)
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

  test('200 returns the picture with its media type', async () => {
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

  test('404 when the bytes are not an image, or SVG', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const type of ['image/svg+xml', 'image/png', 'text/html']) {
      const answer = await showing(svg, type)
      assert.equal(answer.status, 404, type)
      assert.equal(answer.json.reason, 'profile_picture_not_found')
    }
  })

  test('200 returns a stored picture without the network', async () => {
    const running = await fixture()
    assert.equal((await showing(PNG, 'image/png')).status, 200)
    const profilePicture = () => assert.fail('the network was queried')
    const answer = await scripted(running, { profilePicture }, () => picture(running.instance.name))
    assert.deepEqual(answer.bytes, PNG)
    const row = await running.store.db
      .selectFrom('pictures')
      .select('sealed')
      .where('instance_id', '=', running.instance.id)
      .executeTakeFirstOrThrow()
    assert.ok(!Buffer.from(row.sealed ?? []).includes(PNG), 'it is sealed in the store')
  })

  test('400 when instanceName is missing', async () => {
    const answer = await (await fixture()).mine.call('profilePicture')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist', async () => {
    const answer = await picture('unknown-00000000')
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })

  test('404 when there is no public picture, or the instance is not logged in', async () => {
    const running = await fixture()
    const created = await running.mine.call('createInstance', { body: { instanceName: 'New' } })
    await deleteKnownPictures(running, running.instance.id)
    const none = await scripted(running, { profilePicture: () => null }, () => picture(running.instance.name))
    for (const answer of [none, await picture(created.json.instance.apiInstanceName)]) {
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'profile_picture_not_found')
    }
  })

  test('502 when the network refuses, 503 when it is unavailable, 504 when it does not answer in time', async () => {
    const running = await fixture()
    await deleteKnownPictures(running, running.instance.id)
    for (const [kind, status] of [
      ['refused', 502],
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
