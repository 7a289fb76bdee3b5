// Keys of PIX, the payments of Brazil: which ones are valid, and the one form of each that banks compare.
import type { PixKeyType } from '../contract/message-values.ts'

/** The key as banks store it; undefined: it is not a key of this type. */
export const pixKey = (type: PixKeyType, given: string): string | undefined => FORMS[type](given.trim())

type Form = (given: string) => string | undefined

const firstMatch =
  (pattern: RegExp, form: (found: string) => string = (found) => found): Form =>
  (given) => {
    const found = pattern.exec(given)?.[1]
    return found === undefined ? undefined : form(found)
  }

/** With or without the country code: area code, then a mobile number with its 9, or a landline. */
const phone: Form = (given) =>
  firstMatch(
    /^(?:\+?55)?([1-9]{2}(?:9\d{8}|[2-8]\d{7}))$/,
    (national) => `+55${national}`,
  )(given.replaceAll(/[ ().-]/g, ''))

const MAX_EMAIL = 77
const email: Form = (given) =>
  given.length <= MAX_EMAIL ? firstMatch(/^([^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+)$/, lower)(given) : undefined
const lower = (text: string): string => text.toLowerCase()

const random = firstMatch(/^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/i, lower)

/** The weights of the last check digit; the one before it has all but the first. */
const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

const numbered =
  (pattern: RegExp, weights: readonly number[]): Form =>
  (given) => {
    const text = given.replaceAll(/[ ./-]/g, '').toUpperCase()
    const isValid = pattern.test(text) && !/^(.)\1+$/.test(text) && hasCheckDigits(text, weights)
    return isValid ? text : undefined
  }

/** A letter counts as its distance to the digit 0 in ASCII. */
const valueOf = (sign: string): number => sign.charCodeAt(0) - '0'.charCodeAt(0)
const ELEVEN = 11

function hasCheckDigits(text: string, weights: readonly number[]): boolean {
  return [weights.slice(1), weights].every((used) => {
    const sum = used.reduce((total, weight, index) => total + weight * valueOf(text.charAt(index)), 0)
    const rest = sum % ELEVEN
    return valueOf(text.charAt(used.length)) === (rest < 2 ? 0 : ELEVEN - rest)
  })
}

const FORMS: Readonly<Record<PixKeyType, Form>> = {
  phone,
  email,
  cpf: numbered(/^\d{11}$/, CPF_WEIGHTS),
  cnpj: numbered(/^[\dA-Z]{12}\d{2}$/, CNPJ_WEIGHTS),
  random,
}
