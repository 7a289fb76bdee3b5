// Presence as the library reports it, in the words of the port.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPresence } from './presence.ts'

const ANA = '5511912345678@s.whatsapp.net'
const event = (id: string, presence: object) =>
  toPresence({ id, presences: { [id]: presence } } as Parameters<typeof toPresence>[0])

test('each state of the library has a name; the last-seen time counts only for a person who is away', () => {
  const states = { available: 'available', paused: 'available', composing: 'typing', recording: 'recording' }
  for (const [given, presence] of Object.entries(states))
    assert.deepEqual(event(ANA, { lastKnownPresence: given, lastSeen: 5 }), {
      jid: ANA,
      presence,
      lastSeenMs: null,
    })
  const away = { lastKnownPresence: 'unavailable' }
  assert.equal(event(ANA, { ...away, lastSeen: 1_700_000_000 })?.lastSeenMs, 1_700_000_000_000)
  assert.equal(event(ANA, { ...away, lastSeen: undefined })?.lastSeenMs, null)
  assert.equal(event(ANA, { ...away, lastSeen: 0 })?.lastSeenMs, null)
})

test('people are named without their device, by number or by lid; groups are left out', () => {
  const typing = { lastKnownPresence: 'composing' }
  assert.equal(event('5511912345678:4@s.whatsapp.net', typing)?.jid, ANA)
  assert.equal(event('111@lid', typing)?.jid, '111@lid')
  assert.equal(event('120363000000000000@g.us', typing), undefined)
  assert.equal(event(ANA, { lastKnownPresence: 'dancing' }), undefined)
})
