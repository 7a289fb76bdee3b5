// POST /groups/{groupJid}/members
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { ANA, BEN, FOR_ADMINS, GROUP, liveRules, sampleCall, withGroup } from './group-rules.ts'

contract('POST /groups/{groupJid}/members', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'changeGroupMembers')
  const grouped = withGroup(fixture)
  liveRules(fixture, { id: 'changeGroupMembers', script: 'changeMembers', refusals: FOR_ADMINS })
  const outcomes = (answer: { json: { members: { outcome: string }[] } }) =>
    answer.json.members.map(({ outcome }) => outcome)

  test('200 adds registered numbers, and returns an outcome per number', async () => {
    const running = await grouped()
    const requested: unknown[] = []
    const codes = [200, 409, 404, 408]
    const answer = await scripted(
      running,
      {
        checkNumber: (number) => ({ exists: number !== '5511900000000', jid: `${number}@s.whatsapp.net` }),
        async changeMembers(_id, jid, action, people) {
          requested.push(jid, action, people.length)
          return codes.map((code) => ({ code, isInvited: false }))
        },
      },
      () =>
        call({
          body: { add: ['5511900000000', '5511900000001', ANA.phone, '5511900000002', '5511900000003'] },
        }),
    )
    assert.equal(answer.status, 200)
    assert.deepEqual(requested, [GROUP, 'add', 4])
    assert.deepEqual(outcomes(answer), [
      'not_on_network',
      'added',
      'already_member',
      'not_on_network',
      'refused',
    ])
    assert.equal(answer.json.members[4].networkCode, 408)
    assert.equal(answer.json.group.groupJid, GROUP)
  })

  test('200 removes, promotes and demotes members by any form of their number', async () => {
    const phone = '5511987654321'
    const ana = { ...ANA, phone, jid: `${phone}@s.whatsapp.net`, lid: '111@lid' }
    const running = await grouped({ participants: [ana, BEN] })
    const done = { remove: 'removed', promote: 'promoted', demote: 'demoted' }
    for (const [action, outcome] of Object.entries(done)) {
      const requested: unknown[] = []
      const answer = await scripted(
        running,
        {
          async changeMembers(_id, _jid, name, people) {
            requested.push(name, ...people)
            return [{ code: 200, isInvited: false }]
          },
        },
        // Without the ninth digit, which the network has.
        () => call({ body: { [action]: ['551187654321', '5511900000009'] } }),
      )
      assert.deepEqual(outcomes(answer), [outcome, 'not_a_member'])
      assert.deepEqual(requested, [action, { jid: ana.jid, lid: '111@lid' }])
    }
  })

  test('200 asks the network for no change when no number can be changed', async () => {
    const running = await grouped()
    const changeMembers = () => assert.fail('not expected')
    const answer = await scripted(running, { changeMembers }, () =>
      call({ body: { remove: ['5511900000009'] } }),
    )
    assert.deepEqual(outcomes(answer), ['not_a_member'])
  })

  test('400 unless exactly one list of valid numbers is given', async () => {
    const wrong: [Record<string, unknown>, string[]][] = [
      [{}, ['add']],
      [{ add: [ANA.phone], remove: [BEN.phone] }, ['add']],
      [{ add: [] }, ['add']],
      [{ promote: ['abc'] }, ['promote.0']],
      [{ kick: [ANA.phone] }, ['add', 'kick']],
    ]
    for (const [body, paths] of wrong) {
      const answer = await call({ body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(faultPaths(answer), paths)
    }
  })
})
