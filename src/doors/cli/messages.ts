// `messages`: sent and received messages and their status.
import type { z } from 'zod'
import { DIRECTIONS, type Message } from '../../contract/messages.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { MESSAGE_STATUSES } from '../../contract/sending.ts'
import { command, SERVER_OPTIONS } from './command.ts'
import { nextPageHint, record, table } from './print.ts'
import { UsageError } from './usage-error.ts'

type MessageAnswer = z.output<typeof Message>

const fieldsOf = (message: MessageAnswer) => ({
  id: message.messageId,
  created: message.createdAt,
  direction: message.direction,
  chat: message.number ?? message.chat,
  type: message.type,
  status: message.status,
  failure: message.failure?.reason,
})

const detailsOf = (message: MessageAnswer) => ({
  ...fieldsOf(message),
  instance: message.instanceName,
  failure: message.failure && `${message.failure.reason}: ${message.failure.error}`,
  sent: message.sentAt,
  delivered: message.deliveredAt,
  read: message.readAt,
  content: message.content,
})

function oneOf<T extends string>(name: string, known: readonly T[], text: string | undefined): T | undefined {
  if (text === undefined) return undefined
  const value = known.find((candidate) => candidate === text)
  if (value === undefined) throw new UsageError(`--${name}: expected one of ${known.join(', ')}`)
  return value
}

const instanceOption = {
  type: 'string',
  value: 'API_NAME',
  help: 'The message of this instance, if several instances have the same message id',
} as const

export const messageCommands = [
  command({
    name: 'messages list',
    summary: 'List messages, newest first',
    parameters: [],
    options: {
      ...SERVER_OPTIONS,
      instance: { type: 'string', value: 'API_NAME', help: 'Only messages of this instance' },
      number: { type: 'string', value: 'NUMBER', help: 'Only messages to or from this phone number' },
      status: { type: 'string', value: 'STATUS', help: `One of ${MESSAGE_STATUSES.join(', ')}` },
      reference: { type: 'string', value: 'TEXT', help: 'Only messages that were sent with this reference' },
      direction: { type: 'string', value: 'DIRECTION', help: `One of ${DIRECTIONS.join(', ')}` },
      page: { type: 'string', value: 'N', help: 'Page number, starting at 1' },
      limit: { type: 'string', value: 'N', help: 'Items per page, 1 to 100' },
    },
    async run(context, { instance, number, status, reference, direction, page, limit }) {
      const query = omitUndefined({
        instanceName: instance,
        number,
        status: oneOf('status', MESSAGE_STATUSES, status),
        reference,
        direction: oneOf('direction', DIRECTIONS, direction),
        page,
        limit,
      })
      const answer = await (await context.account()).listMessages({ query })
      const columns = ['id', 'created', 'direction', 'chat', 'type', 'status', 'failure']
      const rows = answer.messages.map((message) => Object.values(fieldsOf(message)))
      return { json: answer, text: table(columns, rows) + nextPageHint(answer) }
    },
  }),
  command({
    name: 'messages show',
    summary: 'Show a message and its status',
    parameters: ['ID'],
    options: { ...SERVER_OPTIONS, instance: instanceOption },
    async run(context, { instance }, [messageId]) {
      const query = omitUndefined({ instanceName: instance })
      const answer = await (await context.account()).getMessage({ params: { messageId }, query })
      return { json: answer, text: record(detailsOf(answer.message)) }
    },
  }),
  command({
    name: 'messages cancel',
    summary: 'Cancel a queued message',
    parameters: ['ID'],
    options: { ...SERVER_OPTIONS, instance: instanceOption },
    async run(context, { instance }, [messageId]) {
      const query = omitUndefined({ instanceName: instance })
      const answer = await (await context.account()).cancelMessage({ params: { messageId }, query })
      return { json: answer, text: record(detailsOf(answer.message)) }
    },
  }),
  command({
    name: 'messages cancel-all',
    summary: 'Cancel all messages with a reference that wait to be sent',
    parameters: ['REFERENCE'],
    options: {
      ...SERVER_OPTIONS,
      instance: { type: 'string', value: 'API_NAME', help: 'Only messages of this instance' },
    },
    async run(context, { instance }, [reference]) {
      const body = { reference, ...omitUndefined({ instanceName: instance }) }
      const answer = await (await context.account()).cancelMessages({ body })
      const { canceled, sending, sent, more } = answer
      return {
        json: answer,
        text: record({ canceled, sending, sent, more: more ? 'yes, run it again' : 'no' }),
      }
    },
  }),
]
