// Contact cards from the network, one or several.
import type { Json } from '../../network/message.ts'
import type { ReadKind } from './reading.ts'
import { parseCard } from './vcard.ts'
import { textOrNull } from './wire-values.ts'

interface WireCard {
  displayName?: string | null
  vcard?: string | null
}

export const readContact: ReadKind = ({ contactMessage, contactsArrayMessage }) => {
  const cards = contactMessage ? [contactMessage] : contactsArrayMessage?.contacts
  if (!cards) return null
  const read = cards.map(contactOf)
  return {
    type: 'contact',
    text: null,
    content: {
      contacts: read.map(({ contact }) => contact),
      ...(read.some(({ truncated }) => truncated) && { truncated: true }),
    },
    contextInfo: (contactMessage ?? contactsArrayMessage)?.contextInfo,
  }
}

function contactOf({ displayName, vcard }: WireCard): { contact: Json; truncated: boolean } {
  const { name, organization, phones, truncated } = parseCard(vcard ?? '')
  const numbers = phones.map(({ number, phone }) => ({ number, phone }))
  return { contact: { name: name ?? textOrNull(displayName), organization, phones: numbers }, truncated }
}
