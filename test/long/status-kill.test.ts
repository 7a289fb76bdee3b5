// Status posts survive a kill: each is shown once, at its time, on the phones of its audience.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, linkedInstance, newNumber, until, untilState, world } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const STATUS = 'status@broadcast'

for (const engine of behaviourEngines())
  describe(`status posts over a kill, on ${engine.name}`, () => {
    const [owner, friend] = [newNumber(), newNumber()]
    let storeLocation: StoreLocation
    let gateway: Started
    let name = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      gateway = await startWithKey(storeLocation, newKey(), await onSharedSandbox())
      name = await linkedInstance(gateway, owner)
      await world(gateway, 'POST /phones', { number: friend })
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await storeLocation.dispose()
    })

    const post = async (message: string, more: object = {}): Promise<string> =>
      (await api(gateway, 'POST /send/status', { instanceName: name, message, to: [friend], ...more }))
        .messageId
    const shownTexts = async (): Promise<string[]> => {
      const { messages } = await world(gateway, `GET /phones/${friend}/messages?chat=${STATUS}&limit=100`)
      return messages.map(({ text }: { text: string }) => text)
    }

    test('those that were accepted are sent by the next process, in order and once', async () => {
      const texts = Array.from({ length: 8 }, (_, index) => `status ${index}`)
      const soon = new Date(Date.now() + 5000).toISOString()
      const scheduled = await post('scheduled', { sendAt: soon })
      for (const text of texts) await post(text)
      await gateway.stop('SIGKILL')
      gateway = await startWithKey(storeLocation, gateway.key, await onSharedSandbox())
      await untilState(gateway, name, 'open')
      const { status } = await until('the scheduled status', async () => {
        const { message } = await api(gateway, `GET /messages/${scheduled}`)
        return ['scheduled', 'queued', 'sending'].includes(message.status) ? undefined : message
      })
      assert.notEqual(status, 'failed')
      const shown = await until('all posts', async () => {
        const found = await shownTexts()
        return found.length > texts.length ? found : undefined
      })
      assert.deepEqual(
        shown.filter((text) => text !== 'scheduled'),
        texts,
      )
      assert.equal(shown.length, texts.length + 1)
    })

    test('Prefer: wait answers with the outcome', async () => {
      const answer = await fetch(`${gateway.url}/api/v1/send/status`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'application/json',
          prefer: 'wait=30',
        },
        body: JSON.stringify({ instanceName: name, message: 'waited for', to: [friend] }),
      })
      const { status, type } = (await answer.json()) as { status: string; type: string }
      assert.deepEqual([answer.status, status, type], [200, 'sent', 'text'])
    })
  })
