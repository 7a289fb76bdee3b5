import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WACallEvent, WACallUpdateType } from '../library/protocol.ts'
import { toNetworkCall } from './report-events.ts'

const OFFER: WACallEvent = {
  chatId: '111@lid',
  from: '111:3@lid',
  callerPn: '5511900000001@s.whatsapp.net',
  id: 'CALL',
  date: new Date(1_700_000_000_000),
  offline: false,
  status: 'offer',
  isVideo: true,
  isGroup: false,
}

test('an offer has the caller under both names', () => {
  assert.deepEqual(toNetworkCall(OFFER), {
    id: 'CALL',
    from: { jid: '5511900000001@s.whatsapp.net', lid: '111@lid', phone: '5511900000001', pushName: null },
    creator: '111@lid',
    status: 'offer',
    atMs: 1_700_000_000_000,
    isVideo: true,
    isGroup: false,
    groupJid: null,
  })
})

const STATUSES: [WACallUpdateType, string | undefined][] = [
  ['ringing', 'ringing'],
  ['preaccept', 'ringing'],
  ['accept', 'accepted'],
  ['reject', 'rejected'],
  ['timeout', 'missed'],
  ['terminate', 'ended'],
  ['transport', undefined],
  ['relaylatency', undefined],
]
for (const [status, expected] of STATUSES)
  test(`${status} is ${expected ?? 'not reported'}`, () => {
    const { isVideo: _video, isGroup: _group, ...later } = OFFER
    const call = toNetworkCall({ ...later, status })
    assert.equal(call?.status, expected)
    if (call) assert.deepEqual([call.isVideo, call.isGroup], [null, null])
  })

test('without a caller, the chat is the caller, unless it is a group', () => {
  const { from: _from, callerPn: _number, ...rest } = OFFER
  const unnamed = (chatId: string) => toNetworkCall({ ...rest, chatId } as WACallEvent)
  assert.equal(unnamed('5511900000001@s.whatsapp.net')?.creator, '5511900000001@s.whatsapp.net')
  assert.equal(unnamed('120363000000000001@g.us'), undefined)
})
