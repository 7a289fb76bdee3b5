// The parts that use cases work with. Each function names the parts it needs.
import type { DestinationType } from './contract/destination-types.ts'
import type { HeldBy } from './contract/system.ts'
import type { ReceivedMedia } from './network/message.ts'
import type { FileOrigin, LiveSessions } from './network/network.ts'
import type { SendOutcomes } from './sending/outcomes.ts'
import type { Store } from './store/store.ts'
import type { Vault } from './store/vault.ts'
import type { Tracer } from './tracer.ts'
import type { DestinationOptions } from './webhooks/rules-destination-options.ts'
import type { WebhookSecrets } from './webhooks/secrets.ts'

/** Checks a URL by its form alone: returns the URL in the form that will be used, or the reason for a refusal. */
export type CheckUrl = (
  text: string,
  purpose: 'webhook' | 'media' | 'proxy' | DestinationType,
) => { href: string } | { refused: string }

/** Reads the short answer of a webhook receiver to a GET. Rejects with a sentence that contains no address. */
export type ReadReceiver = (url: string) => Promise<string>

/** Reads the document by which a program describes itself. Rejects with a sentence that contains no address. */
export type ReadClientDocument = (url: string) => Promise<string>

/** Files of received messages, by the row of the message. */
export interface ReceivedFileStore {
  /** Null: there is no such file. */
  open(
    instanceId: number,
    rowId: number,
  ): Promise<{ sizeBytes: number; chunks(): AsyncIterable<Uint8Array> } | null>
  /** Removes all files of these instances, now or later. Never rejects. */
  forget(instanceIds: number[]): Promise<void>
}

/** The bytes of uploaded files. */
export interface UploadedFileStore {
  /** Reads the source to its end. `check` gets the type that the first bytes show; what it throws ends the upload. */
  write(
    file: { accountId: number; uploadId: number },
    source: AsyncIterable<Uint8Array>,
    check: (detected: string | undefined) => void,
  ): Promise<{ sizeBytes: number; sha256: string }>
  /** Fails while it is read if the file is gone. */
  read(file: { accountId: number; uploadId: number }, sizeBytes: number): AsyncIterable<Uint8Array>
  remove(uploadId: number): Promise<void>
}

/** A picture that a request names, or that is its body. */
export type PictureOrigin = FileOrigin | { bytes: Uint8Array }

/**
 * Converts a JPEG or PNG to the picture that the network takes for groups and profiles. Rejects with a refusal of the request; `path`
 * is the field that names the picture.
 */
export type ReadPicture = (accountId: number, origin: PictureOrigin, path: string) => Promise<Uint8Array>

export interface EventToPost {
  url: string
  webhookId: number
  secrets: WebhookSecrets
  /** The same on every attempt. */
  id: string
  event: string
  /** The bytes of the request. */
  body: string
  /** In addition to those of every delivery, which they cannot replace. */
  headers?: Record<string, string> | undefined
  /** The same, with values that are neither stored nor shown. */
  secretHeaders?: Record<string, string> | undefined
  /** Absent while tracing is off. */
  traceparent?: string | undefined
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
  /** A broker has confirmed it: it is delivered, although there is no status. */
  isConfirmed?: boolean
}

/** Signs and posts one event to one receiver. Never rejects. */
export type PostEvent = (event: EventToPost) => Promise<EventAttempt>

export interface EventToPublish {
  /** The same on every attempt. */
  id: string
  event: string
  /** API name of the instance. */
  instance: string
  /** What people call the instance; null: there is none. */
  displayName: string | null
  /** When it happened. */
  at: number
  /** The bytes of the message. */
  body: string
}

export interface DestinationToUse {
  /** Of its row. */
  id: number
  type: DestinationType
  url: string
  options: DestinationOptions
}

/** Publishes one event to a broker and waits until the broker has confirmed it. Never rejects. */
export type PublishEvent = (
  destination: DestinationToUse,
  event: EventToPublish,
  signal?: AbortSignal,
) => Promise<EventAttempt>

/** due: accepted, and to be sent at once. timed: the message is sent, or given up, at a time of its own. */
export type AcceptedKind = 'due' | 'timed'

export interface Deps {
  store: Store
  vault: Vault
  sessions: LiveSessions
  /** Makes the send worker look for queued messages at once, here or on the node that serves the instance. */
  wakeSending: (nodeId: number | undefined, accepted: AcceptedKind) => void
  /** Waits for the outcome of sends. */
  outcomes: SendOutcomes
  /** Absent while tracing is off. */
  trace?: Tracer | undefined
  /** Milliseconds. A parameter, so that tests of time-dependent code need no waiting. */
  clock: () => number
  checkUrl: CheckUrl
  readReceiver: ReadReceiver
  readClientDocument: ReadClientDocument
  files: ReceivedFileStore
  /** The file that the payload of a sent message describes; null: none. */
  sentMedia(payload: Uint8Array): ReceivedMedia | null
  uploads: UploadedFileStore
  readPicture: ReadPicture
  postEvent: PostEvent
  /** Makes the webhook worker look for queued deliveries at once. */
  wakeDeliveries: () => void
  /** Whether sessions, sending and webhooks are held (decision 0076). */
  hold: { heldBy(): HeldBy | null; resume(): Promise<boolean> }
}
