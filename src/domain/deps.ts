// What the rules work with; each function names the part of it that it needs.
import type { LiveSessions } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { OutcomeWatch } from './outcome-watch.ts'
import type { FileShelf } from './received-media.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

/** What the guarded client says of a URL by its form alone: the URL as it will be used, or why not. */
export type JudgeUrl = (text: string, purpose: 'webhook' | 'media') => { href: string } | { refused: string }

export interface EventToPost {
  url: string
  webhookId: number
  secrets: WebhookSecrets
  /** The same on every try. */
  id: string
  event: string
  /** As it goes over the wire. */
  body: string
  /** Breaks the exchange off. */
  signal?: AbortSignal
}

export interface EventAttempt {
  at: number
  durationMs: number
  /** Of the answer; null where none came. */
  status: number | null
  /** The headers of the request, as sent. */
  headers: Record<string, string>
  /** The start of the answer, safe to show; null where none came. */
  answer: string | null
  /** Why it does not count as delivered; null: it does. */
  error: string | null
  /** Broken off by us: as if never tried. */
  isStopped: boolean
  /** The receiver wants nothing more, ever. */
  isGone: boolean
  /** How long the receiver asks us to wait. */
  wishMs: number | undefined
}

/** Signs and posts one event to one receiver. Never rejects. */
export type PostEvent = (event: EventToPost) => Promise<EventAttempt>

export interface Deps {
  store: Store
  vault: Vault
  sessions: LiveSessions
  /** A message was accepted: whoever sends may look for it at once. */
  wakeSending: () => void
  /** Waits for what becomes of messages. */
  outcomes: OutcomeWatch
  /** Milliseconds; a parameter so that rules about time need no waiting in tests. */
  clock: () => number
  judgeUrl: JudgeUrl
  /** Where files of received messages are kept. */
  files: FileShelf
  postEvent: PostEvent
  /** Deliveries were put into the queue by request: whoever posts may look for them at once. */
  wakeDeliveries: () => void
}
