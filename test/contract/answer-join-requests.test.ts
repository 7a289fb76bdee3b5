// POST /groups/{groupJid}/requests
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { ANA, BEN, FOR_ADMINS, GROUP, liveRules, sampleCall, withGroup } from './group-rules.ts'

contract('POST /groups/{groupJid}/requests', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'answerJoinRequests')
  const grouped = withGroup(fixture)
  liveRules(fixture, { id: 'answerJoinRequests', script: 'listJoinRequests', refusals: FOR_ADMINS })
  const listJoinRequests = async () => [
    { jid: ANA.jid, lid: '111@lid', phone: ANA.phone, requestedAtMs: null },
    { jid: BEN.jid, lid: null, phone: BEN.phone, requestedAtMs: null },
  ]

  test('200 approves or rejects, with an outcome per number', async () => {
    const running = await grouped()
    for (const [answer, outcome] of [
      ['approve', 'approved'],
      ['reject', 'rejected'],
    ] as const) {
      const requested: unknown[] = []
      const reply = await scripted(
        running,
        {
          listJoinRequests,
          async answerJoinRequests(_id, jid, given, people) {
            requested.push(jid, given, people)
            return [
              { code: 200, isInvited: false },
              { code: 500, isInvited: false },
            ]
          },
        },
        () => call({ body: { [answer]: [ANA.phone, '5511900000000', BEN.phone] } }),
      )
      assert.equal(reply.status, 200)
      const people = [
        { jid: ANA.jid, lid: '111@lid' },
        { jid: BEN.jid, lid: null },
      ]
      assert.deepEqual(requested, [GROUP, answer, people])
      assert.deepEqual(reply.json.requests, [
        { number: ANA.phone, chat: ANA.jid, outcome, networkCode: null },
        {
          number: '5511900000000',
          chat: '5511900000000@s.whatsapp.net',
          outcome: 'no_request',
          networkCode: null,
        },
        { number: BEN.phone, chat: BEN.jid, outcome: 'refused', networkCode: 500 },
      ])
      assert.equal(reply.json.group.groupJid, GROUP)
    }
  })

  test('400 unless exactly one of approve and reject is given', async () => {
    for (const body of [{}, { approve: [ANA.phone], reject: [BEN.phone] }]) {
      const answer = await call({ body })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['approve'])
    }
  })
})
