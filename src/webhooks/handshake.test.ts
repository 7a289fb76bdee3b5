import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '../errors.ts'
import { confirmReceiver, handshakeUrl } from './webhooks.ts'

test('the handshake keeps the query of the URL, and encodes the token', () => {
  const called = new URL(handshakeUrl('https://example.com/hook?tenant=7#top', 'a&b=c', '123'))
  assert.equal(called.origin + called.pathname, 'https://example.com/hook')
  assert.equal(called.hash, '')
  assert.deepEqual(Object.fromEntries(called.searchParams), {
    tenant: '7',
    'hub.mode': 'subscribe',
    'hub.verify_token': 'a&b=c',
    'hub.challenge': '123',
  })
})

const challengeIn = (url: string): string => new URL(url).searchParams.get('hub.challenge') ?? ''
const confirm = (answer: (challenge: string) => string) =>
  confirmReceiver({ readReceiver: async (url) => answer(challengeIn(url)) }, 'https://example.com/', 'token')

test('the challenge confirms the receiver, also as JSON and with a line break', async () => {
  for (const answer of [(text: string) => text, (text: string) => `"${text}"`, (text: string) => `${text}\n`])
    await confirm(answer)
})

test('any other answer is refused, with a sentence that says why', async () => {
  for (const answer of ['', 'ok', '0'])
    await assert.rejects(
      confirm(() => answer),
      (error) => error instanceof GatewayError && error.reason === 'webhook_not_verified',
    )
  const failing = { readReceiver: () => Promise.reject(new Error('The host answered 403.')) }
  await assert.rejects(confirmReceiver(failing, 'https://example.com/', 'token'), /The host answered 403\./)
})
