// POST /send/contact
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'

const card = { name: 'Ana Souza', phone: '5511987654321' }
const cards = (count: number) => Array.from({ length: count }, () => card)

contract('POST /send/contact', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendContact', type: 'contact', drawsDelay: false, to: 'number' })

  const whole = { ...card, organisation: 'Acme', email: 'ana@example.com' }
  stores(fixture, 'sendContact', 'stores one to twenty cards with all their fields', [
    [{ contacts: [whole] }, { contacts: [whole] }],
    [{ contacts: cards(20) }, { contacts: cards(20) }],
    [{ contacts: [{ ...card, phone: '+55 (11) 98765-4321' }] }, { contacts: [card] }],
  ])

  refuses(fixture, 'sendContact', 'there is no card, or more than twenty', [
    [{ contacts: undefined }, 'contacts'],
    [{ contacts: [] }, 'contacts'],
    [{ contacts: cards(21) }, 'contacts'],
    [{ contacts: card }, 'contacts'],
  ])

  refuses(fixture, 'sendContact', 'a field of a card is missing, not valid or unknown', [
    [{ contacts: [{ phone: card.phone }] }, 'contacts.0.name'],
    [{ contacts: [card, { ...card, name: '' }] }, 'contacts.1.name'],
    [{ contacts: [{ ...card, name: 'a\nTEL:1' }] }, 'contacts.0.name'],
    [{ contacts: [{ ...card, name: 'x'.repeat(257) }] }, 'contacts.0.name'],
    [{ contacts: [{ name: 'Ana' }] }, 'contacts.0.phone'],
    [{ contacts: [{ ...card, phone: '123' }] }, 'contacts.0.phone'],
    [{ contacts: [{ ...card, organisation: '' }] }, 'contacts.0.organisation'],
    [{ contacts: [{ ...card, email: 'ana' }] }, 'contacts.0.email'],
    [{ contacts: [{ ...card, birthday: '2000-01-01' }] }, 'contacts.0.birthday'],
  ])
})
