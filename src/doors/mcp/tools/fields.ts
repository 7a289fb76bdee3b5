// Fields that several tools share. The routes of the API check them further.
import { z } from 'zod'
import type { SendAnswer } from '../../../contract/sending.ts'
import type { ToolResult } from '../tool.ts'

export const instance = z
  .string()
  .min(1)
  .max(128)
  .meta({
    description: 'API name of the instance, as list_instances gives it',
    examples: ['support-k3v9x2ma'],
  })

export const recipient = z
  .string()
  .min(1)
  .max(128)
  .meta({
    description:
      'The conversation as other tools give it (`chat`), or a phone number with country code, digits only',
    examples: ['5511912345678'],
  })

/** The API tells a chat from a number by the field. */
export const addressOf = (to: string): { chat: string } | { number: string } =>
  to.includes('@') ? { chat: to } : { number: to }

export const messageId = z
  .string()
  .min(1)
  .max(128)
  .meta({ description: 'Id of the message, as other tools give it' })

export const count = (most: number, usual: number) =>
  z
    .int()
    .min(1)
    .max(most)
    .default(usual)
    .meta({ description: `How many, at most ${most}` })

export const replyTo = messageId
  .optional()
  .meta({ description: 'Id of a message of the same conversation, which the new one quotes' })

export const sendAt = z
  .string()
  .max(40)
  .optional()
  .meta({
    description: 'If it is to be sent later: ISO 8601 with offset, up to a year ahead',
    examples: ['2026-12-24T18:00:00+01:00'],
  })

/** Makes a repeated call harmless. */
export const requestId = z.string().min(1).max(255).optional().meta({
  description:
    'Any text that is unique for this message. A second call with the same text within 24 hours sends nothing and gives the first result',
})

export const Sent = z.object({
  messageId: z.string(),
  chat: z.string(),
  status: z.string().meta({
    description:
      '`queued`: will be sent; `scheduled`: will be sent later; `awaiting_approval`: sent after a person has approved it; `sent`: sent; ' +
      '`failed`: not sent',
  }),
  sendAt: z.string().optional(),
  failure: z.string().optional(),
})

const SENTENCES: Readonly<Record<string, string>> = {
  queued: 'The message is accepted and will be sent.',
  scheduled: 'The message is stored and will be sent at that time.',
  awaiting_approval:
    'The message waits until a person approves it. It is not sent before. Do not send it again; read_message shows the decision.',
  sent: 'The message was sent.',
  failed: 'The message was not sent.',
}

/** Of an accepted send, or of a message as it is now. */
type Outcome = Pick<z.output<typeof SendAnswer>, 'messageId' | 'chat' | 'status' | 'sendAt'> & {
  failure?: { error: string } | null | undefined
}

export function sentResult(answer: Outcome): ToolResult<z.output<typeof Sent>> {
  const { messageId: id, chat, status, sendAt, failure } = answer
  const data = {
    messageId: id,
    chat,
    status,
    ...(sendAt !== undefined && { sendAt }),
    ...(failure && { failure: failure.error }),
  }
  const reason = failure ? ` ${failure.error}` : ''
  return {
    text: `${SENTENCES[status] ?? `Status: ${status}.`}${reason} Message id: ${id}, chat: ${chat}.`,
    data,
  }
}
