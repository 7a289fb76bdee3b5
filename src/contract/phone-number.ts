// The written form of a phone number.

const PUNCTUATION = /[+\s()-]/g

export const withoutPunctuation = (text: string): string => text.replace(PUNCTUATION, '')

/** 7 to 15 digits including the country code. */
export const isNumber = (digits: string): boolean => /^\d{7,15}$/.test(digits)

/** The digits of a number that a person typed; undefined: it is not a number. */
export function digitsOf(text: string): string | undefined {
  const digits = withoutPunctuation(text)
  return isNumber(digits) ? digits : undefined
}
