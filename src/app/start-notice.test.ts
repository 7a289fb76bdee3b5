import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf, startNotice } from './start-notice.ts'

const server = { url: 'http://127.0.0.1:8080', directory: './data' }
const newKeys = { account: 'sk_account', operator: 'sk_operator' }

test('new keys and then the address are the last lines, without escapes where no terminal shows them', () => {
  for (const form of ['plain', 'terminal'] as const)
    assert.equal(
      startNotice({ ...server, newKeys }, form),
      `
Switchboard is ready. The keys are shown this once:

  API key       sk_account  sign in with it; also in ./data/first-api-key
  Operator key  sk_operator  for /operator; also in ./data/operator-key
  Address       http://127.0.0.1:8080

`,
    )
})

test('a terminal with colours shows the same text', () => {
  const notice = startNotice({ ...server, newKeys }, 'colours')
  assert.ok(notice.includes('\x1b[1msk_account\x1b[0m'))
  const plain = ['\x1b[0m', '\x1b[1m', '\x1b[2m'].reduce(
    (text, escape) => text.replaceAll(escape, ''),
    notice,
  )
  assert.equal(plain, startNotice({ ...server, newKeys }, 'plain'))
})

test('a later start shows only the address, and only on a terminal', () => {
  assert.equal(startNotice({ ...server, newKeys: {} }, 'plain'), '')
  assert.equal(
    startNotice({ ...server, newKeys: {} }, 'terminal'),
    '\nSwitchboard is ready.\n\n  Address       http://127.0.0.1:8080\n\n',
  )
})

test('the form follows the stream, NO_COLOR and TERM', () => {
  assert.equal(formOf({}, {}), 'plain')
  assert.equal(formOf({ isTTY: true }, {}), 'colours')
  assert.equal(formOf({ isTTY: true }, { NO_COLOR: '1' }), 'terminal')
  assert.equal(formOf({ isTTY: true }, { TERM: 'dumb' }), 'terminal')
  assert.equal(formOf({ isTTY: false }, { TERM: 'xterm' }), 'plain')
})
