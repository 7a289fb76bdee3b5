// POST /groups/{groupJid}/leave
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { scripted, withInstance } from './fixture.ts'
import { FOR_MEMBERS, GROUP, liveRules, sampleCall } from './group-rules.ts'

contract('POST /groups/{groupJid}/leave', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'leaveGroup')
  liveRules(fixture, { id: 'leaveGroup', script: 'leaveGroup', refusals: FOR_MEMBERS })

  test('200 leaves the group', async () => {
    const left: string[] = []
    const leaveGroup = async (_id: number, jid: string) => void left.push(jid)
    const answer = await scripted(await fixture(), { leaveGroup }, () => call())
    assert.deepEqual([answer.status, answer.json.groupJid, left], [200, GROUP, [GROUP]])
  })
})
