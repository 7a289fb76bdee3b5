// Amazon SQS: one signed request per message, through the client of webhooks. There is no connection to keep.
import { createHash } from 'node:crypto'
import type { EventToPublish } from '../../context.ts'
import { signRequest } from '../../kernel/outbound/sign-request.ts'
import { parseRetryAfter } from '../rules.ts'
import { BrokerError, headersOf, type OpenParts, type OpenPublisher } from './publisher.ts'

const CONTENT_TYPE = 'application/x-amz-json-1.0'
const OK = 200
/** A queue whose name ends like this keeps the order of a group, and drops repeated ids for five minutes. */
const FIFO = '.fifo'

export const openSqs: OpenPublisher = async ({ destination, post, forSignatures }) => {
  const { url, options } = destination
  const { host, origin, pathname } = new URL(url)
  const credentials = {
    service: 'sqs' as const,
    region: options.region ?? '',
    accessKey: options.username ?? '',
    secretKey: options.password ?? '',
  }
  return {
    async publish(event, signal) {
      const body = JSON.stringify(callOf(url, pathname.endsWith(FIFO), event))
      const now = forSignatures()
      const signed = signRequest(
        credentials,
        {
          method: 'POST',
          host,
          path: '/',
          query: {},
          headers: { 'content-type': CONTENT_TYPE, 'x-amz-target': 'AmazonSQS.SendMessage' },
          bodyHash: createHash('sha256').update(body).digest('hex'),
        },
        new Date(now),
      )
      const answer = await post({ url: `${origin}${signed.target}`, headers: signed.headers, body, signal })
      return confirmationOf(answer, now)
    },
    isOpen: () => true,
    close: () => undefined,
  }
}

function callOf(url: string, isFifo: boolean, event: EventToPublish) {
  const attributes = Object.entries(headersOf(event)).map(
    ([name, value]) => [name, { DataType: 'String', StringValue: value }] as const,
  )
  return {
    QueueUrl: url,
    MessageBody: event.body,
    MessageAttributes: Object.fromEntries(attributes),
    ...(isFifo ? { MessageGroupId: event.instance, MessageDeduplicationId: event.id } : {}),
  }
}

function confirmationOf(answer: Awaited<ReturnType<OpenParts['post']>>, now: number) {
  if ('error' in answer) throw new BrokerError(answer.message)
  const { status, headers } = answer
  if (status === OK) return { answer: 'Stored in the queue.', status }
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now)
  throw new BrokerError(`SQS answered with status ${status}${codeIn(answer.bodyStart)}.`, {
    status,
    retryAfterMs,
  })
}

/** Such as `QueueDoesNotExist`; the text beside it could repeat what was sent. */
function codeIn(body: Buffer): string {
  try {
    const { __type: type } = JSON.parse(body.toString()) as { __type?: unknown }
    const [, code] = /(?:^|#)([A-Za-z.]{3,80})$/.exec(String(type)) ?? []
    return code === undefined ? '' : ` (${code})`
  } catch {
    return ''
  }
}
