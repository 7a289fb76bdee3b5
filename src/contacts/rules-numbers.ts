// The rules of numbers: the forms in which one may be registered, evidence that it is, and how long an answer counts.

// The forms in which one phone number may be registered. Mobile numbers of some countries are in use with and without one digit.
// What each caller does with a form that the network has not confirmed is listed in decision 0190.

interface ExtraDigit {
  digit: string
  /** What stands before the digit: the country code, in Brazil with the area code. */
  before: string
  /** What stands after it. */
  after: string
}

/** Two numbers of different people are never forms of each other (test/property/number-candidates.test.ts has the plans). */
const EXTRA_DIGITS: readonly ExtraDigit[] = [
  // Brazil put a 9 before its mobile numbers, which began with 6 to 9. Landlines begin with 2 to 5 and never got it; mobile numbers
  // that begin with 90 to 95 are newer than the 9, and without it they would be landlines of other people.
  { digit: '9', before: '55[1-9][1-9]', after: '[6-9]\\d{7}' },
  // Mexico dropped the 1 that callers from abroad put before mobile numbers. Area and number have ten digits, which are unique.
  { digit: '1', before: '52', after: '[2-9]\\d{9}' },
  // Argentina keeps such a 9. Landlines and mobile numbers share one plan, so that ten digits belong to one line.
  { digit: '9', before: '54', after: '(?:11|[23]\\d)\\d{8}' },
]

const FORMS = EXTRA_DIGITS.map(({ digit, before, after }) => ({
  digit,
  pattern: new RegExp(`^(${before})(${digit}?)(${after})$`),
}))

/** The given form first. Only the network knows which form is registered. */
export function numberCandidates(number: string): string[] {
  for (const { digit, pattern } of FORMS) {
    const [, before, extra, after] = pattern.exec(number) ?? []
    if (before !== undefined) return [number, `${before}${extra === '' ? digit : ''}${after}`]
  }
  return [number]
}

// How long the network's answer about a phone number is used before the network is queried again.

const REGISTERED_MS = 7 * 24 * 60 * 60 * 1000
/** Short, because a number can be registered at any moment. */
const UNREGISTERED_MS = 5 * 60 * 1000

export interface KnownNumber {
  /** Null: the number is not registered. */
  jid: string | null
  askedAt: number
}

/** An answer from the future was stored before the clock was set back: its age is unknown, and it is not used. */
export function isFresh({ jid, askedAt }: KnownNumber, now: number): boolean {
  const ageMs = now - askedAt
  return ageMs >= 0 && ageMs < (jid === null ? UNREGISTERED_MS : REGISTERED_MS)
}
