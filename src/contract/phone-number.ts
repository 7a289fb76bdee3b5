// The written form of a phone number.

const PUNCTUATION = /[+\s()-]/g
/** Also of one device (`:12`), and with the server that old clients write (`@c.us`). */
const PERSON = /^(\d+)(?::\d{1,5})?@(?:s\.whatsapp\.net|c\.us)$/

/** A number without punctuation, also of the network identifier of a person. Other texts are for `isNumber` to refuse. */
export function toDigits(text: string): string {
  const compact = text.replace(PUNCTUATION, '')
  return PERSON.exec(compact)?.[1] ?? compact
}

/** 7 to 15 digits including the country code. */
export const isNumber = (digits: string): boolean => /^\d{7,15}$/.test(digits)

/** The digits of a number that a person typed; undefined: it is not a number. */
export function digitsOf(text: string): string | undefined {
  const digits = toDigits(text)
  return isNumber(digits) ? digits : undefined
}
