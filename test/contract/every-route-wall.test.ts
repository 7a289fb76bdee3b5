// Isolation between accounts: data of another account gets the same response as data that does not exist (promise E1).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import { type Answer, contractOnEachEngine } from '../support/gateway.ts'
import { shared } from './fixture.ts'
import { apiRoutes, makeThings, sampleCalls, type Things, UNKNOWN } from './sample-calls.ts'

/** Everything visible in a response, except what differs between any two requests. */
function visible({ status, headers, bytes, json }: Answer): unknown {
  const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status, shown, text: bytes.toString().replaceAll(json?.requestId, '') }
}

contractOnEachEngine('every route: isolation between accounts', (gateway) => {
  const prepared = shared(async () => {
    const running = await gateway()
    const [mine, other] = [await running.account(), await running.account()]
    await running.openInstance(mine)
    return { ...running, mine, other, theirs: await makeThings(running, other) }
  })
  // Routes whose sample call addresses data.
  const others: Things = {
    ...UNKNOWN,
    instance: 'other',
    messageId: 'other',
    contact: 1,
    webhook: 1,
    destination: 1,
    delivery: 1,
    destinationDelivery: 1,
    key: 1,
    quickReply: 1,
  }
  const text = (id: RouteId, things: Things) => JSON.stringify(sampleCalls[id](things))
  const aboutThings = apiRoutes.filter(({ id }) => text(id, UNKNOWN) !== text(id, others))

  test('all routes but these address data by an identifier', () => {
    const rest = apiRoutes.filter((route) => !aboutThings.includes(route)).map((route) => route.id)
    assert.deepEqual(rest.sort(), [
      'accountLimits',
      'createApiKey',
      'createInstance',
      'createQuickReply',
      'currentApiKey',
      'grantAgentSignIn',
      'listApiKeys',
      'listAudit',
      'listInstances',
      'listQuickReplies',
      'listUsers',
      'reviewAgentSignIn',
      'uploadMedia',
    ])
  })

  for (const { id, title } of aboutThings) {
    test(`404 when ${title} addresses another account, the same as for unknown data`, async () => {
      const { mine, theirs } = await prepared()
      const answer = await mine.call(id, sampleCalls[id](theirs))
      const unknown = await mine.call(id, sampleCalls[id](UNKNOWN))
      assert.equal(answer.status, 404)
      assert.deepEqual(visible(answer), visible(unknown))
    })
  }

  test('404 when either the id or the name is of another account', async () => {
    const { mine, theirs } = await prepared()
    const create = (instanceName: string) =>
      mine.call('saveWebhook', { body: { url: 'https://example.com/wall', instanceName } })
    assert.deepEqual(visible(await create(theirs.instance)), visible(await create(UNKNOWN.instance)))
    const alias = (instance: string) =>
      mine.call('checkNumber', { query: { instance, number: '5511912345678' } })
    assert.deepEqual(visible(await alias(theirs.instance)), visible(await alias(UNKNOWN.instance)))
  })

  test('200 returns everything the other account had, unchanged', async () => {
    const { other, theirs } = await prepared()
    const state = await other.call('instanceState', { query: { instanceName: theirs.instance } })
    assert.equal(state.json.instance.state, 'open')
    const message = await other.call('getMessage', { params: { messageId: theirs.messageId } })
    assert.equal(message.json.message.status, 'queued')
    const contact = await other.call('getContact', { params: { id: theirs.contact } })
    assert.equal(contact.json.contact.notes, null)
    const webhook = await other.call('getWebhook', { params: { id: theirs.webhook } })
    assert.equal(webhook.json.webhook.name, 'example.com')
    const keys = await other.call('listApiKeys')
    assert.deepEqual(
      keys.json.apiKeys.map((key: { revokedAt: string | null }) => key.revokedAt),
      [null, null],
    )
    assert.equal((await other.call('listMessages')).json.count, 1)
    assert.equal(
      (await other.call('listContacts', { query: { instanceName: theirs.instance } })).json.total,
      1,
    )
  })

  test('200 returns lists without data of another account', async () => {
    const { mine } = await prepared()
    assert.equal((await mine.call('listMessages')).json.count, 0)
    assert.equal((await mine.call('listWebhooks')).json.count, 0)
    assert.equal((await mine.call('listInstances')).json.count, 1)
    assert.equal((await mine.call('listApiKeys')).json.count, 1)
  })

  for (const id of ['adminUpdateUser', 'adminDeleteUser', 'adminRevokeKey', 'adminRotateKey'] as const) {
    test(`404 when ${id} addresses a user or key through another account`, async () => {
      const { call, mine, theirs } = await prepared()
      const answer = await call(id, sampleCalls[id]({ ...theirs, account: mine.id }))
      const unknown = await call(id, sampleCalls[id]({ ...UNKNOWN, account: mine.id }))
      assert.equal(answer.status, 404)
      assert.deepEqual(visible(answer), visible(unknown))
    })
  }
})
