// One claimed message on its way: who the number is, typing, the payload, the network's word.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { MessageKind } from '../contract/sending.ts'
import type { OutgoingContent } from '../network/message.ts'
import { type MediaSource, NetworkError, type NetworkSession } from '../network/network.ts'
import type { ClaimedSend, SendOutcome } from '../store/lanes.ts'
import { findKnownNumber, keepKnownNumber } from '../store/queries/known-numbers.ts'
import { findSentPayload, keepSentPayload } from '../store/queries/sent-payloads.ts'
import type { Store } from '../store/store.ts'

const EXPIRY_MS = 24 * 60 * 60 * 1000
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000
/** A number that nobody had yesterday may have somebody today. */
const KNOWN_MS = 7 * 24 * 60 * 60 * 1000
const UNKNOWN_MS = 60 * 60 * 1000
/** The network's code for an account that may not start new chats. */
const RESTRICTED_CODE = 463

export interface DeliverDeps {
  logger: Logger
  store: Store
  clock: () => number
  live(instanceId: number): NetworkSession
  lookUp(instanceId: number, number: string): Promise<string | null>
  media: MediaSource
  /** The network refused to start a chat: it may have more to say about the account. */
  onRestricted(instanceId: number): Promise<void>
}

/** `stopping` ends the typing: the process is to go, and the message is for the next one. */
export async function deliver(
  deps: DeliverDeps,
  claim: ClaimedSend,
  stopping: AbortSignal,
): Promise<SendOutcome> {
  if (deps.clock() - claim.createdAt > EXPIRY_MS) {
    return failed('expired', 'The message could not be sent within 24 hours.')
  }
  try {
    const session = deps.live(claim.instanceId)
    const chat = await addressOf(deps, claim)
    if (chat === null) return failed('number_not_on_network', 'The network knows nobody with this number.')
    await type(session, chat, claim, stopping)
    if (stopping.aborted) return { kind: 'retry', at: deps.clock() }
    const payload = await payloadOf(deps, session, claim)
    const result = await session.send({ messageId: claim.messageId, chat, payload })
    return result.accepted ? { kind: 'sent' } : await rejected(deps, claim, result.code)
  } catch (error) {
    if (error instanceof MediaError) return failed(error.reason, error.message)
    if (!(error instanceof NetworkError)) throw error
    deps.logger.debug({ messageId: claim.messageId, err: error }, 'a send is tried again later')
    return { kind: 'retry', at: deps.clock() + retryPauseMs(claim.tries) }
  }
}

/** Raised by the source of media; the message can never go. */
export class MediaError extends Error {
  readonly reason: 'media_unavailable' | 'media_too_large'
  constructor(reason: 'media_unavailable' | 'media_too_large', message: string) {
    super(message)
    this.reason = reason
  }
}

const failed = (
  reason: Extract<SendOutcome, { kind: 'failed' }>['reason'],
  error: string,
  code: number | null = null,
): SendOutcome => ({
  kind: 'failed',
  reason,
  error,
  code,
})

async function rejected(deps: DeliverDeps, claim: ClaimedSend, code: number): Promise<SendOutcome> {
  if (code !== RESTRICTED_CODE)
    return failed('rejected_by_network', `The network refused the message (${code}).`, code)
  await deps.onRestricted(claim.instanceId).catch((err: unknown) => {
    deps.logger.debug({ err }, 'the standing of the account is not known')
  })
  return failed(
    'account_restricted',
    'The network does not let this account start new chats right now.',
    code,
  )
}

const retryPauseMs = (tries: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(10, tries - 1))

/** The network's own name for the recipient; the answer is remembered. */
async function addressOf(deps: DeliverDeps, { instanceId, chat }: ClaimedSend): Promise<string | null> {
  if (!chat.endsWith('@s.whatsapp.net')) return chat
  const number = chat.split('@')[0] ?? ''
  const known = await findKnownNumber(deps.store.db, instanceId, number)
  const age = known ? deps.clock() - known.asked_at : Infinity
  if (known && age < (known.jid === null ? UNKNOWN_MS : KNOWN_MS)) return known.jid
  const jid = await deps.lookUp(instanceId, number)
  await keepKnownNumber(deps.store.db, { instanceId, number, jid, now: deps.clock() })
  return jid
}

async function type(
  session: NetworkSession,
  chat: string,
  { delayMs, kind }: ClaimedSend,
  stopping: AbortSignal,
): Promise<void> {
  if (delayMs === 0) return
  await session.showTyping(chat, kind === 'audio' ? 'recording' : 'typing')
  await pause(delayMs, undefined, { signal: stopping }).catch(() => undefined)
  await session.showTyping(chat, 'nothing')
}

/** Made once and kept before the first try, so that every try sends the same message. */
async function payloadOf(
  deps: DeliverDeps,
  session: NetworkSession,
  claim: ClaimedSend,
): Promise<Uint8Array> {
  const { instanceId, messageId } = claim
  const kept = await findSentPayload(deps.store.db, instanceId, messageId)
  if (kept) return kept
  const content = {
    kind: claim.kind as MessageKind,
    content: JSON.parse(claim.content) as unknown,
  } as OutgoingContent
  const payload = await session.prepare(content, deps.media)
  await keepSentPayload(deps.store.db, { instanceId, messageId, payload, now: deps.clock() })
  return payload
}
