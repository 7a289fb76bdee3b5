// GET /chats/picture (decision 0074)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, shared, withInstance } from './fixture.ts'
import { imageRules } from './image-rules.ts'
import { deleteKnownPictures, reportPicture } from './known-picture.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00])
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00])
const ANA = '5511912345678'
const chat = `${ANA}@s.whatsapp.net`
const png = () => ({ bytes: PNG, contentType: 'image/png' })
const unreachable = () => assert.fail('the network was queried')

contract('GET /chats/picture', (gateway) => {
  const withAna = shared(async () => {
    const running = await withInstance(gateway)()
    const body = { instanceName: running.instance.name, phone: ANA, name: 'Ana' }
    assert.equal((await running.mine.call('saveContact', { body })).status, 200)
    return running
  })
  const picture = async (query: Record<string, string> = {}) => {
    const { mine, instance } = await withAna()
    return mine.call('chatPicture', { query: { instanceName: instance.name, chat, ...query } })
  }

  const other = shared(async () => (await gateway()).account())
  imageRules(async () => {
    const { url, mine, instance, clock, sessions } = await withAna()
    sessions.script.profilePicture = png
    return {
      url,
      target: `/api/v1/chats/picture?instanceName=${instance.name}&chat=${chat}`,
      key: mine.key,
      otherKey: (await other()).key,
      beforeWrongKey: () => clock.advance(3000),
      cacheControl: 'private, max-age=300',
    }
  })

  test('200 asks the network once, then serves the stored picture until it changes', async () => {
    const running = await withAna()
    await deleteKnownPictures(running, running.instance.id)
    const first = await scripted(running, { profilePicture: png }, () => picture())
    assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'image/png'])
    assert.deepEqual(first.bytes, PNG)
    const kept = await scripted(running, { profilePicture: unreachable }, () => picture())
    assert.deepEqual(kept.bytes, PNG)
    await reportPicture(running, running.instance.id, chat)
    const changed = () => ({ bytes: JPEG, contentType: 'image/jpeg' })
    const second = await scripted(running, { profilePicture: changed }, () => picture())
    assert.deepEqual(second.bytes, JPEG)
  })

  test('200 does not store a picture that changed during the download', async () => {
    const running = await withAna()
    await deleteKnownPictures(running, running.instance.id)
    let reported: Promise<void> | undefined
    const overtaken = () => {
      reported = reportPicture(running, running.instance.id, chat)
      return png()
    }
    await scripted(running, { profilePicture: overtaken }, () => picture())
    await reported
    const changed = () => ({ bytes: JPEG, contentType: 'image/jpeg' })
    const answer = await scripted(running, { profilePicture: changed }, () => picture())
    assert.deepEqual(answer.bytes, JPEG)
  })

  test('404 when there is no picture, cached for an hour, or the bytes are not an image', async () => {
    const running = await withAna()
    await deleteKnownPictures(running, running.instance.id)
    const svg = { bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), contentType: 'image/png' }
    for (const profilePicture of [() => null, unreachable]) {
      const answer = await scripted(running, { profilePicture }, () => picture())
      assert.deepEqual([answer.status, answer.json.reason], [404, 'profile_picture_not_found'])
    }
    running.clock.advance(60 * 60 * 1000)
    const drawing = await scripted(running, { profilePicture: () => svg }, () => picture())
    assert.equal(drawing.json.reason, 'profile_picture_not_found')
    running.clock.advance(60 * 60 * 1000)
    assert.equal((await scripted(running, { profilePicture: png }, () => picture())).status, 200)
  })

  test('404 when the chat or instance does not exist', async () => {
    const running = await withAna()
    const ask = (query: Record<string, string>) =>
      scripted(running, { profilePicture: unreachable }, () => picture(query))
    const stranger = await ask({ chat: '5511900000000@s.whatsapp.net' })
    assert.deepEqual([stranger.status, stranger.json.reason], [404, 'chat_not_found'])
    const unknown = await ask({ instanceName: 'unknown-00000000' })
    assert.deepEqual([unknown.status, unknown.json.reason], [404, 'instance_not_found'])
  })

  test('400 when the identifier is not valid', async () => {
    const answer = await picture({ chat: 'https://example.com/' })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['chat'])
  })

  test('503 when the network is unavailable, 504 when it does not answer in time', async () => {
    const running = await withAna()
    await deleteKnownPictures(running, running.instance.id)
    for (const [kind, status] of [
      ['unavailable', 503],
      ['timeout', 504],
    ] as const) {
      const profilePicture = () => {
        throw new NetworkError(kind, 'no way')
      }
      assert.equal((await scripted(running, { profilePicture }, () => picture())).status, status)
    }
  })
})
