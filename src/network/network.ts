// The network port: the operations of a connection, the events it reports, and the ways it fails.
import type { Readable } from 'node:stream'
import type { SyncHistory } from '../contract/instance-settings.ts'
import type { FileContent } from '../contract/route.ts'
import type { NetworkCall } from './calls.ts'
import type { ChatCalls, ChatReport, LiveChatCalls } from './chats.ts'
import type { GroupCalls, GroupNotice, KnownPerson, LiveGroupCalls, NetworkGroup } from './groups.ts'
import type {
  NetworkAddress,
  OutgoingContent,
  OutgoingContext,
  ReceivedMessage,
  StoredOriginal,
} from './message.ts'
import type { LivePasskeyCalls, PasskeyCalls, PasskeyEnd, PasskeyStep } from './passkey.ts'
import type { LivePeopleCalls, PeopleCalls, PresenceChange } from './people.ts'

/**
 * unavailable: the network cannot be reached right now. timeout: it did not answer in time.
 * refused: the network refused, and will refuse again. not_a_group_member: the group does not exist, or the account is not in it.
 * not_a_group_admin: only an admin of the group may do this. unknown_invite: the invite code is not valid.
 * stale: the driver used outdated data, such as a device that no longer exists; a few more tries may succeed.
 * no_longer_owner: another process serves this instance. held: the gateway is held (decision 0076).
 * outcome_unknown: the call was perhaps carried out, and the node that knows it was lost.
 */
export type NetworkErrorKind =
  | 'unavailable'
  | 'timeout'
  | 'refused'
  | 'not_a_group_member'
  | 'not_a_group_admin'
  | 'unknown_invite'
  | 'stale'
  | 'no_longer_owner'
  | 'held'
  | 'outcome_unknown'
  | 'keys_missing'

export class NetworkError extends Error {
  readonly kind: NetworkErrorKind
  /** The network's code, if its answer contained one. */
  readonly code: number | null

  constructor(kind: NetworkErrorKind, message: string, cause?: unknown, code: number | null = null) {
    super(message, { cause })
    this.name = 'NetworkError'
    this.kind = kind
    this.code = code
  }
}

/** Whether this process may send frames to the network. Another one may use its logins while the gate is shut. */
export interface FrameGate {
  isOpen(): boolean
  /** Runs `cut` when the gate shuts, until the returned function is called. */
  onShut(cut: () => void): () => void
}

/** A network that instances connect to. A process uses one network. */
export interface Network {
  /** Opens a connection with the login in the credentials, or for pairing if they contain none. */
  connect(options: ConnectOptions): Promise<NetworkSession>
}

/** What an instance asks of its connections. */
export interface SessionOptions {
  /** How much history the phone transfers when the instance is paired. Absent: `recent`. */
  syncHistory?: SyncHistory | undefined
  /** The account is shown as online. */
  alwaysOnline?: boolean | undefined
  /** Shown in the list of linked devices on the phone. Takes effect with a pairing. */
  deviceName?: string | null | undefined
  /** The URL of a proxy with its credentials. Every connection of the session goes through it. */
  proxy?: string | null | undefined
}

export interface ConnectOptions extends SessionOptions {
  credentials: Credentials
  /** The driver acknowledges an event to the network only after the handler's promise has settled. */
  onEvent(event: NetworkEvent): Promise<void>
  /** The payload sent under this id, for a phone that could not decrypt it and requests it again. */
  findSent(messageId: string): Promise<Uint8Array | undefined>
  /** Stored messages with this id, sent or received: at most two. What refers to them is encrypted with their secret. */
  findOriginals(messageId: string): Promise<StoredOriginal[]>
  /** Absent: every message is handled. */
  guard?: ArrivalGuard | undefined
}

