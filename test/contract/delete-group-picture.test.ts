// DELETE /groups/{groupJid}/picture
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { scripted, withInstance } from './fixture.ts'
import { FOR_ADMINS, GROUP, liveRules, reportGroup, sampleCall } from './group-rules.ts'
import { reportPicture } from './known-picture.ts'

contract('DELETE /groups/{groupJid}/picture', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'deleteGroupPicture')
  liveRules(fixture, { id: 'deleteGroupPicture', script: 'setGroupPicture', refusals: FOR_ADMINS })

  test('200 removes the picture', async () => {
    const running = await fixture()
    await reportGroup(running, running.instance.id)
    await reportPicture(running, running.instance.id, GROUP)
    const answer = await scripted(
      running,
      {
        async setGroupPicture(instanceId, jid, picture) {
          assert.equal(picture, null)
          await reportPicture(running, instanceId, jid, 'removed')
        },
      },
      () => call(),
    )
    assert.deepEqual([answer.status, answer.json.group.profilePictureUrl], [200, null])
  })
})
