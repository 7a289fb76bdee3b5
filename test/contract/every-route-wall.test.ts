// The tenant wall (promise E1, attack list 3): what is another account's answers exactly as what does not exist.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import { type Answer, contract } from '../support/gateway.ts'
import { shared } from './fixture.ts'
import { apiRoutes, makeThings, sampleCalls, type Things, UNKNOWN } from './sample-calls.ts'

/** Everything a caller can see of an answer, but for what differs between any two requests. */
function visible({ status, headers, bytes, json }: Answer): unknown {
  const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status, shown, text: bytes.toString().replaceAll(json?.requestId, '') }
}

contract('every route: the wall between accounts', (gateway) => {
  const prepared = shared(async () => {
    const running = await gateway()
    const [mine, other] = [await running.account(), await running.account()]
    await running.openInstance(mine)
    return { ...running, mine, other, theirs: await makeThings(running, other) }
  })
  // Routes whose call differs with what it is about.
  const others: Things = {
    ...UNKNOWN,
    instance: 'other',
    messageId: 'other',
    contact: 1,
    webhook: 1,
    delivery: 1,
    key: 1,
  }
  const text = (id: RouteId, things: Things) => JSON.stringify(sampleCalls[id](things))
  const aboutThings = apiRoutes.filter(({ id }) => text(id, UNKNOWN) !== text(id, others))

  test('404: all routes but five are about something that can be behind the wall', () => {
    const rest = apiRoutes.filter((route) => !aboutThings.includes(route)).map((route) => route.id)
    assert.deepEqual(rest.sort(), [
      'accountLimits',
      'createApiKey',
      'createInstance',
      'listApiKeys',
      'listInstances',
    ])
  })

  for (const { id, title } of aboutThings) {
    test(`404: ${title} of another account is as unknown as none`, async () => {
      const { mine, theirs } = await prepared()
      const answer = await mine.call(id, sampleCalls[id](theirs))
      const unknown = await mine.call(id, sampleCalls[id](UNKNOWN))
      assert.equal(answer.status, 404)
      assert.deepEqual(visible(answer), visible(unknown))
    })
  }

  test('404: routes that take an id and a name look behind the wall with neither', async () => {
    const { mine, theirs } = await prepared()
    const create = (instanceName: string) =>
      mine.call('saveWebhook', { body: { url: 'https://example.com/wall', instanceName } })
    assert.deepEqual(visible(await create(theirs.instance)), visible(await create(UNKNOWN.instance)))
    const alias = (instance: string) =>
      mine.call('checkNumber', { query: { instance, number: '5511912345678' } })
    assert.deepEqual(visible(await alias(theirs.instance)), visible(await alias(UNKNOWN.instance)))
  })

  test('200: after all of that the other account has everything it had', async () => {
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

  test('200: no list of one account shows anything of another', async () => {
    const { mine } = await prepared()
    assert.equal((await mine.call('listMessages')).json.count, 0)
    assert.equal((await mine.call('listWebhooks')).json.count, 0)
    assert.equal((await mine.call('listInstances')).json.count, 1)
    assert.equal((await mine.call('listApiKeys')).json.count, 1)
  })

  for (const id of ['adminUpdateUser', 'adminDeleteUser', 'adminRevokeKey', 'adminRotateKey'] as const) {
    test(`404: ${id} reaches a user or key only through its own account`, async () => {
      const { call, mine, theirs } = await prepared()
      const answer = await call(id, sampleCalls[id]({ ...theirs, account: mine.id }))
      const unknown = await call(id, sampleCalls[id]({ ...UNKNOWN, account: mine.id }))
      assert.equal(answer.status, 404)
      assert.deepEqual(visible(answer), visible(unknown))
    })
  }
})