/** Keeps a message that ends the process from doing so with every connection. Names are those of arrivals or of their stanzas. */
export interface ArrivalGuard {
  /** Whether the process has died too often while it handled this message. */
  isFatal(name: string): boolean
  /** Handles messages; if the process dies meanwhile, the next one knows which they were. */
  run<T>(names: readonly string[], work: () => Promise<T>): Promise<T>
  /** Stores a message that will not be handled, and reports it. */
  setAside(message: UnhandledMessage): Promise<void>
}

export interface UnhandledMessage extends Arrival {
  reason: 'ended_process' | 'malformed'
}

/** Storage for the login and keys of a session. A write is durable when its promise resolves. */
export interface Credentials {
  read(kind: string, names: string[]): Promise<Map<string, Uint8Array>>
  /** Keys and arrivals in one commit. Rejects with `no_longer_owner` when another process serves the instance. */
  write(keys: KeyChange[], arrivals: Arrival[]): Promise<void>
  /** The stored copy of a message that the network delivers again. */
  findArrival(name: string): Promise<Uint8Array | undefined>
}

export interface KeyChange {
  kind: string
  name: string
  /** Null removes the key. */
  value: Uint8Array | null
}

/** A received message: decrypted, not yet interpreted. */
export interface Arrival {
  name: string
  payload: Uint8Array
}

export type NetworkEvent =
  | { kind: 'qr'; code: string; expiresAt: number }
  /** The network has replaced the pairing code that was requested. */
  | { kind: 'pairing_code'; code: string }
  /** Only while pairing, after a phone has scanned or typed the code. */
  | ({ kind: 'passkey' } & PasskeyStep)
  | { kind: 'opened'; account: OwnAccount }
  | Closed
  /** The network reported a change: until when the account may not start new chats; null: it may. */
  | { kind: 'restriction'; restrictedUntil: number | null }
  | ({ kind: 'arrived' } & Arrival)
  | {
      kind: 'receipt'
      messageIds: string[]
      status: 'delivered' | 'read' | 'played'
      atMs: number
      /** All identifiers of the chat. */
      chat: string[]
      /** All identifiers of the sender of the receipt; those of the chat if the chat is one person. */
      by: string[]
    }
  /** The owner of the instance has read these messages on another device. */
  | { kind: 'owner_read'; messageIds: string[]; atMs: number }
  | { kind: 'people'; people: KnownPerson[] }
  /** The notices tell who made the changes. */
  | { kind: 'groups'; groups: NetworkGroup[]; notices?: GroupNotice[] }
  /** All groups of the account, without the uncertain ones: those changed while the list was read. */
  | { kind: 'all_groups'; groups: NetworkGroup[]; uncertain: string[] }
  | { kind: 'left_group'; jid: string; notices?: GroupNotice[] }
  /** Of a person, a group or this account. The author is known only for a group. */
  | { kind: 'picture'; jid: string; change: 'set' | 'removed'; author?: KnownPerson | null }
  | ({ kind: 'call' } & NetworkCall)
  | ChatReport
  /** Of a person in the chat with the account. */
  | ({ kind: 'presence' } & PresenceChange)
  /** The privacy setting was changed, here or on the phone. It cannot be read from the network. */
  | { kind: 'link_previews'; isOn: boolean }

export interface Closed {
  kind: 'closed'
  cause: CloseCause
  /** The end of a temporary ban; null if the network did not give one. */
  until?: number | null
  /** Why the passkey step ended. Only with `passkey_ended`. */
  reason?: PasskeyEnd
}

/**
 * restart: the network asks for a new connection at once (after pairing). code_expired: the QR code was not scanned in time.
 * passkey_ended: the network demanded a passkey, and that step ended without a linked device.
 * logged_out: the network has ended the login. replaced: the same login connected elsewhere. bad_session: the network refused
 * the state of this connection. temporarily_banned: the network has banned the account for a while. client_outdated: the network
 * does not accept this version of the driver. version_renewed: the same, but a newer version is known now. proxy_unreachable: the proxy of the instance does not answer, or does not reach the
 * network. proxy_refused: it refused the credentials or the connection. lost: any other loss, which a new connection may repair.
 * ended: closed by the gateway.
 */
