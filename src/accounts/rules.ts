// The rules of accounts: subscription, quotas, what the audit list records, the text of keys, and what a key with walls reaches.

import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { z } from 'zod'
import {
  type Interval,
  type Resource,
  type ResourceLimit,
  type Subscription,
  type SubscriptionStatus,
  UNLIMITED,
} from '../contract/account.ts'
import type { EventData, EventName } from '../contract/events.ts'
import type { Wall } from '../contract/route.ts'
import { seesPart, type Walls, WROTE_FIRST, wallAdmits } from '../contract/wall-values.ts'
import { GatewayError } from '../errors.ts'
import { isoOrNull } from '../kernel/time.ts'
import { isGroupJid, isStatusJid } from '../network/jid.ts'

// Subscription rules: who has access, until when, and in which period a message is counted (decision 0015).

/** Columns of an account's row; times in milliseconds. */
interface Dates {
  status: string
  current_period_end: number | null
  trial_ends_at: number | null
  expires_at: number | null
}

/** When the access of each status ends; undefined: no access, null: no end. */
const ACCESS_UNTIL: Record<SubscriptionStatus, (dates: Dates) => number | null | undefined> = {
  active: () => null,
  past_due: () => null,
  trialing: (dates) => dates.trial_ends_at,
  canceled: (dates) => dates.current_period_end ?? undefined,
  expired: () => undefined,
  pending: () => undefined,
}

const statusOf = (dates: Dates): SubscriptionStatus => dates.status as SubscriptionStatus

/** The earliest time at which access ends; null if it has no end. */
function effectiveExpiry(dates: Dates): number | null {
  const ends = [ACCESS_UNTIL[statusOf(dates)](dates), dates.expires_at].filter(
    (end) => typeof end === 'number',
  )
  return ends.length > 0 ? Math.min(...ends) : null
}

export function hasAccess(dates: Dates, now: number): boolean {
  if (ACCESS_UNTIL[statusOf(dates)](dates) === undefined) return false
  const end = effectiveExpiry(dates)
  return end === null || now < end
}

export function toSubscription(dates: Dates, now: number): z.output<typeof Subscription> {
  const status = statusOf(dates)
  const end = effectiveExpiry(dates)
  return {
    status,
    hasAccess: hasAccess(dates, now),
    isExpired: status === 'expired' || (end !== null && end <= now),
    isTrial: status === 'trialing',
    isCancelled: status === 'canceled',
    isPending: status === 'pending',
    isPastDue: status === 'past_due',
    effectiveExpiry: isoOrNull(end),
    currentPeriodEnd: isoOrNull(dates.current_period_end),
    trialEndsAt: isoOrNull(dates.trial_ends_at),
    expiresAt: isoOrNull(dates.expires_at),
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The start of the n-th period after `anchor`. Months start on the anchor's day, or on the last day of a shorter month. */
export function periodStart(anchor: number, interval: Interval, n: number): number {
  if (interval === 'day') return anchor + n * DAY_MS
  if (interval === 'week') return anchor + n * 7 * DAY_MS
  const start = new Date(anchor)
  const months = start.getUTCMonth() + n * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const moved = new Date(anchor)
  moved.setUTCFullYear(start.getUTCFullYear(), months, Math.min(start.getUTCDate(), lastDay))
  return moved.getTime()
}

const LONGEST_MS: Record<Interval, number> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 31 * DAY_MS,
  year: 366 * DAY_MS,
}

/** The start of the period that contains `now`. Periods continue automatically, without renewal by the operator. */
export function currentPeriod(anchor: number, interval: Interval, now: number): number {
  if (now < anchor) return anchor
  let n = Math.floor((now - anchor) / LONGEST_MS[interval])
  while (periodStart(anchor, interval, n + 1) <= now) n += 1
  return periodStart(anchor, interval, n)
}

// Quotas: how much of a resource a plan allows, and how a refusal reports it.

type Amount = number | typeof UNLIMITED

export interface PlanLimits {
  users: Amount
  contacts: Amount
  instances: Amount
  /** Null: the plan does not count messages. */
  messages: Amount | null
}

/** `limits` is a column of the plan's row. */
export const limitsOf = (plan: { limits: string }): PlanLimits => JSON.parse(plan.limits) as PlanLimits

/** Null where there is no limit. */
export function limitOf(plan: { limits: string }, resource: Resource): number | null {
  const limit = limitsOf(plan)[resource]
  return typeof limit === 'number' ? limit : null
}

export const limitReached = (resource: string, limit: number | null, used: number): GatewayError =>
  new GatewayError('limit_reached', { resource, limit, used })

export function usageOf(allowed: Amount, used: number): z.output<typeof ResourceLimit> {
  if (allowed === UNLIMITED) return { limit: UNLIMITED, used, remaining: UNLIMITED, isLimitReached: false }
  // More can be in use than the plan allows, after a change to a smaller plan.
  return { limit: allowed, used, remaining: Math.max(0, allowed - used), isLimitReached: used >= allowed }
}

// The rule of the audit list: which requests of keys are recorded, and what of them. Never a text, a file or a secret.

interface AuditedRequest {
  method: string
  status: number
  /** Whether the key has walls. */
  isWalled: boolean
}

/** Everything that may change something, and everything that the key was denied. To a key with walls, 404 is a denial as well. */
export const isAudited = ({ method, status, isWalled }: AuditedRequest): boolean =>
  method !== 'GET' || status === 403 || (isWalled && status === 404)

const NAME = /^[\w.@+-]{1,100}$/

/** An identifier as the request gave it; null for anything else, because a refused request was not checked. */
export const auditedName = (value: unknown): string | null => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && NAME.test(text) ? text : null
}

