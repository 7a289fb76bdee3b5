// Tests that blocking and unblocking share.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Gateway } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { liveRules, sampleCall } from './group-rules.ts'

export function blockRules(
  gateway: () => Promise<Gateway>,
  id: 'blockPerson' | 'unblockPerson',
  isBlocked: boolean,
): void {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, id)
  liveRules(fixture, { id, script: 'setBlocked' })

  test('200 passes the person on to the network', async () => {
    const running = await fixture()
    const requested: unknown[] = []
    const setBlocked = async (...args: unknown[]) => void requested.push(args)
    const answer = await scripted(running, { setBlocked }, () => call())
    const jid = '5511912345678@s.whatsapp.net'
    assert.deepEqual(answer.json.person, { number: '5511912345678', jid, isBlocked })
    assert.deepEqual(requested, [[running.instance.id, jid, isBlocked]])
  })

  test('400 when number is not a phone number', async () => {
    const answer = await call({ params: { number: '12' } })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['number'])
  })

  test('404 when the number is not registered', async () => {
    const checkNumber = (number: string) => ({ exists: false, jid: `${number}@s.whatsapp.net` })
    const answer = await scripted(await fixture(), { checkNumber }, () => call())
    assert.deepEqual([answer.status, answer.json.reason], [404, 'person_not_found'])
  })
}
