// POST /groups/join
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { GROUP, liveRules, sampleCall } from './group-rules.ts'

contract('POST /groups/join', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'joinGroup')
  const refusals = { unknown_invite: [404, 'invite_not_found'] } as const
  liveRules(fixture, { id: 'joinGroup', script: 'joinGroup', refusals })
  const join = async (code: unknown) => {
    const { instance } = await fixture()
    return call({ body: { instanceName: instance.name, code } })
  }

  test('200 joins by code or by link', async () => {
    const codes: string[] = []
    const joinGroup = async (_id: number, code: string) => {
      codes.push(code)
      return { jid: GROUP, isMember: true }
    }
    const code = 'AbCdEfGhIjKlMnOpQrStUv'
    const links = [
      code,
      `https://chat.whatsapp.com/${code}`,
      `https://chat.whatsapp.com/invite/${code}`,
      `https://chat.whatsapp.com/${code}?mode=ac_t`,
    ]
    for (const link of links) {
      const answer = await scripted(await fixture(), { joinGroup }, () => join(link))
      assert.deepEqual([answer.status, answer.json.groupJid, answer.json.status], [200, GROUP, 'joined'])
    }
    assert.deepEqual(new Set(codes), new Set([code]))
  })

  test('200 with requested when an admin has to approve', async () => {
    const joinGroup = async () => ({ jid: GROUP, isMember: false })
    const answer = await scripted(await fixture(), { joinGroup }, () => join('AbCdEfGhIjKlMnOpQrStUv'))
    assert.deepEqual([answer.status, answer.json.status], [200, 'requested'])
  })

  test('400 when the code cannot be one', async () => {
    for (const code of ['abc', 'https://example.com/AbCdEfGhIjKlMnOpQrStUv', 7, undefined]) {
      const answer = await join(code)
      assert.equal(answer.status, 400, String(code))
      assert.deepEqual(faultPaths(answer), ['code'])
    }
  })
})
