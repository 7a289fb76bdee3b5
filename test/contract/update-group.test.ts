// PATCH /groups/{groupJid}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { FOR_ADMINS, GROUP, liveRules, reportGroup, sampleCall } from './group-rules.ts'

contract('PATCH /groups/{groupJid}', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'updateGroup')
  liveRules(fixture, { id: 'updateGroup', script: 'changeGroup', refusals: FOR_ADMINS })

  test('200 passes only the given settings on, and returns the stored group', async () => {
    const running = await fixture()
    await reportGroup(running, running.instance.id)
    const requested: unknown[] = []
    const change = (body: Record<string, unknown>) =>
      scripted(
        running,
        {
          async changeGroup(instanceId, jid, settings) {
            requested.push([jid, settings])
            await reportGroup(running, instanceId, { isAnnouncement: true })
          },
        },
        () => call({ body }),
      )
    const every = {
      subject: 'Next',
      description: null,
      announce: true,
      locked: false,
      joinApproval: true,
      memberAdd: 'admins',
      disappearingSeconds: 7_776_000,
    }
    const answer = await change(every)
    assert.deepEqual([answer.status, answer.json.group.isAnnouncement], [200, true])
    await change({ locked: true })
    assert.deepEqual(requested, [
      [GROUP, every],
      [GROUP, { locked: true }],
    ])
  })

  test('400 when no field or a field that is not valid is given', async () => {
    const wrong: [Record<string, unknown>, string[]][] = [
      [{}, ['']],
      [{ subject: 'x'.repeat(101) }, ['subject']],
      [{ subject: null }, ['subject']],
      [{ announce: 'yes' }, ['announce']],
      [{ memberAdd: 'some' }, ['memberAdd']],
      [{ disappearingSeconds: 3600 }, ['disappearingSeconds']],
      [{ picture: 'x' }, ['', 'picture']],
    ]
    for (const [body, paths] of wrong) {
      const answer = await call({ body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(faultPaths(answer), paths)
    }
  })
})
