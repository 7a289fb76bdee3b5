// The network port: the operations of a connection, the events it reports, and the ways it fails.
import type { Readable } from 'node:stream'
import type { FileContent } from '../contract/route.ts'
import type { NetworkAddress, OutgoingContent, ReceivedMessage } from './message.ts'

/**
 * unavailable: the network cannot be reached right now. timeout: it did not answer in time.
 * refused: the network refused, and will refuse again. not_a_group_member: the group does not exist, or the account is not in it.
 * stale: the driver used outdated data, such as a device that no longer exists; a few more tries may succeed.
 * no_longer_owner: another process serves this instance. held: the gateway is held (decision 0076).
 */
export type NetworkErrorKind =
  | 'unavailable'
  | 'timeout'
  | 'refused'
  | 'not_a_group_member'
  | 'stale'
  | 'no_longer_owner'
  | 'held'

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

/** A network that instances connect to. A process uses one network. */
/** Whether this process may send frames to the network. Another one may use its logins while the gate is shut. */
export interface FrameGate {
  isOpen(): boolean
  /** Runs `cut` when the gate shuts, until the returned function is called. */
  onShut(cut: () => void): () => void
}

export interface Network {
  /** Opens a connection with the login in the credentials, or for pairing if they contain none. */
  connect(options: ConnectOptions): Promise<NetworkSession>
}

