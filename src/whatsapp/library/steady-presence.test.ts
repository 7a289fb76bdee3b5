// The account is shown as online only if the gateway says so, whatever the library stores.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { AuthenticationCreds } from 'baileys'
import { keepPresence, type PresenceSocket } from './open-library.ts'

/** Takes updates over as the library does. */
function begin(isOnline = false) {
  const creds: Pick<AuthenticationCreds, 'me'> = { me: { id: '1@s.whatsapp.net', name: 'Ana' } }
  const sent: string[] = []
  const emitter = new EventEmitter()
  const ev = emitter as unknown as PresenceSocket['ev']
  ev.on('creds.update', (update) => {
    if (creds.me?.name !== update.me?.name) sent.push('no type')
    Object.assign(creds, update)
  })
  const calls = keepPresence(
    { ev, sendPresenceUpdate: async (type) => void sent.push(`${type} ${creds.me?.name}`) },
    creds,
    isOnline,
    { debug: assert.fail },
  )
  const rename = (name: string) => ev.emit('creds.update', { me: { id: '1@s.whatsapp.net', name } })
  return { creds, sent, ev, rename, ...calls }
}

test('a change that does not concern the account announces nothing, and keeps the account', () => {
  const { creds, sent, ev } = begin()
  ev.emit('connection.update', { connection: 'open' })
  ev.emit('creds.update', { accountSyncCounter: 1 })
  assert.deepEqual(sent, [])
  assert.deepEqual(creds, { me: { id: '1@s.whatsapp.net', name: 'Ana' }, accountSyncCounter: 1 })
})

test('a new name is announced with the present state', async () => {
  const { sent, ev, rename, sendPresenceUpdate } = begin()
  ev.emit('connection.update', { connection: 'open' })
  ev.emit('connection.update', { receivedPendingNotifications: true })
  rename('Bea')
  await sendPresenceUpdate('available')
  await sendPresenceUpdate('composing', '2@s.whatsapp.net')
  rename('Cleo')
  rename('Cleo')
  assert.deepEqual(sent, ['unavailable Bea', 'available Bea', 'composing Bea', 'available Cleo'])
})

test('an account that is always online stays so with a new name', () => {
  const { sent, ev, rename } = begin(true)
  ev.emit('connection.update', { connection: 'open' })
  rename('Bea')
  assert.deepEqual(sent, ['available Bea'])
})

test('nothing is announced before the connection is open, nor after it is closed', () => {
  const { creds, sent, ev, rename } = begin()
  rename('Bea')
  ev.emit('connection.update', { connection: 'open' })
  ev.emit('connection.update', { connection: 'close' })
  rename('Cleo')
  assert.deepEqual(sent, [])
  assert.equal(creds.me?.name, 'Cleo')
})
