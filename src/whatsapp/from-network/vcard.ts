// Contact cards (vCard 2.1 to 4.0): only the name and the phone numbers.

interface CardPhone {
  /** As on the card. */
  number: string
  /** Digits with country code if the network confirms them, else the digits on the card. */
  phone: string
}

export interface Card {
  name: string | null
  organization: string | null
  phones: CardPhone[]
  /** It has more numbers, or is longer. */
  truncated: boolean
}

interface Property {
  name: string
  parameters: string
  value: string
}

/** A card comes from a stranger. With a photo it has up to a hundred kilobytes. */
const LONGEST_CARD = 256 * 1024
const MAX_PHONES = 256

export function parseCard(vcard: string): Card {
  const properties = unfold(vcard.slice(0, LONGEST_CARD)).flatMap(propertyOf)
  const phones = properties.filter(({ name }) => name === 'TEL').flatMap(phoneOf)
  const valueOf = (name: string): string | null =>
    properties.find((property) => property.name === name && property.value !== '')?.value ?? null
  const structuredName = valueOf('N')
  return {
    name:
      unescaped(valueOf('FN')) ?? unescaped(structuredName === null ? null : inSpokenOrder(structuredName)),
    organization: unescaped(withoutEmptyUnits(valueOf('ORG'))),
    phones: phones.slice(0, MAX_PHONES),
    truncated: phones.length > MAX_PHONES || vcard.length > LONGEST_CARD,
  }
}

/** `Company;;`: units that are not given. A pattern for the end of a text would be tried at every semicolon before it. */
function withoutEmptyUnits(value: string | null): string | null {
  let end = value?.length ?? 0
  while (value?.[end - 1] === ';') end -= 1
  return value?.slice(0, end) ?? null
}

/** Folded lines continue in the next line after a blank. */
const unfold = (vcard: string): string[] =>
  vcard
    .replace(/\r\n?|\n/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')

/** `item1.TEL;waid=5511912345678:+55 11 91234-5678`: the group before the name is ignored. */
function propertyOf(line: string): Property[] {
  const match = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^:"])*)?):(.*)$/.exec(line)
  if (!match) return []
  const [, name = '', parameters = '', value = ''] = match
  return [{ name: name.toUpperCase(), parameters, value: value.trim() }]
}

function phoneOf({ parameters, value }: Property): CardPhone[] {
  const number = value.replace(/^tel:/i, '')
  const vouched = /;waid=(\d{5,20})/i.exec(parameters)?.[1]
  const phone = vouched ?? number.replace(/\D/g, '')
  return phone === '' ? [] : [{ number, phone }]
}

/** The card has the family name first. */
function inSpokenOrder(value: string): string | null {
  const [family = '', given = '', middle = ''] = value.split(/(?<!\\);/)
  return [given, middle, family].filter((part) => part !== '').join(' ') || null
}

const unescaped = (value: string | null): string | null =>
  value
    ?.replace(/\\([\\,;])/g, '$1')
    .replace(/\\n/gi, ' ')
    .trim() || null
