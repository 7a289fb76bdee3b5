// Tests that all endpoints share whose file can be an uploaded one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from '../support/sample-files.ts'
import { type Fixture, faultPaths } from './fixture.ts'
import { freshInstance, type SendId, storedMessages } from './sender.ts'

type Body = Record<string, unknown>

const UNKNOWN_ID = `media-${'A'.repeat(22)}`

/** `withFile` puts the fields of the file where the body has them; `path` is the path of these fields. */
export function uploadRules(
  fixture: () => Promise<Fixture>,
  id: SendId,
  withFile: (file: Body) => Body = (file) => ({ mediaUrl: undefined, ...file }),
  path = '',
): void {
  test('200 takes an uploaded file instead of a URL', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const uploaded = await running.mine.call('uploadMedia', {
      body: png(2, 2),
      headers: { 'content-type': 'image/png' },
    })
    assert.equal(uploaded.status, 200)
    const answer = await send(withFile({ mediaId: uploaded.json.mediaId }))
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    const [row] = await storedMessages(running, instance.id)
    assert.ok(row?.content.includes(`"mediaId":"${uploaded.json.mediaId}"`))
  })

  test('404 media_not_found when there is no such upload', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    const answer = await send(withFile({ mediaId: UNKNOWN_ID }))
    assert.deepEqual([answer.status, answer.json.reason], [404, 'media_not_found'])
    assert.deepEqual(faultPaths(answer), [`${path}mediaId`])
    assert.equal((await storedMessages(running, instance.id)).length, 0)
  })

  test('400 when there are both a URL and an upload, or an invalid id', async () => {
    const running = await fixture()
    const { send } = await freshInstance(running, id)
    const both = await send(withFile({ mediaUrl: 'https://example.com/a.png', mediaId: UNKNOWN_ID }))
    assert.deepEqual([both.status, faultPaths(both)], [400, [`${path}mediaUrl`]])
    for (const mediaId of ['', 'media-1', 7, `${UNKNOWN_ID}A`]) {
      const answer = await send(withFile({ mediaId }))
      assert.deepEqual([answer.status, faultPaths(answer)], [400, [`${path}mediaId`]], String(mediaId))
    }
  })
}
