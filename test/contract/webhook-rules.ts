// Fixture of the webhook and delivery tests: an account with an instance, a receiver and a webhook.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Account, Answer, Gateway } from '../support/gateway.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { withInstance } from './fixture.ts'

export interface Hooked {
  receiver: Receiver
  id: number
  secret: string
}

const open: Receiver[] = []
after(async () => {
  for (const receiver of open) await receiver.close()
})

export async function makeHook(account: Account, change: Record<string, unknown> = {}): Promise<Hooked> {
  const receiver = await startReceiver()
  open.push(receiver)
  const made = await account.call('saveWebhook', { body: { url: receiver.url, ...change } })
  assert.equal(made.status, 200, JSON.stringify(made.json))
  return { receiver, id: made.json.webhook.id, secret: made.json.webhook.secret }
}

export const prepareHooks = (gateway: () => Promise<Gateway>) => {
  const fixture = withInstance(gateway)
  return async (change: Record<string, unknown> = {}) => {
    const { mine, instance, ...running } = await fixture()
    const hook = await makeHook(mine, change)
    /** Creates an event by sending a message. */
    const happen = async (message = 'hi'): Promise<string> => {
      const body = { instanceName: instance.name, number: '5511912345678', message }
      const sent = await mine.call('sendText', { body })
      assert.equal(sent.status, 200)
      return sent.json.messageId
    }
    /** Polls until the delivery matches. */
    const deliveryLike = async (wanted: (delivery: Answer['json']) => boolean): Promise<Answer['json']> => {
      for (;;) {
        const list = await mine.call('listDeliveries', { params: { id: hook.id } })
        const found = list.json.deliveries.find(wanted)
        if (found) return found
        await new Promise(setImmediate)
      }
    }
    return { ...running, mine, instance, ...hook, happen, deliveryLike }
  }
}
