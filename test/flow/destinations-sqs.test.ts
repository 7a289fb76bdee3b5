// A queue of SQS: each message is one signed request, which a server of ours checks by its own reading of the specification.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { shared, withInstance } from '../contract/fixture.ts'
import { faultOfSignature } from '../support/aws-signature.ts'
import { engines } from '../support/engines.ts'
import { startGateway } from '../support/gateway.ts'
import { until } from '../support/linked.ts'
import { startWebHost } from '../support/web-host.ts'

const EXPECTED = {
  service: 'sqs',
  region: 'eu-test-1',
  accessKey: 'AKIATESTTESTTEST',
  secretKey: 'secret/of+the/test=queue',
}
const LOGIN = { username: EXPECTED.accessKey, password: EXPECTED.secretKey, region: EXPECTED.region }

interface SentMessage {
  QueueUrl: string
  MessageBody: string
  MessageAttributes: Record<string, { DataType: string; StringValue: string }>
  MessageGroupId?: string
  MessageDeduplicationId?: string
}

async function startQueues() {
  const messages: SentMessage[] = []
  const host = await startWebHost(
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks)
        const fault =
          faultOfSignature(request, body, EXPECTED) ??
          (request.headers['x-amz-target'] === 'AmazonSQS.SendMessage' ? undefined : 'InvalidAction')
        if (fault) {
          response.writeHead(403).end(JSON.stringify({ __type: `com.amazon.coral.service#${fault}` }))
          return
        }
        messages.push(JSON.parse(body.toString()) as SentMessage)
        response.end('{"MessageId":"1"}')
      })
    },
    { tls: 'trusted' },
  )
  return { messages, base: `https://receiver.test:${host.port}/123456789012`, close: host.close }
}

describe('destination sqs', () => {
  const stage = shared(async () => {
    const [engine = assert.fail('no engine')] = engines
    const gateway = await startGateway(engine)
    const queues = await startQueues()
    return { ...(await withInstance(async () => gateway)()), queues, stopAll: gateway.stop }
  })
  after(async () => {
    const { queues, stopAll } = await stage()
    await stopAll()
    await queues.close()
  })

  test('messages are signed; a FIFO queue gets the instance as group and the event id as deduplication id', async () => {
    const { mine, instance, queues } = await stage()
    for (const name of ['events', 'events.fifo']) {
      const body = { type: 'sqs', url: `${queues.base}/${name}`, events: ['messages.upsert'], ...LOGIN }
      assert.equal((await mine.call('saveDestination', { body })).status, 200)
    }
    const sent = { instanceName: instance.name, number: '5511912345678', message: 'Olá 👋' }
    assert.equal((await mine.call('sendText', { body: sent })).status, 200)
    const both = await until('both messages', async () =>
      queues.messages.length === 2 ? queues.messages : undefined,
    )
    for (const message of both) {
      const event = JSON.parse(message.MessageBody)
      assert.equal(event.data.text, 'Olá 👋')
      assert.equal(message.MessageAttributes.id?.StringValue, event.id)
      assert.equal(message.MessageAttributes.instance?.StringValue, instance.name)
      const isFifo = message.QueueUrl.endsWith('.fifo')
      assert.equal(message.MessageGroupId, isFifo ? instance.name : undefined)
      assert.equal(message.MessageDeduplicationId, isFifo ? event.id : undefined)
    }
  })

  test('a wrong secret is refused, and the attempt names the code of the refusal', async () => {
    const { mine, queues } = await stage()
    const body = { type: 'sqs', url: `${queues.base}/other`, ...LOGIN, password: 'wrong' }
    const { id } = (await mine.call('saveDestination', { body })).json.destination
    const tested = await mine.call('testDestination', { params: { id } })
    assert.equal(tested.json.attempt.error, 'SQS answered with status 403 (SignatureDoesNotMatch).')
  })
})
