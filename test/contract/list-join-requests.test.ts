// GET /groups/{groupJid}/requests
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPersonIds } from '../../src/chats/rules.ts'
import { contract } from '../support/gateway.ts'
import { scripted, withInstance } from './fixture.ts'
import { ANA, FOR_ADMINS, liveRules, sampleCall } from './group-rules.ts'

contract('GET /groups/{groupJid}/requests', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'listJoinRequests')
  liveRules(fixture, { id: 'listJoinRequests', script: 'listJoinRequests', refusals: FOR_ADMINS })

  test('200 returns everyone who asks to join', async () => {
    const listJoinRequests = async () => [
      { jid: ANA.jid, lid: '111@lid', phone: ANA.phone, requestedAtMs: 1_700_000_000_000 },
      { jid: '222@lid', lid: '222@lid', phone: null, requestedAtMs: null },
    ]
    const answer = await scripted(await fixture(), { listJoinRequests }, () => call())
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      success: true,
      count: 2,
      requests: [
        {
          ...withPersonIds({ jid: ANA.jid, lid: '111@lid', phone: ANA.phone }),
          requestedAt: '2023-11-14T22:13:20.000Z',
        },
        { ...withPersonIds({ jid: '222@lid', lid: '222@lid', phone: null }), requestedAt: null },
      ],
    })
  })
})
