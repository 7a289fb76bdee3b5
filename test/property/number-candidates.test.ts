// Forms of phone numbers, against the published numbering plans: only a mobile number with and without its extra digit is one number.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { spellingsOf } from '../../sandbox/model/address.ts'
import { numberCandidates } from '../../src/contacts/rules-numbers.ts'

interface Range {
  country: string
  /** What is between the country code and the area code. */
  before?: string
  areas: readonly string[]
  /** What the subscriber's part begins with, after the area code. */
  begins: RegExp
  /** Digits of area code and subscriber. */
  digits: number
}

// Resolutions of Anatel: 67 area codes. Landlines begin with 2 to 5, mobile numbers with 9 since 2012 to 2016, and with 6 to 9 before.
const BRAZIL = [
  '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55',
  '61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99',
].flatMap((line) => line.split(' '))

// Plan of the IFT: ten digits, of which two or three are the area code. Mobile numbers had a 1 before them, from abroad, until 2019.
const MEXICO =
  '33 55 56 81 222 228 229 312 322 442 449 461 477 614 624 656 664 686 722 744 771 777 833 844 867 871 899 921 951 961 993 998 999'.split(
    ' ',
  )

// Plan of ENACOM: ten digits, of which two to four are the area code. Mobile numbers have a 9 before them, from abroad.
const ARGENTINA =
  '11 220 221 223 230 236 237 249 260 261 263 264 266 280 291 294 297 298 299 336 341 342 343 345 348 351 353 358 362 364 370 376 379 380 381 383 385 387 388 2202 2244 2268 2302 2334 2477 2625 2657 2901 2920 2954 2966 3327 3382 3404 3435 3482 3541 3711 3772 3825 3843 3865 3888'.split(
    ' ',
  )

const RANGES = {
  'a landline of Brazil': { country: '55', areas: BRAZIL, begins: /^[2-5]/, digits: 10 },
  'a mobile number of Brazil': { country: '55', areas: BRAZIL, begins: /^9/, digits: 11 },
  'an old mobile number of Brazil': { country: '55', areas: BRAZIL, begins: /^[6-9]/, digits: 10 },
  'a number of Mexico': { country: '52', areas: MEXICO, begins: /^[2-9]/, digits: 10 },
  'a mobile number of Mexico': { country: '52', before: '1', areas: MEXICO, begins: /^[2-9]/, digits: 10 },
  'a number of Argentina': { country: '54', areas: ARGENTINA, begins: /^[2-8]/, digits: 10 },
  'a mobile number of Argentina': {
    country: '54',
    before: '9',
    areas: ARGENTINA,
    begins: /^[2-8]/,
    digits: 10,
  },
  'a number of the United States': {
    country: '1',
    areas: ['212', '415', '787'],
    begins: /^[2-9]/,
    digits: 10,
  },
  'a number of Germany': { country: '49', areas: ['30', '151', '1525'], begins: /^\d/, digits: 11 },
  'a number of Portugal': { country: '351', areas: ['21', '91', '96'], begins: /^\d/, digits: 9 },
  'a number of Peru': { country: '51', areas: ['1', '9'], begins: /^\d/, digits: 9 },
} satisfies Record<string, Range>
type RangeName = keyof typeof RANGES

/** The only ranges between which a number may have two forms. */
const VARIANTS: readonly (readonly [RangeName, RangeName])[] = [
  ['a mobile number of Brazil', 'an old mobile number of Brazil'],
  ['a number of Mexico', 'a mobile number of Mexico'],
  ['a number of Argentina', 'a mobile number of Argentina'],
]

const NAMES = Object.keys(RANGES) as RangeName[]
const rangeOf = (name: RangeName): Range => RANGES[name]

function isIn(name: RangeName, number: string): boolean {
  const { country, before = '', areas, begins, digits } = rangeOf(name)
  const national = number.slice(country.length + before.length)
  return (
    number.startsWith(country + before) &&
    national.length === digits &&
    areas.some((area) => national.startsWith(area) && begins.test(national.slice(area.length)))
  )
}

const publishedIn = (name: RangeName): fc.Arbitrary<string> => {
  const { country, before = '', areas, digits } = rangeOf(name)
  return fc
    .tuple(fc.constantFrom(...areas), fc.stringMatching(/^\d{10}$/))
    .map(([area, subscriber]) => country + before + area + subscriber.slice(0, digits - area.length))
    .filter((number) => isIn(name, number))
}

for (const [who, formsOf] of [
  ['the gateway', numberCandidates],
  ['the sandbox', spellingsOf],
] as const)
  describe(`forms of published numbers: ${who}`, () => {
    for (const name of NAMES)
      test(`${name}: every other form is the same number with or without the digit of mobile numbers`, () => {
        const variants = new Set(VARIANTS.filter((pair) => pair.includes(name)).flat())
        fc.assert(
          fc.property(publishedIn(name), (number) => {
            const [first, ...others] = formsOf(number)
            assert.equal(first, number)
            for (const other of others) {
              const ranges = NAMES.filter((each) => isIn(each, other))
              const strangers = ranges.filter((each) => !variants.has(each) && each !== name)
              assert.deepEqual(strangers, [], `${number} was taken for ${other}`)
              assert.deepEqual([...formsOf(other)].sort(), [number, other].sort(), 'the forms are mutual')
            }
          }),
        )
      })

    test('each old mobile number of Brazil has its form of today, and each number of Mexico and Argentina its mobile form', () => {
      for (const name of [
        'an old mobile number of Brazil',
        'a number of Mexico',
        'a number of Argentina',
      ] as const)
        fc.assert(
          fc.property(publishedIn(name), (number) => {
            assert.equal(formsOf(number).length, 2, number)
          }),
        )
    })

    test('two numbers of the same area are never forms of each other, unless one is the mobile variant', () => {
      const pair = fc
        .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES))
        .chain(([one, other]) =>
          fc.tuple(fc.constant(one), fc.constant(other), publishedIn(one), publishedIn(other)),
        )
      fc.assert(
        fc.property(pair, ([one, other, number, second]) => {
          if (number === second || !formsOf(number).includes(second)) return
          assert.ok(
            VARIANTS.some((each) => each.includes(one) && each.includes(other)),
            `${one} ${number} and ${other} ${second}`,
          )
        }),
      )
    })

    test('a landline of Brazil and the mobile number with a 9 before it are two numbers, in all area codes', () => {
      for (const area of BRAZIL) {
        assert.deepEqual(formsOf(`55${area}31234567`), [`55${area}31234567`])
        assert.deepEqual(formsOf(`55${area}931234567`), [`55${area}931234567`])
      }
    })
  })
