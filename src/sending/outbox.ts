// A send as it is handed to the store.
import type { SendTerms } from './rules/accept-send.ts'

export interface SendToAccept extends SendTerms {
  accountId: number
  instanceId: number
  messageId: string
  chat: string
  number: string | null
  groupJid: string | null
  kind: string
  content: string
  delayMs: number
  /** What the sender calls this send; null: it is not named. */
  reference: string | null
  createdAt: number
  /** The message is not sent after this time; null: the limit of every message applies. */
  expiresAt: number | null
  /** The payload of `messages.upsert` without the sender, which is read from the instance's row. */
  event: Record<string, unknown>
  /** The start of the period that the message is counted in. */
  period: number
  /** Files that were fetched for it: from now on they belong to this send, and are kept until then. */
  held?: { uploadIds: readonly number[]; until: number } | undefined
  idempotency: { key: string; fingerprint: string; answer: string } | null
}

/** The lane of a send: messages of one instance to one chat are sent in order. */
export const laneKey = ({ instanceId, chat }: Pick<SendToAccept, 'instanceId' | 'chat'>): string =>
  `send:${instanceId}:${chat}`
