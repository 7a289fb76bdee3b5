// The arithmetic of signatures, against BigInt, which takes a different path to the same numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { multiplyAdd } from './scalars.ts'

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)
const toBytes = (value: bigint, length = 32): Buffer =>
  Buffer.from(Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex').toReversed())

function check(nonce: Uint8Array, sign: number, challenge: Uint8Array, secret: Uint8Array): void {
  const sum = BigInt(sign) * toNumber(nonce) + toNumber(challenge) * toNumber(secret)
  const expected = ((sum % ORDER) + ORDER) % ORDER
  assert.equal(toNumber(multiplyAdd(nonce, sign, challenge, secret)), expected)
}

test('random numbers of every size', () => {
  const number = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
  const sign = fc.constantFrom(1, -1)
  fc.assert(fc.property(number(32), sign, number(64), number(32), check), { numRuns: 500 })
})

test('numbers at the edges: none, one, the order and its neighbours, all bits', () => {
  const scalars = [0n, 1n, 2n ** 252n, ORDER - 1n, ORDER, ORDER + 1n, 2n * ORDER, 2n ** 256n - 1n].map(
    (value) => toBytes(value),
  )
  const challenges = [0n, 1n, ORDER - 1n, ORDER, 2n ** 512n - 1n].map((value) => toBytes(value, 64))
  for (const nonce of scalars)
    for (const secret of scalars)
      for (const challenge of challenges) for (const sign of [1, -1]) check(nonce, sign, challenge, secret)
})
