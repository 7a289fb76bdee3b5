// GET /groups/{groupJid}/invite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'
import { FOR_ADMINS, liveRules, sampleCall } from './group-rules.ts'

contract('GET /groups/{groupJid}/invite', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'getGroupInvite')
  liveRules(fixture, { id: 'getGroupInvite', script: 'groupInvite', refusals: FOR_ADMINS })

  test('200 returns the code and the link with it', async () => {
    const answer = await call()
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      success: true,
      code: 'AbCdEfGhIjKlMnOpQrStUv',
      link: 'https://chat.whatsapp.com/AbCdEfGhIjKlMnOpQrStUv',
    })
  })
})
