// One claimed message on its way: who the number is, typing, the payload, the network's word.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { MessageKind } from '../contract/sending.ts'
import { textOf } from '../domain/event-payloads.ts'
import type { OutgoingContent } from '../network/message.ts'
import { type MediaSource, NetworkError, type NetworkSession } from '../network/network.ts'
import type { ClaimedSend, SendOutcome } from '../store/lanes.ts'
import { hasIncoming } from '../store/queries/messages.ts'
import { findSentPayload } from '../store/queries/sent-payloads.ts'
import type { Store } from '../store/store.ts'
import type { AddressBook } from './address-book.ts'

const EXPIRY_MS = 24 * 60 * 60 * 1000
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000
/** The end of a restriction is told and hurries what is held; this is for an end that nobody told of. */
const HELD_MS = 5 * 60_000
/** The network's code for an account that may not start new chats. */
const RESTRICTED_CODE = 463

export interface DeliverDeps {
  logger: Logger
  store: Store
  clock: () => number
  live(instanceId: number): NetworkSession
  addressOf: AddressBook
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
  if (deps.clock() - claim.createdAt > EXPIRY_MS) return expired(claim)
  try {
    const session = deps.live(claim.instanceId)
    const chat = await deps.addressOf(claim.instanceId, claim.chat)
    if (chat === null) return failed('number_not_on_network', 'The network knows nobody with this number.')
    if (claim.restricted && (await isCold(deps, claim.instanceId, chat))) return held(deps)
    await type(session, chat, claim, stopping)
    if (stopping.aborted) return { kind: 'retry', at: deps.clock() }
    const content = JSON.parse(claim.content) as Record<string, unknown>
    const wire = await payloadOf(deps, session, claim, chat, content)
    const result = await session.send({ messageId: claim.messageId, chat, ...wire })
    if (!result.accepted) return await rejected(deps, claim, result.code)
    return { kind: 'sent', chat, text: textOf(content) }
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

function expired({ restricted }: ClaimedSend): SendOutcome {
  if (!restricted) return failed('expired', 'The message could not be sent within 24 hours.')
  const error = 'The network did not let this account start new chats within 24 hours.'
  return failed('account_restricted', error, RESTRICTED_CODE)
}

/** A chat in which nobody has written to us; a group was joined, and is none. */
const isCold = async ({ store }: DeliverDeps, instanceId: number, chat: string): Promise<boolean> =>
  !chat.endsWith('@g.us') && !(await hasIncoming(store.db, instanceId, chat))

/** A new chat waits for the end of the restriction; all others go on (decision 0033). */
const held = ({ clock }: DeliverDeps): SendOutcome => ({ kind: 'retry', at: clock() + HELD_MS })

async function rejected(deps: DeliverDeps, claim: ClaimedSend, code: number): Promise<SendOutcome> {
  if (code !== RESTRICTED_CODE)
    return failed('rejected_by_network', `The network refused the message (${code}).`, code)
  await deps.onRestricted(claim.instanceId).catch((err: unknown) => {
    deps.logger.debug({ err }, 'the standing of the account is not known')
  })
  return held(deps)
}

const retryPauseMs = (tries: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(10, tries - 1))

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

/** Made once and kept before anything leaves, so that every try sends the same message. */
async function payloadOf(
  deps: DeliverDeps,
  session: NetworkSession,
  { instanceId, messageId, kind, tries }: ClaimedSend,
  chat: string,
  content: Record<string, unknown>,
): Promise<{ payload: Uint8Array; kept: Promise<unknown> }> {
  const kept = tries > 1 ? await findSentPayload(deps.store.db, instanceId, messageId) : undefined
  if (kept) return { payload: kept, kept: Promise.resolve() }
  const wanted = { kind: kind as MessageKind, content } as unknown as OutgoingContent
  const payload = await session.prepare(chat, wanted, deps.media)
  const keeping = deps.store.keepPayload({ instanceId, messageId, payload, now: deps.clock() })
  // Whoever sends waits for it; where nobody comes to that, nobody misses it.
  keeping.catch(() => undefined)
  return { payload, kept: keeping }
}
