// The parts that use cases work with. Each function names the parts it needs.
import type { HeldBy } from '../contract/system.ts'
import type { LiveSessions } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { SendOutcomes } from './send-outcomes.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

/** Checks a URL by its form alone: returns the URL in the form that will be used, or the reason for a refusal. */
export type CheckUrl = (text: string, purpose: 'webhook' | 'media') => { href: string } | { refused: string }

/** Files of received messages, by the row of the message. */
export interface ReceivedFileStore {
  read(instanceId: number, rowId: number): Promise<Uint8Array | null>
  /** Removes all files of these instances, now or later. Never rejects. */
  forget(instanceIds: number[]): Promise<void>
}

export interface EventToPost {
  url: string
  webhookId: number
  secrets: WebhookSecrets
  /** The same on every attempt. */
  id: string
  event: string
  /** The bytes of the request. */
  body: string
  /** Cancels the request. */
  signal?: AbortSignal
}

export interface EventAttempt {
  at: number
  durationMs: number
  /** Of the response; null without one. */
  status: number | null
  /** The headers of the request, as sent. */
  headers: Record<string, string>
  /** The start of the response, safe to show; null without a response. */
  answer: string | null
  /** Why the attempt does not count as delivered; null: delivered. */
  error: string | null
  /** Cancelled by this gateway: does not count as an attempt. */
  isStopped: boolean
  /** The receiver has answered that it wants no further events. */
  isGone: boolean
  /** How long the receiver asks the gateway to wait before the next attempt. */
  retryAfterMs: number | undefined
}

/** Signs and posts one event to one receiver. Never rejects. */
export type PostEvent = (event: EventToPost) => Promise<EventAttempt>

export interface Deps {
  store: Store
  vault: Vault
  sessions: LiveSessions
  /** Makes the send worker look for queued messages at once. */
  wakeSending: () => void
  /** Waits for the outcome of sends. */
  outcomes: SendOutcomes
  /** Milliseconds. A parameter, so that tests of time-dependent code need no waiting. */
  clock: () => number
  checkUrl: CheckUrl
  files: ReceivedFileStore
  postEvent: PostEvent
  /** Makes the webhook worker look for queued deliveries at once. */
  wakeDeliveries: () => void
  /** Whether sessions, sending and webhooks are held (decision 0076). */
  hold: { heldBy(): HeldBy | null; resume(): Promise<boolean> }
}
