import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  allNumberForms,
  numbersInGroups,
  numbersInMessage,
  numbersOfChats,
  numbersOfPeople,
} from './rules-number-evidence.ts'

const person = (jid: string, phone: string | null) => ({ jid, lid: null, phone, pushName: null })

describe('evidence that a number is registered', () => {
  test('covers all forms of the number: Brazil’s ninth digit, the extra digit of Mexico and Argentina', () => {
    assert.deepEqual(allNumberForms(['551187654321']), ['551187654321', '5511987654321'])
    assert.deepEqual(allNumberForms(['5511987654321']), ['5511987654321', '551187654321'])
    assert.deepEqual(allNumberForms(['5215512345678']), ['5215512345678', '525512345678'])
    assert.deepEqual(allNumberForms(['5491112345678']), ['5491112345678', '541112345678'])
    assert.deepEqual(allNumberForms(['551131234567']), ['551131234567'])
    assert.deepEqual(allNumberForms(['4915112345678', '4915112345678']), ['4915112345678'])
  })

  test('a message gives the numbers of its author and of its chat; in a group only that of its author', () => {
    const from = person('1@lid', '4915112345678')
    assert.deepEqual(numbersInMessage({ from, chat: '1203@g.us' }), ['4915112345678'])
    assert.deepEqual(numbersInMessage({ from: person('1@lid', null), chat: '1@lid' }), [])
    assert.deepEqual(numbersInMessage({ from, chat: '4915100000000@s.whatsapp.net' }), [
      '4915112345678',
      '4915100000000',
    ])
  })

  test('people, group members and chats give the numbers they have', () => {
    assert.deepEqual(numbersOfPeople([person('1@lid', null), person('49@s.whatsapp.net', '49')]), ['49'])
    const participants = [{ jid: '49@s.whatsapp.net', lid: '1@lid', phone: '49', isAdmin: false }]
    assert.deepEqual(numbersInGroups([{ participants }]), ['49'])
    assert.deepEqual(numbersOfChats([{ jid: '49@s.whatsapp.net' }, { jid: '1@g.us' }, { jid: '1@lid' }]), [
      '49',
    ])
  })
})
