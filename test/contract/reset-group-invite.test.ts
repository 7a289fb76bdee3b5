// POST /groups/{groupJid}/invite/reset
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'
import { FOR_ADMINS, liveRules, sampleCall } from './group-rules.ts'

contract('POST /groups/{groupJid}/invite/reset', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'resetGroupInvite')
  liveRules(fixture, { id: 'resetGroupInvite', script: 'resetGroupInvite', refusals: FOR_ADMINS })

  test('200 returns the new code and the link with it', async () => {
    const answer = await call()
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      success: true,
      code: 'VuTsRqPoNmLkJiHgFeDcBa',
      link: 'https://chat.whatsapp.com/VuTsRqPoNmLkJiHgFeDcBa',
    })
  })
})
