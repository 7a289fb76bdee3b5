// POST /calls/{callId}/reject
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordCall } from '../../src/chats/calls.ts'
import type { NetworkCall } from '../../src/network/calls.ts'
import { contract } from '../support/gateway.ts'
import { type Fixture, faultPaths, scripted, shared, withInstance } from './fixture.ts'
import { liveRules, sampleCall } from './group-rules.ts'

const caller = { jid: '5511912345678@s.whatsapp.net', lid: '111@lid', phone: '5511912345678', pushName: null }
const OFFER = { from: caller, creator: '111@lid', isVideo: true, isGroup: false, groupJid: null }

/** As the network reports a call. */
const report = ({ store, clock, instance }: Fixture, id: string, status: NetworkCall['status']) =>
  recordCall({ store, clock: clock.now }, instance.id, { ...OFFER, id, status, atMs: 1_700_000_000_000 })

contract('POST /calls/{callId}/reject', (gateway) => {
  const open = withInstance(gateway)
  /** The call of the sample rings on the instance. */
  const fixture = shared(async () => {
    const running = await open()
    await report(running, '3EB0A1B2C3D4', 'offer')
    return running
  })
  const call = sampleCall(fixture, 'rejectCall')
  liveRules(fixture, { id: 'rejectCall', script: 'rejectCall' })
  const rejected = (callId: string) => call({ params: { callId } })

  test('200 rejects a call that rings, and appends one event', async () => {
    const running = await fixture()
    const { mine, instance } = running
    await report(running, 'RING', 'offer')
    const requested: string[] = []
    const rejectCall = (id: string, creator: string) => void requested.push(id, creator)
    const answer = await scripted(running, { rejectCall }, () => rejected('RING'))
    assert.equal(answer.status, 200)
    assert.deepEqual(requested, ['RING', '111@lid'])
    const { callId, from, isVideo, isGroup, groupJid, status } = answer.json.call
    assert.deepEqual(
      [callId, from, isVideo, isGroup, groupJid, status],
      ['RING', caller, true, false, null, 'rejected'],
    )
    // The network repeats the notice of the rejection.
    await report(running, 'RING', 'rejected')
    const events = await mine.call('listEvents', {
      query: { instanceName: instance.name, events: 'call', limit: 500 },
    })
    const statuses = events.json.events
      .filter(({ data }: { data: { callId: string } }) => data.callId === 'RING')
      .map(({ data }: { data: { status: string } }) => data.status)
    assert.deepEqual(statuses, ['offer', 'rejected'])
  })

  test('400 when the id of the call cannot be one', async () => {
    const answer = await rejected('a b')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['callId'])
  })

  test('404 when there is no such call', async () => {
    const answer = await rejected('UNKNOWN')
    assert.deepEqual([answer.status, answer.json.reason], [404, 'call_not_found'])
  })

  test('409 when the call was answered, missed or ended', async () => {
    const running = await fixture()
    for (const status of ['accepted', 'missed', 'ended', 'rejected'] as const) {
      await report(running, status, 'offer')
      await report(running, status, status)
      const answer = await rejected(status)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'call_over'], status)
    }
  })
})
