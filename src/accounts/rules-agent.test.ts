import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type AgentClient, clientIdFault, isVerifierOf, readAgentClient, redirectOf } from './rules-agent.ts'

const ID = 'https://agent.example/client.json'
const document = (fields: object): string =>
  JSON.stringify({ client_id: ID, redirect_uris: ['https://agent.example/back'], ...fields })

test('a client id is a URL in its plain form, with a path and nothing that hides', () => {
  assert.equal(clientIdFault(ID), undefined)
  for (const text of [
    'agent',
    'https://agent.example',
    'https://agent.example/',
    'https://AGENT.example/client.json',
    'https://agent.example/a/../client.json',
    'https://user@agent.example/client.json',
    'https://agent.example/client.json#part',
  ])
    assert.equal(typeof clientIdFault(text), 'string', text)
})

test('a document is believed only about the URL that it was read from', () => {
  assert.deepEqual(readAgentClient(ID, document({ client_name: ' Notes \u202E\u0007' })), {
    name: 'Notes',
    redirectUris: ['https://agent.example/back'],
  })
  const unnamed = readAgentClient(ID, document({ client_name: 7 }))
  assert.equal((unnamed as AgentClient).name, 'agent.example')
  for (const text of [
    '',
    'null',
    '[]',
    document({ client_id: 'https://bank.example/client.json' }),
    document({ redirect_uris: [] }),
    document({ redirect_uris: 'https://agent.example/back' }),
    document({ redirect_uris: [7] }),
    document({ token_endpoint_auth_method: 'private_key_jwt' }),
  ])
    assert.equal(typeof readAgentClient(ID, text), 'string', text)
})

test('a code goes to a registered URI only; the port of a loopback address may differ', () => {
  const client = {
    name: 'x',
    redirectUris: [
      'https://agent.example/back',
      'http://127.0.0.1/back',
      'http://localhost:1/back?x=1',
      'a:b',
    ],
  }
  for (const uri of [
    'https://agent.example/back',
    'http://127.0.0.1/back',
    'http://127.0.0.1:4711/back',
    'http://localhost:4711/back?x=1',
  ])
    assert.equal(redirectOf(client, uri)?.href, uri)
  for (const uri of [
    'https://agent.example/back/',
    'https://agent.example/back?x=1',
    'https://agent.example:444/back',
    'https://agent.example.evil.example/back',
    'https://agent.example@evil.example/back',
    'http://agent.example/back',
    'http://127.0.0.1:4711/other',
    'http://127.0.0.1.evil.example/back',
    'http://localhost:4711/back',
    'http://user@127.0.0.1/back',
    'https://agent.example/back#',
    'javascript:alert(1)',
    'a:b',
  ])
    assert.equal(redirectOf(client, uri), undefined, uri)
})

test('only the verifier of the challenge is accepted', () => {
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  assert.ok(isVerifierOf(verifier, challenge))
  assert.ok(!isVerifierOf(`${verifier}v`, challenge))
  // The method "plain" is not offered.
  assert.ok(!isVerifierOf(challenge, challenge))
  const short = createHash('sha256').update('v').digest('base64url')
  assert.ok(!isVerifierOf('v', short))
})
