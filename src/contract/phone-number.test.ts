import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { digitsOf } from './phone-number.ts'

describe('a typed phone number', () => {
  test('has 7 to 15 digits', () => {
    for (const digits of ['1234567', '123456789012345']) assert.equal(digitsOf(digits), digits)
    for (const text of ['', '123456', '1234567890123456']) assert.equal(digitsOf(text), undefined, text)
  })
  test('is read from the identifier of a person, also of one device and of old clients', () => {
    for (const text of [
      '5511912345678@s.whatsapp.net',
      '5511912345678:12@s.whatsapp.net',
      '5511912345678@c.us',
      '+55 11 91234-5678@c.us',
    ])
      assert.equal(digitsOf(text), '5511912345678', text)
    for (const text of [
      '120363000000000000@g.us',
      '5511912345678@g.us',
      '111222333444@lid',
      '5511912345678@c.us.example.com',
      '5511912345678@c.us@c.us',
      '5511912345678:@c.us',
      '123456@c.us',
      '@c.us',
    ])
      assert.equal(digitsOf(text), undefined, text)
  })
  test('may have spaces, brackets, hyphens and a plus sign, and nothing else', () => {
    assert.equal(digitsOf('+55 (11) 91234-5678'), '5511912345678')
    for (const text of ['5511912345678x', '55.11.91234', 'Ana']) assert.equal(digitsOf(text), undefined, text)
  })
})
