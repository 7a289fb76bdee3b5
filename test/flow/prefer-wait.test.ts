// Waiting for outcomes on a whole gateway: real sends, many at once, a wait that times out, and a drain (decision 0032).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient } from '../../src/contract/client.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { startGateway } from '../support/gateway.ts'
import { startSandboxWorld, until } from '../support/sandbox-world.ts'

for (const engine of behaviourEngines()) {
  describe(`waiting on ${engine.name}`, () => {
    test('a wait that ends by its time or by a drain is answered with queued', async () => {
      const gateway = await startGateway(engine)
      const account = await gateway.account()
      const { name, id } = await gateway.openInstance(account)
      const body = { instanceName: name, number: '5511912345678', message: 'hi', delay: 0 }
      const send = (seconds: number) =>
        account.call('sendText', { body, headers: { prefer: `wait=${seconds}` } })
      const short = await send(1)
      assert.deepEqual([short.status, short.json.status], [200, 'queued'])
      assert.equal(short.headers.get('preference-applied'), 'wait=1')
      const long = send(60)
      const queued = async () =>
        gateway.store.db.selectFrom('messages').select('id').where('instance_id', '=', id).execute()
      await until(queued, (rows) => rows.length === 2, 'both accepted')
      await gateway.stop()
      const answer = await long
      assert.deepEqual([answer.status, answer.json.status], [200, 'queued'])
    })
  })
}

test('a hundred waiting sends each get their own outcome, sent or failed, through the typed client', async () => {
  const sandbox = await startSandboxWorld()
  try {
    const line = await sandbox.pair('5511944440001')
    const people = ['5511944440002', '5511944440003', '5511944440004']
    for (const number of people) await sandbox.world.phone(number, 'Friend')
    const client = createClient({ baseUrl: sandbox.app.url, key: sandbox.key })
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const number = [...people, '5511944440099'][index % 4] as string
        const body = { instanceName: line.name, number, message: `text ${index}`, delay: 0 }
        return { number, answer: await client.sendText({ body }, { waitSeconds: 60 }) }
      }),
    )
    for (const { number, answer } of answers) {
      const isKnown = people.includes(number)
      assert.equal(answer.status, isKnown ? 'sent' : 'failed')
      assert.equal(answer.failure?.reason, isKnown ? undefined : 'number_not_on_network')
    }
  } finally {
    await sandbox.stop()
  }
})
