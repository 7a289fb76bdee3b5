import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Card, parseCard } from './vcard.ts'

const card = (change: Partial<Card>): Card => ({
  name: null,
  organization: null,
  phones: [],
  truncated: false,
  ...change,
})
const cases: [string, string, Card][] = [
  [
    'as phones write it',
    'BEGIN:VCARD\nVERSION:3.0\nN:Silva;José;;;\nFN:José Silva\nitem1.TEL;waid=5511912345678:+55 11 91234-5678\nitem1.X-ABLabel:Mobile\nORG:Acme;\nEND:VCARD',
    card({
      name: 'José Silva',
      organization: 'Acme',
      phones: [{ number: '+55 11 91234-5678', phone: '5511912345678' }],
    }),
  ],
  [
    'with carriage returns and several numbers',
    'BEGIN:VCARD\r\nFN:A\r\nTEL;type=CELL;type=VOICE;waid=4915112345678:+49 151 12345678\r\nTEL;TYPE=home:(030) 1234\r\nEND:VCARD\r\n',
    card({
      name: 'A',
      phones: [
        { number: '+49 151 12345678', phone: '4915112345678' },
        { number: '(030) 1234', phone: '0301234' },
      ],
    }),
  ],
  [
    'with a folded line',
    'FN:Ana\n  Maria\nTEL:12345\n 67',
    card({ name: 'Ana Maria', phones: [{ number: '1234567', phone: '1234567' }] }),
  ],
  ['without a full name', 'N:Silva;Ana;Maria;;', card({ name: 'Ana Maria Silva' })],
  ['with escapes', 'FN:Silva\\, Ana\\; Dr.\\nX', card({ name: 'Silva, Ana; Dr. X' })],
  [
    'of version 4',
    'FN:A\nTEL;VALUE=uri;TYPE="voice,home":tel:+49-30-1234567',
    card({ name: 'A', phones: [{ number: '+49-30-1234567', phone: '49301234567' }] }),
  ],
  ['with text that is not a number', 'FN:A\nTEL:call me', card({ name: 'A' })],
  [
    'whose number is known to the network without the ninth digit',
    'FN:A\nTEL;waid=551112345678:+55 11 91234-5678',
    card({ name: 'A', phones: [{ number: '+55 11 91234-5678', phone: '551112345678' }] }),
  ],
  ['that is empty', '', card({})],
  ['that is not a card', 'hello\n:\n;;;:x\nTEL', card({})],
]

describe('contact cards', () => {
  for (const [name, text, expected] of cases) {
    test(`a card ${name}`, () => assert.deepEqual(parseCard(text), expected))
  }

  test('a long hostile card is read in one go', () => {
    const quotes = `TEL;${'"'.repeat(20_000)}`
    const folds = `FN:${'a\n '.repeat(20_000)}`
    assert.equal(parseCard(`${quotes}\n${folds}`).phones.length, 0)
  })

  test('a card has at most 256 numbers, and says that there are more', () => {
    const { phones, truncated } = parseCard('TEL:+5511912345678\n'.repeat(300))
    assert.deepEqual([phones.length, truncated], [256, true])
  })

  test('empty units of an organization are dropped at its end only, and a card is read up to a length', () => {
    assert.equal(parseCard('ORG:Shop;Sales;;').organization, 'Shop;Sales')
    // In quadratic time this would take hours.
    const many = ';'.repeat(5_000_000)
    assert.equal(parseCard(`ORG:Shop${many}x`).organization, 'Shop')
  })
})
