// Sends one claimed message: resolve the recipient, show typing, prepare the payload, wait for the network's acknowledgement.

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { MessageKind } from '../../contract/sending.ts'
import type { OutgoingContent } from '../../network/message.ts'
import {
  type MediaSource,
  NetworkError,
  type NetworkSession,
  RESTRICTED_CODE,
  type SendRefusal,
} from '../../network/network.ts'
import { textOf } from '../../rules/event-payloads.ts'
import { isGroupJid } from '../../rules/jid.ts'
import {
  afterRefusal,
  expiry,
  handedBack,
  heldBack,
  mediaFailure,
  REFUSAL_OF_ERROR,
  unknownNumber,
} from '../../rules/send-failure.ts'
import type { SendOutcome } from '../../rules/settle-send.ts'
import type { ClaimedSend } from '../../store/operations/claim/types.ts'
import { hasIncoming } from '../../store/queries/messages.ts'
import { findSentPayload } from '../../store/queries/sent-payloads.ts'
import type { Store } from '../../store/store.ts'
import type { AddressBook } from './address-book.ts'

/** The source of an account's media files. */
export type MediaOf = (accountId: number) => MediaSource

export interface SendDeps {
  logger: Logger
  store: Store
  clock: () => number
  openSession(instanceId: number): NetworkSession
  addresses: Pick<AddressBook, 'addressOf' | 'forget'>
  media: MediaOf
  /** The network refused to start a chat: the restriction of the account should be asked for. */
  onRestricted(instanceId: number): Promise<void>
}

/** Once `stopping` is aborted, nothing is handed to the network any more: the message is due at once for the next process. */
export async function sendClaimed(
  deps: SendDeps,
  claim: ClaimedSend,
  stopping: AbortSignal,
): Promise<SendOutcome> {
  if (stopping.aborted) return handedBack(deps.clock())
  const expired = expiry(claim, deps.clock(), RESTRICTED_CODE)
  if (expired) return expired
  try {
    const session = deps.openSession(claim.instanceId)
    const chat = await deps.addresses.addressOf(claim.instanceId, claim.chat)
    if (chat === null) return unknownNumber()
    if (claim.restricted && (await isNewChat(deps, claim.instanceId, chat))) return heldBack(deps.clock())
    await showTyping(session, chat, claim, stopping)
    const content = JSON.parse(claim.content) as Record<string, unknown>
    const wire = await payloadOf(deps, session, claim, { chat, content }, stopping)
    if (stopping.aborted) return handedBack(deps.clock())
    const isRepeated = claim.tries > 1
    const result = await session.send({ messageId: claim.messageId, chat, isRepeated, ...wire })
    if (!result.accepted) return await refused(deps, claim, result.refusal, result.code)
    return { kind: 'sent', chat, text: textOf(content) }
  } catch (error) {
    if (error instanceof MediaError) return mediaFailure(error.reason, error.message)
    if (stopping.aborted) return handedBack(deps.clock())
    if (!(error instanceof NetworkError)) throw error
    deps.logger.debug({ messageId: claim.messageId, err: error }, 'send worker: send failed')
    return await refused(deps, claim, REFUSAL_OF_ERROR[error.kind], error.code)
  }
}

/** Thrown by the media source when the message can never be sent. */
export class MediaError extends Error {
  readonly reason: 'media_unavailable' | 'media_too_large'
  constructor(reason: 'media_unavailable' | 'media_too_large', message: string) {
    super(message)
    this.reason = reason
  }
}

/** No message was received in this chat yet. A group is never new: the instance is a member already. */
const isNewChat = async ({ store }: SendDeps, instanceId: number, chat: string): Promise<boolean> =>
  !isGroupJid(chat) && !(await hasIncoming(store.db, instanceId, chat))

/** Updates what the gateway knows about the account or the recipient, so that the next try starts from current data. */
const BEFORE_RETRY: Partial<Record<SendRefusal, (deps: SendDeps, claim: ClaimedSend) => Promise<void>>> = {
  stale: ({ addresses }, { instanceId, chat }) => addresses.forget(instanceId, chat),
  restricted: ({ onRestricted, logger }, { instanceId }) =>
    onRestricted(instanceId).catch((err: unknown) =>
      logger.debug({ err, instanceId }, 'send worker: could not refresh the restriction; the send is held'),
    ),
}

async function refused(
  deps: SendDeps,
  claim: ClaimedSend,
  refusal: SendRefusal,
  code: number | null,
): Promise<SendOutcome> {
  await BEFORE_RETRY[refusal]?.(deps, claim)
  return afterRefusal(refusal, { tries: claim.tries, now: deps.clock(), code })
}

async function showTyping(
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

/** Prepared once and stored before anything is sent, so that every try sends the same message. */
async function payloadOf(
  deps: SendDeps,
  session: NetworkSession,
  { accountId, instanceId, messageId, kind, tries }: ClaimedSend,
  { chat, content }: { chat: string; content: Record<string, unknown> },
  stopping: AbortSignal,
): Promise<{ payload: Uint8Array; stored: Promise<unknown> }> {
  const earlier = tries > 1 ? await findSentPayload(deps.store.db, instanceId, messageId) : undefined
  if (earlier) return { payload: earlier, stored: Promise.resolve() }
  const wanted = { kind: kind as MessageKind, content } as unknown as OutgoingContent
  const payload = await session.prepare(chat, wanted, deps.media(accountId), stopping)
  const storing = deps.store.savePayload({ instanceId, messageId, payload, now: deps.clock() })
  // The session awaits this before it sends. If the send ends earlier, the failure must not become an unhandled rejection.
  storing.catch(() => undefined)
  return { payload, stored: storing }
}