export type CloseCause =
  | 'restart'
  | 'code_expired'
  | 'passkey_ended'
  | 'logged_out'
  | 'replaced'
  | 'bad_session'
  | 'temporarily_banned'
  | 'client_outdated'
  | 'version_renewed'
  | 'proxy_unreachable'
  | 'proxy_refused'
  | 'lost'
  | 'ended'

export interface OwnAccount {
  number: string
  lid: string | null
  name: string | null
}

/** The content of an arrival; all lists are empty for an arrival that is not a message. */
export interface Interpretation {
  messages: ReceivedMessage[]
  people: KnownPerson[]
  chats: { jid: string; name: string | null; unreadCount: number }[]
  /** From a history of the phone: stored, but not reported as new. */
  isHistory: boolean
  /** Of chats with people: how long messages stay. */
  timers?: { jid: string; seconds: number }[]
  /** Of a history that was requested: its messages are older than the stored ones of their chat. */
  isOlder?: boolean
  /** Chats of which the phone has no older messages. */
  endedChats?: string[]
}

export interface MessageToSend {
  messageId: string
  /** The identifier of a person or a group. */
  chat: string
  payload: Uint8Array
  /** The message is sent only after this promise has resolved. */
  stored: Promise<unknown>
  /** An earlier try failed: the driver's cached list of the recipient's devices may be outdated. */
  isRepeated?: boolean
}

/** What the owner has done with a received message. */
export type ReceivedStatus = 'read' | 'played'

/** A received message that was read. */
export interface ReadMessage extends NetworkAddress {
  messageId: string
}

/**
 * temporary: the same message may be accepted later. stale: it may be accepted once the driver has refreshed its data.
 * restricted: the account may not start new chats. permanent, not_a_group_member: it will never be accepted.
 */
export type SendRefusal = 'temporary' | 'stale' | 'restricted' | 'permanent' | 'not_a_group_member'

/** The network accepted the message, or refused it. */
export type SendResult = { accepted: true } | { accepted: false; code: number; refusal: SendRefusal }

export interface NetworkSession extends GroupCalls, ChatCalls, PeopleCalls, PasskeyCalls {
  /** Requests a pairing code to type on the phone with this number. Only while pairing. */
  requestPairingCode(number: string): Promise<string>
  /** Converts content into the payload for the network, and uploads media if needed. `stop` ends the wait. */
  prepare(
    chat: string,
    content: OutgoingContent,
    sources: MessageSources,
    stop?: AbortSignal,
  ): Promise<Uint8Array>
  send(message: MessageToSend): Promise<SendResult>
  /** Shows typing or recording in a chat until the next call. */
  showTyping(chat: string, what: 'typing' | 'recording' | 'nothing'): Promise<void>
  /** Shows the account as online, or no longer. */
  showOnline(isOnline: boolean): Promise<void>
  /** Sends receipts, if the privacy settings of the account allow it. `as` is `read` unless it is given. */
  markRead(messages: ReadMessage[], as?: ReceivedStatus): Promise<void>
  /** The identifier of each number; null if the number is not registered. */
  lookUp(numbers: string[]): Promise<Map<string, string | null>>
  /** Reads all groups of the account, and reports them in order with the changes of single groups. */
  reportGroups(): Promise<void>
  /** Rejects an incoming call. `creator` is the identifier of the caller as the network used it. */
  rejectCall(callId: string, creator: string): Promise<void>
  /** Of a person, a group or this account; null: there is none, or it is not visible to this account. */
  profilePicture(chat: string): Promise<FileContent | null>
  /** Until when the account may not start new chats; null if it may. */
  restrictedUntil(): Promise<number | null>
  interpret(payload: Uint8Array): Promise<Interpretation>
  /** As `interpret`, for an arrival that is not stored yet. Undefined: reading it takes a transfer from the network, as for a history. */
  interpretNow(payload: Uint8Array): Promise<Interpretation | undefined>
  /** The file of a received message; null if the network no longer has it. */
  downloadMedia(reference: unknown): Promise<Uint8Array | null>
  /** Ends the login at the network, then closes. */
  logOut(): Promise<void>
  /** Closes the connection and keeps the login. */
  close(): Promise<void>
}

