import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthenticationCreds } from 'baileys'
import { confirmOnce } from './pairing-socket.ts'

const ME = { id: '5511900000001:1@s.whatsapp.net', lid: '1:2@lid' }
const success = (lid?: string) => ({ tag: 'success', attrs: { t: '1', ...(lid !== undefined && { lid }) } })

/** The stanzas that the library sees. */
function seenBy(creds: Pick<AuthenticationCreds, 'account' | 'me'>, ...stanzas: unknown[]): unknown[] {
  const seen: unknown[] = []
  const listener = confirmOnce(creds, (stanza) => seen.push(stanza))
  for (const stanza of stanzas) listener(stanza)
  return seen
}

test('a confirmation without a valid lid keeps the lid that is known', () => {
  for (const lid of [undefined, '', 'x@lid', '1@s.whatsapp.net'])
    assert.deepEqual(seenBy({ account: {}, me: ME }, success(lid)), [success(ME.lid)])
  assert.deepEqual(seenBy({ account: {}, me: { id: ME.id } }, success('x@lid')), [success()])
})

test('the lid that the network gives is taken over', () => {
  assert.deepEqual(seenBy({ account: {}, me: ME }, success('3:4@lid')), [success('3:4@lid')])
})

test('a second confirmation on the same connection is ignored, and so is one without a login', () => {
  assert.deepEqual(seenBy({ account: {}, me: ME }, success(), success('3:4@lid')), [success(ME.lid)])
  assert.deepEqual(seenBy({ me: ME }, success()), [])
})