export interface ConnectOptions {
  credentials: Credentials
  /** The driver acknowledges an event to the network only after the handler's promise has settled. */
  onEvent(event: NetworkEvent): Promise<void>
  /** The payload sent under this id, for a phone that could not decrypt it and requests it again. */
  findSent(messageId: string): Promise<Uint8Array | undefined>
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
  | { kind: 'groups'; groups: NetworkGroup[] }
  | { kind: 'left_group'; jid: string }
  /** Of a person, a group or the own account. */
  | { kind: 'picture'; jid: string; change: 'set' | 'removed' }

export interface Closed {
  kind: 'closed'
  cause: CloseCause
  /** The end of a temporary ban; null if the network did not give one. */
  until?: number | null
}

/**
 * restart: the network asks for a new connection at once (after pairing). code_expired: the QR code was not scanned in time.
 * logged_out: the network has ended the login. replaced: the same login connected elsewhere. bad_session: the network refused
 * the state of this connection. temporarily_banned: the network has banned the account for a while. client_outdated: the network
 * does not accept this version of the driver. lost: any other loss, which a new connection may repair. ended: closed by the
 * gateway.
 */
export type CloseCause =
  | 'restart'
  | 'code_expired'
  | 'logged_out'
  | 'replaced'
  | 'bad_session'
  | 'temporarily_banned'
  | 'client_outdated'
  | 'lost'
  | 'ended'

export interface OwnAccount {
  number: string
  lid: string | null
  name: string | null
}

export interface KnownPerson {
  jid: string
  lid: string | null
  phone: string | null
  pushName: string | null
}

/** A member with both identifiers; `jid` is the one by phone number if it is known. */
export interface GroupMember {
  jid: string
  lid: string | null
  phone: string | null
  isAdmin: boolean
}

export interface NetworkGroup {
  jid: string
  subject: string
  description: string | null
  ownerJid: string | null
  createdAtMs: number | null
  isAdmin: boolean
  isAnnouncement: boolean
  isLocked: boolean
  participants: GroupMember[]
}

/** The content of an arrival; all lists are empty for an arrival that is not a message. */
export interface Interpretation {
  messages: ReceivedMessage[]
  people: KnownPerson[]
  chats: { jid: string; name: string | null; unreadCount: number }[]
  /** From before the pairing: stored, but not reported as new. */
  isHistory: boolean
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

/** A received message that was read. */
export interface ReadMessage extends NetworkAddress {
  messageId: string
}

/**
 * temporary: the same message may be accepted later. stale: it may be accepted once the driver has refreshed its data.
 * restricted: the account may not start new chats. permanent, not_a_group_member: it will never be accepted.
 */
export type SendRefusal = 'temporary' | 'stale' | 'restricted' | 'permanent' | 'not_a_group_member'

/** The network's code for `restricted`, for a message that expires while the restriction lasts. */
export const RESTRICTED_CODE = 463

/** The network accepted the message, or refused it. */
export type SendResult = { accepted: true } | { accepted: false; code: number; refusal: SendRefusal }

export interface NetworkSession {
  /** Requests a pairing code to type on the phone with this number. Only while pairing. */
  requestPairingCode(number: string): Promise<string>
  /** Converts content into the payload for the network, and uploads media if needed. `stop` ends the wait. */
  prepare(chat: string, content: OutgoingContent, media: MediaSource, stop?: AbortSignal): Promise<Uint8Array>
  send(message: MessageToSend): Promise<SendResult>
  /** Shows typing or recording in a chat until the next call. */
  showTyping(chat: string, what: 'typing' | 'recording' | 'nothing'): Promise<void>
  /** Sends read receipts, as far as the privacy settings of the account allow it. */
  markRead(messages: ReadMessage[]): Promise<void>
  /** The identifier of each number; null if the number is not registered. */
  lookUp(numbers: string[]): Promise<Map<string, string | null>>
  listGroups(): Promise<NetworkGroup[]>
  /** Reads one group from the network and reports it. Rejects with `not_a_group_member` if the account is not in it. */
  refreshGroup(jid: string): Promise<void>
  /** Of a person, a group or the own account; null: there is none, or it is not visible to this account. */
  profilePicture(chat: string): Promise<FileContent | null>
  /** Until when the account may not start new chats; null if it may. */
  restrictedUntil(): Promise<number | null>
  interpret(payload: Uint8Array): Promise<Interpretation>
  /** The file of a received message; null if the network no longer has it. */
  downloadMedia(reference: unknown): Promise<Uint8Array | null>
  /** Ends the login at the network, then closes. */
  logOut(): Promise<void>
  /** Closes the connection and keeps the login. */
  close(): Promise<void>
}

/** Fetches the file at a media URL through the guarded client. Rejects if the message can never be sent. */
export type MediaSource = (request: {
  url: string
  kind: 'image' | 'video' | 'document' | 'audio'
  /** The type given by the caller, which replaces the detected one. */
  mimetype: string | undefined
  /** Aborts the download when the process stops. */
  signal: AbortSignal | undefined
}) => Promise<FetchedMedia>

export interface FetchedMedia {
  stream: Readable
  mimetype: string
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
}

/** The sessions of this process, one per instance, as requests use them. Each call may reject with a `NetworkError`. */
export interface LiveSessions {
  /** Starts to connect, or to pair if there is no login. The result shows in the state of the instance. */
  start(instanceId: number): Promise<void>
  /** Starts or restarts pairing; with a number, by pairing code. */
  pair(instanceId: number, number: string | undefined): Promise<Pairing>
  /** The current QR code, waiting for one if needed; null if none came in time. */
  qr(instanceId: number, waitMs: number): Promise<QrCode | null>
  /** Closes and reopens the connection, and keeps the login. */
  restart(instanceId: number): Promise<void>
  /**
   * Finishes a recorded log-out: ends the login at the network if it can be reached, and destroys the credentials.
   * False: the store was unavailable, and destroying the credentials is retried in the background.
   */
  logOut(instanceId: number): Promise<boolean>
  /** Ends the login of a deleted instance at the network if it can be reached. Never rejects. */
  end(instanceId: number): Promise<void>
  checkNumber(instanceId: number, number: string): Promise<NumberOnNetwork>
  /** Of a person, a group or the own account. Limits how many are fetched at a time. */
  profilePicture(instanceId: number, chat: string): Promise<FileContent | null>
  /** Sends read receipts. */
  markRead(instanceId: number, messages: ReadMessage[]): Promise<void>
  /** The file of a received message; null if the network no longer has it. */
  downloadMedia(instanceId: number, reference: unknown): Promise<Uint8Array | null>
  /** Rejects while the state of an instance is not saved. */
  check(): Promise<void>
  close(): Promise<void>
}
