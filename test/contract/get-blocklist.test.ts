// GET /blocklist
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPersonIds } from '../../src/chats/rules.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { liveRules, sampleCall } from './group-rules.ts'

contract('GET /blocklist', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'getBlocklist')
  liveRules(fixture, { id: 'getBlocklist', script: 'blocklist' })

  test('200 lists the blocked people, also those without a known number', async () => {
    const ana = { jid: '5511912345678@s.whatsapp.net', lid: '111@lid', phone: '5511912345678' }
    const hidden = { jid: '222@lid', lid: '222@lid', phone: null }
    const pushName = null
    const blocklist = async () => [
      { ...ana, pushName },
      { ...hidden, pushName },
    ]
    const answer = await scripted(await fixture(), { blocklist }, () => call())
    assert.deepEqual(
      [answer.status, answer.json.count, answer.json.people],
      [200, 2, [ana, hidden].map(withPersonIds)],
    )
  })

  test('400 when the instance is missing', async () => {
    const answer = await call({ query: {} })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })
})
