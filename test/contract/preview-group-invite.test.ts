// GET /groups/invite/{code}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { BEN, GROUP, liveRules, sampleCall } from './group-rules.ts'

contract('GET /groups/invite/{code}', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'previewGroupInvite')
  const refusals = { unknown_invite: [404, 'invite_not_found'] } as const
  liveRules(fixture, { id: 'previewGroupInvite', script: 'previewInvite', refusals })

  test('200 returns what a stranger may see of the group', async () => {
    const previewed: string[] = []
    const answer = await scripted(
      await fixture(),
      {
        async previewInvite(_id, code) {
          previewed.push(code)
          return {
            jid: GROUP,
            subject: 'Team',
            description: 'All of us',
            ownerJid: BEN.jid,
            createdAtMs: 1_700_000_000_000,
            size: 12,
            joinApproval: true,
          }
        },
      },
      () => call(),
    )
    assert.equal(answer.status, 200)
    assert.deepEqual(previewed, ['AbCdEfGhIjKlMnOpQrStUv'])
    assert.deepEqual(answer.json.preview, {
      groupJid: GROUP,
      subject: 'Team',
      description: 'All of us',
      ownerJid: BEN.jid,
      createdAt: '2023-11-14T22:13:20.000Z',
      size: 12,
      joinApproval: true,
    })
  })

  test('400 when the code cannot be one', async () => {
    for (const code of ['abc', 'not a code', 'x'.repeat(65)]) {
      const answer = await call({ params: { code } })
      assert.equal(answer.status, 400, code)
      assert.deepEqual(faultPaths(answer), ['code'])
    }
  })
})
