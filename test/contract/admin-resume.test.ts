// POST /admin/v1/resume, and the behaviour of every other route on a held gateway (decision 0076)
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hasRestoreMark } from '../../src/instances/restore-queries.ts'
import { findMessage } from '../../src/messages/message-queries.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { Engine } from '../support/engines.ts'
import { contract, type Gateway, startGateway } from '../support/gateway.ts'
import { shared } from './fixture.ts'
import { listed, makeThings, sampleCalls, type Things } from './sample-calls.ts'

contract('POST /admin/v1/resume', (gateway) => {
  test('200 does nothing when the gateway is not held', async () => {
    const { call } = await gateway()
    const answer = await call('adminResume')
    assert.deepEqual([answer.status, answer.json], [200, { success: true, resumed: false }])
  })
})

interface Held {
  held: Gateway
  key: string
  things: Things
}

/** A restored database with one record of each kind. */
async function startHeld(engine: Engine, environment: Record<string, string> = {}): Promise<Held> {
  const storeLocation = await engine.createLocation()
  const original = await startGateway(engine, {}, {}, { ...storeLocation, dispose: async () => undefined })
  const account = await original.account()
  const things = await makeThings(original, account)
  await original.store.db
    .insertInto('facts')
    .values({ name: 'restored_at', value: String(original.clock.now()) })
    .execute()
  await original.stop()
  const held = await startGateway(engine, environment, {}, storeLocation)
  return { held, key: account.key, things }
}

for (const engine of behaviourEngines('postgres')) {
  describe(`a held gateway on ${engine.name}`, () => {
    const running: Gateway[] = []
    const prepared = shared(async () => {
      const made = await startHeld(engine)
      running.push(made.held)
      return made
    })
    after(async () => {
      for (const gateway of running) await gateway.stop()
    })

    for (const { id, title } of listed.filter((route) => route.live)) {
      test(`503 when the gateway is held: ${title} does not use the network`, async () => {
        const { held, key, things } = await prepared()
        const answer = await held.call(id, { key, ...sampleCalls[id](things) })
        assert.deepEqual([answer.status, answer.json.reason], [503, 'gateway_held'])
        assert.match(answer.json.error, /until the operator resumes it/)
        assert.equal(answer.headers.get('retry-after'), null)
      })
    }

    test('503 when the gateway is held and the data is only on the network', async () => {
      const { held, key, things } = await prepared()
      const picture = await held.call('profilePicture', {
        key,
        query: { instanceName: things.instance },
      })
      assert.deepEqual([picture.status, picture.json.reason], [503, 'gateway_held'])
      await held.store.db
        .updateTable('messages')
        .set({ media_reference: '{}' })
        .where('id', '=', things.messageId)
        .execute()
      const media = await held.call('getMessageMedia', { key, params: { messageId: things.messageId } })
      assert.deepEqual([media.status, media.json.reason], [503, 'gateway_held'])
    })

    test('200 returns all data, and held as state reason of an instance', async () => {
      const { held, key, things } = await prepared()
      for (const id of [
        'listMessages',
        'listEvents',
        'listWebhooks',
        'listDeliveries',
        'listContacts',
      ] as const) {
        assert.equal((await held.call(id, { key, ...sampleCalls[id](things) })).status, 200, id)
      }
      const { json } = await held.call('listInstances', { key })
      const [instance] = json.instances
      assert.deepEqual([instance.state, instance.stateReason, instance.isConnected], ['close', 'held', false])
      assert.equal((await held.call('readyz', { key: null })).json.held, 'restored')
      assert.equal((await held.call('healthz', { key: null })).json.held, 'restored')
    })

    test('200 keeps old rows while held, and resumes once without a restart', async () => {
      const { held, key, things } = await prepared()
      const answers = await Promise.all([held.call('adminResume'), held.call('adminResume')])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      assert.ok(answers.some(({ json }) => json.resumed))
      assert.equal((await held.call('readyz', { key: null })).json.held, null)
      assert.equal(await hasRestoreMark(held.store.db), false)
      const sent = await held.call('sendText', { key, ...sampleCalls.sendText(things) })
      assert.equal(sent.status, 200)
      assert.ok(await findMessage(held.store.db, things.account, sent.json.messageId))
    })

    test('409 when SESSIONS=off holds the gateway', async () => {
      const storeLocation = await engine.createLocation()
      const gateway = await startGateway(engine, { SESSIONS: 'off' }, {}, storeLocation)
      running.push(gateway)
      assert.equal((await gateway.call('readyz', { key: null })).json.held, 'sessions_off')
      const answer = await gateway.call('adminResume')
      assert.deepEqual([answer.status, answer.json.reason], [409, 'held_by_setting'])
      assert.match(answer.json.error, /SESSIONS=off/)
      assert.equal((await gateway.call('readyz', { key: null })).json.held, 'sessions_off')
    })
  })
}
