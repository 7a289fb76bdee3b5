import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SaveChatwootBody } from '../../../../src/contract/chatwoot.ts'
import { bodyOf, fieldsOf, missingIn, type ShownBridge } from './chatwoot-fields.ts'

const HERE = 'https://gateway.example.com'
const bridge = {
  url: 'https://chatwoot.example.com/',
  accountId: 3,
  inboxId: 7,
  inboxName: 'Shop',
  enabled: true,
  gatewayUrl: HERE,
  signAgentNames: true,
  ignoreGroups: false,
  reopenConversation: false,
  conversationPending: false,
} as ShownBridge

test('a new connection needs URL, account and token, and has the defaults of the API', () => {
  const empty = fieldsOf(undefined, HERE)
  assert.deepEqual(missingIn(empty, undefined), { url: true, accountId: true, token: true })
  const filled = { ...empty, url: ' https://chatwoot.example.com ', accountId: '1', token: 'h3Yk9mPqZ1' }
  assert.ok(!Object.values(missingIn(filled, undefined)).includes(true))
  const body = bodyOf(filled, undefined)
  const { url, accountId, token } = body
  assert.deepEqual(SaveChatwootBody.parse(body), {
    ...SaveChatwootBody.parse({ url, accountId, token }),
    gatewayUrl: HERE,
  })
})

test('an edited connection keeps its token and its inbox unless others are given', () => {
  const fields = fieldsOf(bridge, HERE)
  assert.equal(missingIn(fields, bridge).token, false)
  const { inboxId, ...kept } = bodyOf(fields, bridge)
  assert.deepEqual([inboxId, 'token' in kept, 'inboxName' in kept], [7, false, false])
  assert.deepEqual([kept.signAgentNames, kept.reopenConversation], [true, false])
  const renamed = bodyOf({ ...fields, inboxName: 'Other' }, bridge)
  assert.deepEqual([renamed.inboxId, renamed.inboxName], [undefined, 'Other'])
  assert.equal(bodyOf({ ...fields, accountId: '4' }, bridge).inboxId, undefined, 'ids belong to an account')
})
