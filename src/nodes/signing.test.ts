import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerHeaders,
  describeBody,
  isBodyOf,
  newNonce,
  nodeKey,
  readAnswerHead,
  readRequestHead,
  requestHeaders,
} from './signing.ts'

const key = nodeKey(new Uint8Array(32).fill(1))
const otherKey = nodeKey(new Uint8Array(32))
const body = Buffer.from('{"call":"hello"}')
const request = { time: 100_000, to: 7, nonce: newNonce(), ...describeBody(body) }
const answer = { from: 7, nonce: request.nonce, status: 200, ...describeBody(body) }

test('a request is accepted as it was signed, and refused after any change of its head', () => {
  const headers = requestHeaders(key, request)
  assert.deepEqual(readRequestHead(key, headers, request.time), request)
  const changes = {
    'x-node-time': '100001',
    'x-node-to': '8',
    'x-node-nonce': newNonce(),
    'x-node-digest': describeBody(Buffer.from('other')).digest,
    'content-length': '17',
  }
  for (const [name, value] of Object.entries(changes))
    assert.equal(readRequestHead(key, { ...headers, [name]: value }, request.time), undefined, name)
  for (const name of Object.keys(headers))
    for (const value of [undefined, '', 'x', '-1', `${headers[name]}x`])
      assert.equal(readRequestHead(key, { ...headers, [name]: value }, request.time), undefined, name)
  assert.equal(readRequestHead(otherKey, headers, request.time), undefined, 'another master key')
})

test('a request is valid for 30 s in both directions', () => {
  const headers = requestHeaders(key, request)
  const isValidAt = (now: number) => readRequestHead(key, headers, now) !== undefined
  assert.deepEqual([70_000, 130_000].map(isValidAt), [true, true])
  assert.deepEqual([69_999, 130_001].map(isValidAt), [false, false])
})

test('an answer is accepted only for the request that it answers, with its status', () => {
  const headers = answerHeaders(key, answer)
  assert.deepEqual(readAnswerHead(key, headers, answer), answer)
  assert.equal(readAnswerHead(key, headers, { ...answer, nonce: newNonce() }), undefined, 'another question')
  assert.equal(readAnswerHead(key, headers, { ...answer, status: 421 }), undefined, 'another status')
  assert.equal(readAnswerHead(key, { ...headers, 'x-node-from': '8' }, answer), undefined, 'another node')
  assert.equal(readAnswerHead(otherKey, headers, answer), undefined, 'another master key')
  assert.equal(readAnswerHead(key, requestHeaders(key, request), answer), undefined, 'a request')
})

test('a body is accepted only if it has the length and the hash of the head', () => {
  assert.equal(isBodyOf(request, body), true)
  assert.equal(isBodyOf(request, Buffer.from('{"call":"hellO"}')), false)
  assert.equal(isBodyOf(request, body.subarray(1)), false)
})
