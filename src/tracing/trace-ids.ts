// The ids of a trace. They are derived from what the trace is about, so that each step finds them without a column in the store,
// also in another process and after a restart.
import { createHash, randomBytes } from 'node:crypto'

export interface TraceIds {
  traceId: string
  /** The span that the others belong to: the message was accepted, or it arrived. */
  entryId: string
  /** The request of an accepted message, or the event of a received one. */
  secondId: string
}

/** A message of two instances has two traces: each of them has its own path. */
export const idsOfMessage = (instanceId: number, messageId: string): TraceIds =>
  idsOf(`message ${instanceId} ${messageId}`)

/** An event without a message. Its time keeps events of different databases apart, whose positions both start at one. */
export const idsOfEvent = (accountId: number, position: number, createdAt: number): TraceIds =>
  idsOf(`event ${accountId} ${position} ${createdAt}`)

function idsOf(subject: string): TraceIds {
  const digest = createHash('sha256').update(`switchboard ${subject}`).digest('hex')
  return { traceId: digest.slice(0, 32), entryId: digest.slice(32, 48), secondId: digest.slice(48, 64) }
}

/** For a span that no other one refers to. */
export const newSpanId = (): string => randomBytes(8).toString('hex')
