import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownPerson } from './rules.ts'

describe('the account of an instance as a person', () => {
  test('has both identifiers with their server, like every other person', () => {
    assert.deepEqual(ownPerson({ number: '5511912345678', lid: '77', profile_name: 'Ana' }), {
      jid: '5511912345678@s.whatsapp.net',
      lid: '77@lid',
      phone: '5511912345678',
      pushName: 'Ana',
    })
    assert.equal(ownPerson({ number: '5511912345678', lid: null, profile_name: null }).lid, null)
    assert.equal(ownPerson({ number: null, lid: '77', profile_name: null }).jid, '77@lid')
  })
})
