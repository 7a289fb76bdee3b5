// Sends that wait for a person: nothing is sent before the approval, and a kill at any point loses neither the send nor the decision.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, linkedInstance, newNumber, untilState, world } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

for (const engine of behaviourEngines('postgres'))
  describe(`sends with approval, on ${engine.name}`, () => {
    const [owner, friend] = [newNumber(), newNumber()]
    let storeLocation: StoreLocation
    let gateway: Started
    let agent = ''
    let name = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      gateway = await startWithKey(storeLocation, newKey(), await onSharedSandbox())
      name = await linkedInstance(gateway, owner)
      await world(gateway, 'POST /phones', { number: friend })
      agent = (await api(gateway, 'POST /api-keys', { name: 'Agent', approval: true })).key
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await storeLocation.dispose()
    })

    const send = async (message: string): Promise<string> => {
      const body = { instanceName: name, number: friend, message, delay: 0 }
      const answer = await api({ ...gateway, key: agent }, 'POST /send/text', body)
      assert.equal(answer.status, 'awaiting_approval')
      return answer.messageId
    }
    const status = async (id: string) => (await api(gateway, `GET /messages/${id}`)).message.status
    async function killAndRestart(): Promise<void> {
      await gateway.stop('SIGKILL')
      gateway = await startWithKey(storeLocation, gateway.key, await onSharedSandbox())
      await untilState(gateway, name, 'open')
    }

    test('after a kill the send still waits; approved, it is sent once under its id, and a rejected one never', async () => {
      const [approved, rejected] = [await send('approved'), await send('rejected')]
      await killAndRestart()
      assert.deepEqual(
        [await status(approved), await status(rejected)],
        ['awaiting_approval', 'awaiting_approval'],
      )
      await api(gateway, `POST /messages/${rejected}/reject`, { reason: 'no' })
      await api(gateway, `POST /messages/${approved}/approve`)
      await killAndRestart()
      await world(gateway, `GET /phones/${friend}/messages/${approved}?waitMs=30000`)
      assert.equal(await status(rejected), 'failed')
      const { messages } = await world(gateway, `GET /phones/${friend}/messages?chat=${owner}&limit=100`)
      assert.deepEqual(
        messages.map(({ id, text }: { id: string; text: string }) => [id, text]),
        [[approved, 'approved']],
      )
    })
  })
