// Which settings reach a connection, which changes need a new one, and what of a proxy is shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS, maskProxy, needsReconnect, sessionOptionsOf, unmaskProxy } from './rules.ts'

const options = sessionOptionsOf(DEFAULT_SETTINGS, false)

test('a connection is online with the setting, or while presence is followed', () => {
  assert.equal(options.alwaysOnline, false)
  assert.equal(sessionOptionsOf(DEFAULT_SETTINGS, true).alwaysOnline, true)
  assert.equal(sessionOptionsOf({ ...DEFAULT_SETTINGS, alwaysOnline: true }, false).alwaysOnline, true)
})

test('a new proxy needs a new connection, another device name or history only while pairing', () => {
  const cases = [
    [{ proxy: 'http://a:1' }, true, true],
    [{ deviceName: 'Desk' }, true, false],
    [{ syncHistory: 'full' }, true, false],
    [{ alwaysOnline: true }, false, false],
    [{}, false, false],
  ] as const
  for (const [change, whilePairing, otherwise] of cases) {
    assert.equal(needsReconnect(options, { ...options, ...change }, true), whilePairing)
    assert.equal(needsReconnect(options, { ...options, ...change }, false), otherwise)
  }
})

test('user name and password of a proxy are masked, also with an @ in them', () => {
  assert.equal(maskProxy(null), null)
  assert.equal(maskProxy('http://host:3128'), 'http://host:3128')
  assert.equal(maskProxy('socks5://user:secret@host:1080'), 'socks5://***@host:1080')
  assert.equal(maskProxy('socks5://user:a@b@host:1080'), 'socks5://***@host:1080')
})

test('a masked proxy stands for the stored one with its address, and for no other one', () => {
  const stored = 'socks5://user:secret@host:1080'
  assert.equal(unmaskProxy('socks5://***@host:1080', stored), stored)
  assert.equal(unmaskProxy('socks5://a:b@other:1080', stored), 'socks5://a:b@other:1080')
  assert.equal(unmaskProxy('socks5://other:1080', stored), 'socks5://other:1080')
  for (const other of ['socks5://***@other:1080', 'socks5://***@host:1081', 'http://***@host:1080'])
    assert.equal(unmaskProxy(other, stored), undefined, other)
  for (const none of [null, 'socks5://host:1080'])
    assert.equal(unmaskProxy('socks5://***@host:1080', none), undefined)
})
