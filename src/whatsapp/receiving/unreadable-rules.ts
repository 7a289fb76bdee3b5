// What follows when a message cannot be decrypted: who is asked for it again, and when it is reported as undecryptable (decision 0132).
import { type BinaryNode, isJidNewsletter, isJidStatusBroadcast, proto } from '../library/protocol.ts'
import { decodeBounded } from '../library/received-limits.ts'

export const UNREADABLE_REASONS = [
  /** The keys do not fit: no session, a wrong or used key, a part that was changed on the way. */
  'decryption_failed',
  /** It is encrypted in a way that this device does not know. */
  'unsupported_encryption',
  /** The network gave this device the envelope alone. */
  'no_content',
  /** As `no_content`, and the phone does not give the content to other devices. */
  'only_on_phone',
  /** It was decrypted, but is not a message of the protocol. */
  'invalid_content',
] as const
export type UnreadableReason = (typeof UNREADABLE_REASONS)[number]

const READABLE: ReadonlySet<string | undefined> = new Set(['pkmsg', 'msg', 'skmsg'])
const ONLY_ON_PHONE: ReadonlySet<string | undefined> = new Set([
  'bot_unavailable_fanout',
  'hosted_unavailable_fanout',
])
/** With this type the library acknowledges a message, and does nothing else about it. */
export const SKIPPED_BY_LIBRARY = 'view_once_unavailable_fanout'
export const VIEW_ONCE_TYPES: ReadonlySet<string | undefined> = new Set(['view_once', SKIPPED_BY_LIBRARY])

export const childrenOf = ({ content }: BinaryNode): BinaryNode[] => (Array.isArray(content) ? content : [])

/** A part that the Signal protocol decrypts. */
export const isReadable = ({ tag, attrs, content }: BinaryNode): boolean =>
  tag === 'enc' && READABLE.has(attrs.type) && content instanceof Uint8Array

/**
 * Whether a part is a certificate of a business name that cannot be read. The library would give up the whole message because of it, and
 * the name is only shown.
 */
export function isBadCertificate({ tag, content }: BinaryNode): boolean {
  if (tag !== 'verified_name' || !(content instanceof Uint8Array)) return false
  try {
    const { content: certificate, truncated } = decodeBounded(proto.VerifiedNameCertificate, content)
    const details = decodeBounded(proto.VerifiedNameCertificate.Details, certificate.details as Uint8Array)
    return truncated || details.truncated
  } catch {
    return true
  }
}

/** Why nothing in a stanza can be decrypted; undefined if something can, or if the stanza needs no decryption. */
export function unreadableReason(stanza: BinaryNode): UnreadableReason | undefined {
  const children = childrenOf(stanza)
  if (isJidNewsletter(stanza.attrs.from ?? '') || children.some(({ tag }) => tag === 'plaintext'))
    return undefined
  if (children.some(isReadable)) return undefined
  if (children.some(({ tag }) => tag === 'enc')) return 'unsupported_encryption'
  const unavailable = children.find(({ tag }) => tag === 'unavailable')
  if (unavailable && VIEW_ONCE_TYPES.has(unavailable.attrs.type)) return undefined
  return unavailable && ONLY_ON_PHONE.has(unavailable.attrs.type) ? 'only_on_phone' : 'no_content'
}

/** A message that waits for its content. */
export interface UnreadableMessageRecord {
  /** The name of its stanza. */
  name: string
  attrs: Record<string, string>
  reason: UnreadableReason
  /** How often it could not be decrypted. */
  failures: number
  failedAtMs: number
  phoneAskedAtMs: number | null
}

type Facts = Pick<UnreadableMessageRecord, 'attrs' | 'reason'>

/** As the official clients. */
const MAX_RETRIES = 5
const DAY_SECONDS = 86_400
/** A status is gone after a day. */
const STATUS_SECONDS = DAY_SECONDS
/** Older messages are not requested from the phone. */
const PHONE_SECONDS = 14 * DAY_SECONDS

const ageSeconds = ({ attrs }: Pick<Facts, 'attrs'>, nowMs: number): number =>
  nowMs / 1000 - (Number(attrs.t) || 0)

const isOver = (message: Facts, nowMs: number): boolean =>
  isJidStatusBroadcast(message.attrs.from ?? '') && ageSeconds(message, nowMs) > STATUS_SECONDS

/** Messages between devices of the account, such as a history. They are not messages of a chat. */
export const isPeerMessage = ({ attrs }: Pick<Facts, 'attrs'>): boolean => attrs.category === 'peer'

/** The number of the retry receipt to send; undefined: the sender is not asked. */
export function retryCount(
  message: Facts & Pick<UnreadableMessageRecord, 'failures'>,
  nowMs: number,
): number | undefined {
  if (message.reason !== 'decryption_failed' || isOver(message, nowMs)) return undefined
  return message.failures <= MAX_RETRIES ? message.failures : undefined
}

export function asksPhone(message: Facts, nowMs: number): boolean {
  const { reason } = message
  if (reason === 'only_on_phone' || reason === 'invalid_content' || isPeerMessage(message)) return false
  return !isOver(message, nowMs) && ageSeconds(message, nowMs) <= PHONE_SECONDS
}

export interface UnreadableTimes {
  /** The sender answers within a second if it is online. */
  phoneMs: number
  reportMs: number
}

export type UnreadableStep = 'ask_phone' | 'report' | 'wait'

/** What is due. No one is left to ask after the last retry, or if neither the sender nor the phone has the message. */
export function dueStep(
  message: UnreadableMessageRecord,
  nowMs: number,
  { phoneMs, reportMs }: UnreadableTimes,
): UnreadableStep {
  const mayAskPhone = asksPhone(message, nowMs)
  const isHopeless = !mayAskPhone && retryCount(message, nowMs) === undefined
  if (isHopeless || message.failures > MAX_RETRIES || nowMs >= message.failedAtMs + reportMs) return 'report'
  const isPhoneDue = message.phoneAskedAtMs === null && nowMs >= message.failedAtMs + phoneMs
  return mayAskPhone && isPhoneDue ? 'ask_phone' : 'wait'
}
