// Fields of a message, sent or received, by the names that the API gives them.
import type { z } from 'zod'
import type { Message as MessageSchema } from '../../../../src/contract/messages.ts'

export type Message = z.output<typeof MessageSchema>
type Content = Message['content']

/** The id is not enough: another person can send a message with the id of one of ours. */
export const keyOf = ({ messageId, direction }: Message): string => `${direction} ${messageId}`

/** Parameters of the calls about a message. */
export const addressOf = ({ messageId, instanceName }: Message) => ({
  params: { messageId },
  query: { instanceName },
})

export interface MessageSender {
  jid: string
  lid: string | null
  phone: string | null
  pushName: string | null
}
/** The sender of a received message, or of one that was sent from another device of the account. */
export const senderOf = (content: Content): MessageSender | null =>
  (content.from as unknown as MessageSender | undefined) ?? null

export interface Quote {
  messageId: string
  text: string | null
  participant: string | null
}
export const quoteOf = (content: Content): Quote | null =>
  (content.quoted as unknown as Quote | null | undefined) ?? null

/** The text of a sent or received message of any kind. */
export function textOf(content: Content): string | null {
  return textAt(content, 'message') ?? textAt(content, 'text')
}

export const textAt = (content: Content, name: string): string | null => {
  const value = content[name]
  return typeof value === 'string' ? value : null
}

export const textsAt = (content: Content, name: string): string[] => {
  const value = content[name]
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string') : []
}

/** When the message takes its place in the chat: a scheduled one when it is due, unless it failed before. */
export function placedAt({ createdAt, updatedAt, sendAt, status }: Message): string {
  if (sendAt === null) return createdAt
  return status === 'failed' && updatedAt < sendAt ? updatedAt : sendAt
}

const SECONDS = 60
/** Minutes and seconds, as players show them. */
export const lengthOf = (seconds: number): string =>
  `${Math.floor(seconds / SECONDS)}:${String(Math.round(seconds) % SECONDS).padStart(2, '0')}`
