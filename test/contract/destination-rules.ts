// Fixture of the tests of destinations: an account with an instance, and a queue of SQS that our own server stands for.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Account, Answer, Gateway } from '../support/gateway.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { withInstance } from './fixture.ts'

export const LOGIN = { username: 'AKIAEXAMPLE', password: 'a secret access key' }

const open: Receiver[] = []
after(async () => {
  for (const receiver of open) await receiver.close()
})

async function makeQueue(account: Account, change: Record<string, unknown>) {
  const receiver = await startReceiver()
  open.push(receiver)
  const url = new URL('/123456789012/events', receiver.url).href
  const body = { type: 'sqs', url, region: 'eu-central-1', ...LOGIN, ...change }
  const made = await account.call('saveDestination', { body })
  assert.equal(made.status, 200, JSON.stringify(made.json))
  return { receiver, url, id: made.json.destination.id as number, destination: made.json.destination }
}

/** The event in a call of SQS. */
export const eventIn = (received: { json: { MessageBody: string } }) => JSON.parse(received.json.MessageBody)

export const prepareQueues = (gateway: () => Promise<Gateway>) => {
  const fixture = withInstance(gateway)
  return async (change: Record<string, unknown> = {}) => {
    const { mine, instance, ...running } = await fixture()
    const queue = await makeQueue(mine, change)
    /** Creates an event by sending a message. */
    const happen = async (message = 'hi'): Promise<string> => {
      const body = { instanceName: instance.name, number: '5511912345678', message }
      const sent = await mine.call('sendText', { body })
      assert.equal(sent.status, 200)
      return sent.json.messageId
    }
    /** Polls until a delivery matches. */
    const deliveryLike = async (wanted: (delivery: Answer['json']) => boolean): Promise<Answer['json']> => {
      for (;;) {
        const list = await mine.call('listDestinationDeliveries', { params: { id: queue.id } })
        const found = list.json.deliveries.find(wanted)
        if (found) return found
        await new Promise(setImmediate)
      }
    }
    return { ...running, mine, instance, ...queue, happen, deliveryLike }
  }
}
