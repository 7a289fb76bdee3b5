// `messages`: what was sent and received, and what became of it.
import type { z } from 'zod'
import { DIRECTIONS, type Message } from '../contract/messages.ts'
import { MESSAGE_STATUSES } from '../contract/sending.ts'
import { command, given, SERVER_OPTIONS, UsageError } from './command.ts'
import { pageNote, record, table } from './print.ts'

type MessageAnswer = z.output<typeof Message>

const fieldsOf = (message: MessageAnswer) => ({
  id: message.messageId,
  created: message.createdAt,
  direction: message.direction,
  chat: message.number ?? message.groupJid,
  type: message.type,
  status: message.status,
  failure: message.failure?.reason,
})

const detailsOf = (message: MessageAnswer) => ({
  ...fieldsOf(message),
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

export const messageCommands = [
  command({
    name: 'messages list',
    summary: 'List messages, newest first',
    parameters: [],
    options: {
      ...SERVER_OPTIONS,
      instance: { type: 'string', value: 'API_NAME', help: 'Only of this instance' },
      number: { type: 'string', value: 'NUMBER', help: 'Only with this phone number' },
      status: { type: 'string', value: 'STATUS', help: `One of ${MESSAGE_STATUSES.join(', ')}` },
      direction: { type: 'string', value: 'DIRECTION', help: DIRECTIONS.join(' or ') },
      page: { type: 'string', value: 'N', help: 'Page, from 1' },
      limit: { type: 'string', value: 'N', help: 'Items per page, 1 to 100' },
    },
    async run(context, { instance, number, status, direction, page, limit }) {
      const query = given({
        instanceName: instance,
        number,
        status: oneOf('status', MESSAGE_STATUSES, status),
        direction: oneOf('direction', DIRECTIONS, direction),
        page,
        limit,
      })
      const answer = await (await context.account()).listMessages({ query })
      const columns = ['id', 'created', 'direction', 'chat', 'type', 'status', 'failure']
      const rows = answer.messages.map((message) => Object.values(fieldsOf(message)))
      return { json: answer, text: table(columns, rows) + pageNote(answer) }
    },
  }),
  command({
    name: 'messages show',
    summary: 'Show a message and what became of it',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [messageId]) {
      const answer = await (await context.account()).getMessage({ params: { messageId } })
      return { json: answer, text: record(detailsOf(answer.message)) }
    },
  }),
  command({
    name: 'messages cancel',
    summary: 'Cancel a message that is still queued',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [messageId]) {
      const answer = await (await context.account()).cancelMessage({ params: { messageId } })
      return { json: answer, text: record(detailsOf(answer.message)) }
    },
  }),
]
