import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { arrivalName, stanzaName, stanzaOf } from './arrival-names.ts'

const CHAT = '5511912345678@s.whatsapp.net'

describe('names of arrivals', () => {
  test('keep identifiers of the usual form', () => {
    const stanza = stanzaName({ from: '1-2@g.us', participant: '77:12@lid', id: '3EB0' })
    assert.equal(arrivalName(stanza, 0, 'digest'), '1-2@g.us|77:12@lid|3EB0|0|digest')
    assert.deepEqual(stanzaOf(arrivalName(stanza, 0, 'digest')), {
      stanza,
      chat: '1-2@g.us',
      messageId: '3EB0',
    })
  })

  test('are short and plain whatever a stranger chose as id', () => {
    for (const id of ['x'.repeat(4096), 'a\0b', 'a|b', '\ud800']) {
      const name = stanzaName({ from: CHAT, id })
      assert.match(name, /^5511912345678@s\.whatsapp\.net\|\|~[\w-]{43}$/)
      assert.equal(stanzaOf(arrivalName(name, 0)).stanza, name)
    }
  })

  test('differ for different ids', () => {
    assert.notEqual(stanzaName({ from: CHAT, id: 'a\0' }), stanzaName({ from: CHAT, id: 'b\0' }))
  })
})
