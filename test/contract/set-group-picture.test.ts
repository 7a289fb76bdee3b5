// PUT /groups/{groupJid}/picture
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageType } from '../../src/files/rules.ts'
import { contract } from '../support/gateway.ts'
import { pixelBomb, png } from '../support/sample-files.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { FOR_ADMINS, GROUP, liveRules, reportGroup, sampleCall } from './group-rules.ts'
import { reportPicture } from './known-picture.ts'

contract('PUT /groups/{groupJid}/picture', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'setGroupPicture')
  liveRules(fixture, { id: 'setGroupPicture', script: 'setGroupPicture', refusals: FOR_ADMINS })

  test('200 passes a JPEG on with any declared type, and returns the URL of the picture', async () => {
    const running = await fixture()
    await reportGroup(running, running.instance.id)
    const image = png(3, 3)
    for (const type of ['image/png', 'application/json', 'text/plain']) {
      const answer = await scripted(
        running,
        {
          async setGroupPicture(instanceId, jid, picture) {
            assert.deepEqual([jid, picture && imageType(picture)], [GROUP, 'image/jpeg'])
            await reportPicture(running, instanceId, jid)
          },
        },
        () => call({ upload: image, headers: { 'content-type': type } }),
      )
      assert.equal(answer.status, 200, type)
      assert.match(answer.json.group.profilePictureUrl, /\/chats\/picture\?/)
    }
  })

  test('400 when the body is not a JPEG or PNG image', async () => {
    for (const upload of [Buffer.alloc(0), Buffer.from('<svg/>'), Buffer.from('RIFFxxxxWEBP')]) {
      const answer = await call({ upload })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['body'])
    }
  })

  test('400 when the image cannot be read', async () => {
    const answer = await call({ upload: png(9, 9).subarray(0, 40) })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['body'])
  })

  test('400 when the image decodes to more pixels than allowed', async () => {
    const answer = await call({ upload: pixelBomb() })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['body'])
    assert.match(JSON.stringify(answer.json), /40 million pixels/)
  })

  test('413 when the body has more than 5 MB', async () => {
    const answer = await call({ upload: Buffer.alloc(5 * 1024 * 1024 + 1) })
    assert.deepEqual([answer.status, answer.json.reason], [413, 'body_too_large'])
    assert.match(answer.json.error, /5 MB/)
  })
})
