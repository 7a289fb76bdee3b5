// Contact cards from the network, one or several.
import type { Json } from '../../message.ts'
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
  return {
    type: 'contact',
    text: null,
    content: { contacts: cards.map(contactOf) },
    contextInfo: (contactMessage ?? contactsArrayMessage)?.contextInfo,
  }
}

function contactOf({ displayName, vcard }: WireCard): Json {
  const { name, organization, phones } = parseCard(vcard ?? '')
  return {
    name: name ?? textOrNull(displayName),
    organization,
    phones: phones.map(({ number, phone }) => ({ number, phone })),
  }
}