// The text of an API key: `sk_`, 32 random characters and a checksum. The checksum detects typing errors without a query.

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(`^sk_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}

export function newKeyText(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
  return `sk_${random}${checksum(random)}`
}

/** False only for a key of this form with a wrong checksum. Keys from the environment may have any form. */
export function mayBeKey(text: string): boolean {
  const match = FORM.exec(text)
  return match === null || checksum(match[1] as string) === match[2]
}

export const hashKey = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Enough to recognize a key, not enough to use it. */
export const keyHint = (text: string): string => `${text.slice(0, 5)}…${text.slice(-4)}`

// The rule for API keys with walls: which instances and chats a key reaches. Every route, list and stream is decided here, after
// `wallAdmits` of the contract, which a browser can ask too; accounts/walls.ts looks up what it needs to know.

/** What the rule needs to know about a chat of an instance. */
export interface ReachedChat {
  /** All identifiers of the chat: number and lid of one person. */
  forms: readonly string[]
  /** Whether the instance has received a message in it. */
  hasWritten: boolean
}

export const reachesInstance = ({ instances }: Walls, apiName: string): boolean =>
  instances === null || instances.includes(apiName)

/** A group or the status posts are not a person, and never wrote first. */
export function reachesChat({ chats }: Walls, { forms, hasWritten }: ReachedChat): boolean {
  if (chats === null) return true
  if (chats === WROTE_FIRST)
    return hasWritten && forms.every((form) => !isGroupJid(form) && !isStatusJid(form))
  return forms.some((form) => chats.includes(form))
}

/** What a request is about. Undefined: it does not say. */
interface WallTarget {
  /** API name. */
  instance?: string | undefined
  chat?: ReachedChat | undefined
}

/** `hidden`: the instance is answered as one that does not exist. */
type WallVerdict = 'allowed' | 'refused' | 'hidden'

/** Kinds of routes whose request has to name an instance. Those that name a message or a contact are checked where it is found. */
const NAMES_INSTANCE: ReadonlySet<Wall> = new Set(['chat', 'chatChange', 'instance', 'change'])
/** Kinds of routes whose request has to name a chat. */
const NAMES_CHAT: ReadonlySet<Wall> = new Set(['chat', 'chatChange'])

/** The one decision about a request. A target that cannot be told is outside. */
export function wallVerdict(walls: Walls, wall: Wall, { instance, chat }: WallTarget): WallVerdict {
  if (!wallAdmits(walls, wall)) return 'refused'
  if (!seesPart(walls) || wall === 'open') return 'allowed'
  if (instance !== undefined && !reachesInstance(walls, instance)) return 'hidden'
  if (instance === undefined && walls.instances !== null && NAMES_INSTANCE.has(wall)) return 'refused'
  if (walls.chats === null || !NAMES_CHAT.has(wall)) return 'allowed'
  return chat !== undefined && reachesChat(walls, chat) ? 'allowed' : 'refused'
}

const CHAT_OF_EVENT: { readonly [N in EventName]: (data: EventData<N>) => string | null } = {
  'messages.upsert': ({ chat }) => chat,
  'messages.update': ({ chat }) => chat,
  'messages.edited': ({ chat }) => chat,
  'messages.deleted': ({ chat }) => chat,
  'messages.reaction': ({ chat }) => chat,
  'messages.set_aside': ({ chat }) => chat,
  'contacts.update': ({ person }) => person.jid,
  'contacts.merged': ({ chat }) => chat,
  'chats.update': ({ chat }) => chat,
  'presence.update': ({ chat }) => chat,
  'qrcode.updated': () => null,
  'passkey.updated': () => null,
  'connection.update': () => null,
  'groups.upsert': ({ groupJid }) => groupJid,
  'groups.update': ({ groupJid }) => groupJid,
  'group-participants.update': ({ groupJid }) => groupJid,
  'labels.association': ({ chat }) => chat,
  'labels.update': () => null,
  call: ({ groupJid, isGroup, from }) => groupJid ?? (isGroup === true ? null : from.jid),
}

/** The chat that an event is about; null: none. A key that is limited to chats sees only events of a chat. */
export const chatOfEvent = <N extends EventName>(name: N, data: EventData<N>): string | null =>
  CHAT_OF_EVENT[name](data)

/** Steps of linking: a key that may only read gets none of them. */
const LINKING_EVENTS: ReadonlySet<string> = new Set(['qrcode.updated', 'passkey.updated'])

export const isLinkingEvent = (name: string): boolean => LINKING_EVENTS.has(name)
