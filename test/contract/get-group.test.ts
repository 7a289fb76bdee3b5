// GET /groups/{groupJid}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { ANA, FOR_MEMBERS, GROUP, liveRules, reportGroup, sampleCall } from './group-rules.ts'

contract('GET /groups/{groupJid}', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'getGroup')
  liveRules(fixture, { id: 'getGroup', script: 'refreshGroup', refusals: FOR_MEMBERS })

  test('200 returns the group as the network has it now, with its participants', async () => {
    const running = await fixture()
    await reportGroup(running, running.instance.id, { subject: 'Old' })
    const answer = await scripted(
      running,
      {
        refreshGroup: (instanceId, jid) =>
          reportGroup(running, instanceId, {
            jid,
            subject: 'Now',
            joinApproval: true,
            memberAdd: 'all',
            disappearingSeconds: 604_800,
          }),
      },
      () => call(),
    )
    assert.equal(answer.status, 200)
    const { group } = answer.json
    assert.deepEqual(
      [group.groupJid, group.subject, group.joinApproval, group.memberAdd, group.disappearingSeconds],
      [GROUP, 'Now', true, 'all', 604_800],
    )
    const names = { chat: ANA.jid, number: ANA.phone, lid: null, username: null }
    const participant = { ...names, jid: ANA.jid, phone: ANA.phone, isAdmin: false }
    assert.deepEqual(group.participants[0], participant)
  })

  test('400 when the group identifier is not valid', async () => {
    const answer = await call({ params: { groupJid: '5511912345678@s.whatsapp.net' } })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['groupJid'])
  })
})
