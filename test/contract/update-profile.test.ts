// PATCH /profile
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageType } from '../../src/files/rules.ts'
import { contract } from '../support/gateway.ts'
import { pixelBomb, png } from '../support/sample-files.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { FOR_CHANGES, liveRules, sampleCall } from './group-rules.ts'

contract('PATCH /profile', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'updateProfile')
  liveRules(fixture, { id: 'updateProfile', script: 'changeProfile', refusals: FOR_CHANGES })
  const upload = async (bytes: Uint8Array): Promise<string> =>
    (await (await fixture()).mine.call('uploadMedia', { upload: bytes })).json.mediaId

  test('200 passes the given fields on, and stores the name', async () => {
    const running = await fixture()
    const requested: Record<string, unknown>[] = []
    const changeProfile = async (_instanceId: number, change: object) => void requested.push({ ...change })
    const change = (body: Record<string, unknown>) =>
      scripted(running, { changeProfile }, () => call({ body }))
    const privacy = { lastSeen: 'contacts', messages: 'all' }
    const answer = await change({
      name: 'Desk',
      about: '',
      picture: { mediaId: await upload(png(2, 2)) },
      privacy: { ...privacy, defaultDisappearingSeconds: 0, linkPreviews: true },
    })
    assert.deepEqual([answer.status, answer.json.profile.name], [200, 'Desk'])
    await change({ picture: null })
    const [first, second] = requested
    assert.equal(imageType(first?.picture as Uint8Array), 'image/jpeg')
    assert.deepEqual(
      { ...first, picture: undefined },
      {
        name: 'Desk',
        about: '',
        picture: undefined,
        privacy,
        defaultDisappearingSeconds: 0,
        linkPreviews: true,
      },
    )
    assert.equal(second?.picture, null)
    assert.ok(!('name' in (second ?? {})))
  })

  test('400 when no field or a field that is not valid is given', async () => {
    const wrong: [Record<string, unknown>, string[]][] = [
      [{}, ['']],
      [{ name: 'x'.repeat(26) }, ['name']],
      [{ name: ' ' }, ['name']],
      [{ about: 'x'.repeat(140) }, ['about']],
      [{ picture: 'x' }, ['picture']],
      [{ picture: { mediaId: 'media-1', mediaUrl: 'https://example.com/a.png' } }, ['picture']],
      [{ privacy: {} }, ['privacy']],
      [{ privacy: { lastSeen: 'some' } }, ['privacy.lastSeen']],
      [{ privacy: { defaultDisappearingSeconds: 5 } }, ['privacy.defaultDisappearingSeconds']],
      [{ status: 'x' }, ['', 'status']],
    ]
    for (const [body, paths] of wrong) {
      const answer = await call({ body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(faultPaths(answer), paths, JSON.stringify(body))
    }
  })

  test('400 when the picture is not an image, cannot be read, or cannot be downloaded', async () => {
    const running = await fixture()
    const refused = async (picture: unknown) => {
      const answer = await call({ body: { picture } })
      return [answer.status, answer.json.reason, ...faultPaths(answer)]
    }
    const text = await running.mine.call('uploadMedia', {
      body: 'a file',
      headers: { 'content-type': 'text/plain' },
    })
    const invalid = [400, 'invalid_request']
    assert.deepEqual(await refused({ mediaId: text.json.mediaId }), [...invalid, 'picture.mediaId'])
    const unreachable = { mediaUrl: 'https://nowhere.example/a.png' }
    assert.deepEqual(await refused(unreachable), [...invalid, 'picture.mediaUrl'])
    const own = { mediaUrl: 'http://127.0.0.1/a.png' }
    assert.deepEqual(await refused(own), [400, 'url_not_allowed', 'picture.mediaUrl'])
    for (const bytes of [png(9, 9).subarray(0, 40), pixelBomb()])
      assert.deepEqual(await refused({ mediaId: await upload(bytes) }), [...invalid, 'picture.mediaId'])
  })

  test('404 when the uploaded picture is unknown or of another account', async () => {
    const { account } = await fixture()
    const other = await (await account()).call('uploadMedia', { upload: png(2, 2) })
    for (const mediaId of [other.json.mediaId, 'media-0000000000000000000000']) {
      const answer = await call({ body: { picture: { mediaId } } })
      assert.deepEqual([answer.status, answer.json.reason], [404, 'media_not_found'])
    }
  })
})
