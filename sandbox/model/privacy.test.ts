import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allows,
  isPrivacyCategory,
  isPrivacyValue,
  privacyOf,
  showsLastSeen,
  showsOnline,
} from './privacy.ts'
import type { Account } from './world.ts'

type Person = Pick<Account, 'number' | 'blocked' | 'addressBook' | 'privacy'>

const person = (number: string, more: Partial<Person> = {}): Person => ({
  number,
  blocked: [],
  addressBook: {},
  privacy: {},
  ...more,
})
const other = person('2')

test('without a setting the default applies', () => {
  assert.equal(privacyOf(person('1'), 'groupadd'), 'all')
  assert.equal(privacyOf(person('1'), 'online'), 'match_last_seen')
  assert.equal(privacyOf(person('1', { privacy: { last: 'none' } }), 'last'), 'none')
})

test('a category accepts its own values only', () => {
  assert.equal(isPrivacyCategory('groupadd'), true)
  assert.equal(isPrivacyCategory('toString'), false)
  assert.equal(isPrivacyValue('profile', 'none'), true)
  assert.equal(isPrivacyValue('groupadd', 'none'), false)
})

for (const [value, forContact, forStranger] of [
  ['all', true, true],
  ['contacts', true, false],
  ['contact_blacklist', true, false],
  ['none', false, false],
] as const)
  test(`profile ${value}: a contact ${forContact ? 'sees' : 'does not see'} the picture, a stranger ${forStranger ? 'sees' : 'does not see'} it`, () => {
    const privacy = { profile: value }
    assert.equal(allows(person('1', { privacy, addressBook: { 2: 'Two' } }), 'profile', other), forContact)
    assert.equal(allows(person('1', { privacy }), 'profile', other), forStranger)
  })

test('a person is never hidden from themselves, and always from people they blocked', () => {
  const owner = person('1', { privacy: { profile: 'none' } })
  assert.equal(allows(owner, 'profile', owner), true)
  assert.equal(allows(person('1', { blocked: ['2'] }), 'profile', other), false)
})

test('a person who hides the last-seen time does not see that of others', () => {
  const hiding = person('1', { privacy: { last: 'none' } })
  assert.equal(showsLastSeen(hiding, other), false)
  assert.equal(showsLastSeen(other, hiding), false)
  assert.equal(showsLastSeen(other, person('3')), true)
})

test('online follows the last-seen time unless it is shown to all', () => {
  const hiding = { last: 'none' } as const
  assert.equal(showsOnline(person('1', { privacy: hiding }), other), false)
  assert.equal(showsOnline(person('1', { privacy: { ...hiding, online: 'all' } }), other), true)
  assert.equal(showsOnline(person('1', { privacy: { online: 'all' }, blocked: ['2'] }), other), false)
})
