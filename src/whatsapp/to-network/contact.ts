// Contact cards to the network: one card is a message of its own, several form a list.
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

type Contact = ContentOf<'contact'>['contacts'][number]

export function contactToNetwork({ contacts }: ContentOf<'contact'>, facts: SendFacts): NetworkMessage {
  const cards = contacts.map((contact) => ({ displayName: contact.name, vcard: vcardOf(contact) }))
  const [only, ...others] = cards
  if (only && others.length === 0) return networkMessage({ contactMessage: only }, facts)
  const contactsArrayMessage = { displayName: `${cards.length} contacts`, contacts: cards }
  return networkMessage({ contactsArrayMessage }, facts)
}

/** vCard 3.0. With `waid`, phones offer to write to the number. */
const vcardOf = ({ name, phone, organisation, email }: Contact): string =>
  [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped(name)};;;`,
    `FN:${escaped(name)}`,
    ...(organisation === undefined ? [] : [`ORG:${escaped(organisation)};`]),
    `TEL;type=CELL;type=VOICE;waid=${phone}:+${phone}`,
    ...(email === undefined ? [] : [`EMAIL;type=INTERNET:${escaped(email)}`]),
    'END:VCARD',
  ].join('\n')

/** These characters separate values. Names contain no line breaks. */
const escaped = (value: string): string => value.replace(/[\\,;]/g, '\\$&')