/** Everything that a payload is made of besides its content. */
export interface MessageSources extends OutgoingContext {
  media: MediaSource
}

/** Where the file of a message is: at a URL, or among the uploaded files of the account. */
export type FileOrigin = { url: string } | { mediaId: string }

/** Fetches a file and prepares it for its kind. Rejects if the message can never be sent. */
export type MediaSource = (request: {
  origin: FileOrigin
  kind: 'image' | 'video' | 'document' | 'audio' | 'sticker'
  /** The type given by the caller, which replaces the detected one. */
  mimetype: string | undefined
  /** Aborts the download when the process stops. */
  signal: AbortSignal | undefined
}) => Promise<FetchedMedia>

/** What the gateway knows about a file. */
export interface MediaFacts {
  mimetype: string
  /** Of an uploaded file, as its caller named it. */
  fileName?: string | undefined
  jpegThumbnail?: Uint8Array | undefined
  width?: number | undefined
  height?: number | undefined
  seconds?: number | undefined
  /** 64 values from 0 to 100. */
  waveform?: Uint8Array | undefined
  isAnimated?: boolean | undefined
}

export interface FetchedMedia {
  stream: Readable
  facts: MediaFacts
  /** Must be called once the file has been read. */
  release(): Promise<void>
}

export interface QrCode {
  code: string
  expiresAt: number
}

export interface Pairing {
  qr: QrCode | null
  pairingCode: string | null
}

export interface NumberOnNetwork {
  exists: boolean
  jid: string
  /** True: the network gave this answer for the very number. Else another form of it was found, or an older node has answered. */
  isConfirmed?: boolean
}

/** The sessions of this process, one per instance, as requests use them. Each call may reject with a `NetworkError`. */
export interface LiveSessions extends LiveGroupCalls, LiveChatCalls, LivePeopleCalls, LivePasskeyCalls {
  /** Starts to connect, or to pair if there is no login. The result shows in the state of the instance. */
  start(instanceId: number): Promise<void>
  /** Starts or restarts pairing; with a number, by pairing code. */
  pair(instanceId: number, number: string | undefined): Promise<Pairing>
  /** The current QR code, waiting for one if needed; null if none came in time, or if the network demands a passkey. */
  qr(instanceId: number, waitMs: number): Promise<QrCode | null>
  /** Closes and reopens the connection, and keeps the login. */
  restart(instanceId: number): Promise<void>
  /** Reads the settings of the instance again, and reconnects if the change needs it. */
  applySettings(instanceId: number): Promise<void>
  /**
   * Finishes a recorded log-out: ends the login at the network if it can be reached, and destroys the credentials.
   * False: the store was unavailable, and destroying the credentials is retried in the background.
   */
  logOut(instanceId: number): Promise<boolean>
  /** Ends the login of a deleted instance at the network if it can be reached. Never rejects. */
  end(instanceId: number): Promise<void>
  checkNumber(instanceId: number, number: string): Promise<NumberOnNetwork>
  /** Of a person, a group or this account. Limits how many are fetched at a time. */
  profilePicture(instanceId: number, chat: string): Promise<FileContent | null>
  /** Rejects an incoming call. */
  rejectCall(instanceId: number, callId: string, creator: string): Promise<void>
  /** Sends receipts. `as` is `read` unless it is given. */
  markRead(instanceId: number, messages: ReadMessage[], as?: ReceivedStatus): Promise<void>
  /** The file of a received message; null if the network no longer has it. */
  downloadMedia(instanceId: number, reference: unknown): Promise<Uint8Array | null>
  /** Rejects while the state of an instance is not saved. */
  check(): Promise<void>
  close(): Promise<void>
}
