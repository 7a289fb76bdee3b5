// The port of the messaging network: what a connection can be asked, what it reports, and how it says no.
import type { Readable } from 'node:stream'
import type { FileContent } from '../contract/route.ts'
import type { NetworkAddress, OutgoingContent, ReceivedMessage } from './message.ts'

/**
 * unavailable: no way to the network right now. timeout: it did not answer in time.
 * no_longer_owner: another process serves this instance.
 */
export type NetworkErrorKind = 'unavailable' | 'timeout' | 'no_longer_owner'

export class NetworkError extends Error {
  readonly kind: NetworkErrorKind

  constructor(kind: NetworkErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'NetworkError'
    this.kind = kind
  }

  /** Whether the same call may succeed later without anybody doing anything. */
  get retryable(): boolean {
    return this.kind === 'unavailable' || this.kind === 'timeout'
  }
}

/** A network that instances can be connected to. A process speaks to one of them. */
export interface Network {
  /** Opens a connection with the login that the credentials hold, or for pairing where they hold none. */
  connect(options: ConnectOptions): Promise<NetworkSession>
}

export interface ConnectOptions {
  credentials: Credentials
  /** Nothing is acknowledged to the network before the handler's promise has settled. */
  onEvent(event: NetworkEvent): Promise<void>
  /** What was sent under this id, for a phone that could not read it and asks again. */
  findSent(messageId: string): Promise<Uint8Array | undefined>
}

/** Where a session keeps its login and keys. What a call writes is durable when its promise resolves. */
export interface Credentials {
  read(kind: string, names: string[]): Promise<Map<string, Uint8Array>>
  /** Keys and arrivals in one commit. Raises `no_longer_owner` when another process serves the instance. */
  write(keys: KeyChange[], arrivals: Arrival[]): Promise<void>
  /** A message that arrived before and is delivered again. */
  findArrival(name: string): Promise<Uint8Array | undefined>
}

export interface KeyChange {
  kind: string
  name: string
  /** Null removes the key. */
  value: Uint8Array | null
}

/** A received message as it was decrypted, before anybody has made sense of it. */
export interface Arrival {
  name: string
  payload: Uint8Array
}

export type NetworkEvent =
  | { kind: 'qr'; code: string; expiresAt: number }
  | { kind: 'opened'; account: OwnAccount }
  | { kind: 'closed'; cause: CloseCause }
  /** Whether the account may write first, told unasked. Null: it may. */
  | { kind: 'standing'; restrictedUntil: number | null }
  | ({ kind: 'arrived' } & Arrival)
  | { kind: 'receipt'; messageIds: string[]; status: 'delivered' | 'read' | 'played'; atMs: number }
  /** The instance's owner has read these on another device. */
  | { kind: 'owner_read'; messageIds: string[]; atMs: number }
  | { kind: 'people'; people: KnownPerson[] }
  | { kind: 'groups'; groups: NetworkGroup[] }
  | { kind: 'left_group'; jid: string }

/**
 * restart: the network wants a new connection at once (after pairing). code_expired: nobody scanned.
 * logged_out: the login is gone for good. replaced: the same login connected elsewhere. bad_session: the network refused
 * this connection's state. lost: everything that a new try may mend.
 */
export type CloseCause =
  | 'restart'
  | 'code_expired'
  | 'logged_out'
  | 'replaced'
  | 'bad_session'
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

export interface NetworkGroup {
  jid: string
  subject: string
  description: string | null
  ownerJid: string | null
  createdAtMs: number | null
  isAdmin: boolean
  isAnnouncement: boolean
  isLocked: boolean
  participants: { jid: string; phone: string | null; isAdmin: boolean }[]
}

/** What an arrival turned out to be; everything empty for what is not a message to anybody. */
export interface Interpretation {
  messages: ReceivedMessage[]
  people: KnownPerson[]
  chats: { jid: string; name: string | null; unreadCount: number }[]
  /** From before the pairing: no news to anybody. */
  isHistory: boolean
}

export interface MessageToSend {
  messageId: string
  /** Network identifier of a person or a group. */
  chat: string
  payload: Uint8Array
  /** Nothing of the message leaves before this is written. */
  kept: Promise<unknown>
}

/** A received message that somebody has read. */
export interface ReadMessage extends NetworkAddress {
  messageId: string
}

/** The network took the message, or said why not. */
export type SendResult = { accepted: true } | { accepted: false; code: number }

export interface NetworkSession {
  /** Asks for a code to type on the phone with this number, instead of scanning. Only while pairing. */
  requestPairingCode(number: string): Promise<string>
  /** Turns content into what goes over the wire, uploading media where needed. The same on every try. */
  prepare(chat: string, content: OutgoingContent, media: MediaSource): Promise<Uint8Array>
  send(message: MessageToSend): Promise<SendResult>
  /** Shows typing or recording in a chat until told otherwise. */
  showTyping(chat: string, what: 'typing' | 'recording' | 'nothing'): Promise<void>
  /** Tells the authors that their messages were read, as far as the owner lets others know. */
  markRead(messages: ReadMessage[]): Promise<void>
  /** Who the network knows under each of these numbers; null for nobody. */
  lookUp(numbers: string[]): Promise<Map<string, string | null>>
  listGroups(): Promise<NetworkGroup[]>
  profilePicture(): Promise<FileContent | null>
  /** Until when the network does not let this account start new chats; null where it does. */
  restrictedUntil(): Promise<number | null>
  interpret(payload: Uint8Array): Promise<Interpretation>
  /** The file of a received message; null where the network has it no more. */
  downloadMedia(reference: unknown): Promise<Uint8Array | null>
  /** Ends the login at the network, then closes. */
  logOut(): Promise<void>
  /** Closes the connection and keeps the login. */
  close(): Promise<void>
}

/** Fetches the file behind a media URL, through the guarded client. Raises where the message can never go. */
export type MediaSource = (request: {
  url: string
  kind: 'image' | 'video' | 'document' | 'audio'
  /** The caller's word for the type, in place of what the bytes say. */
  mimetype: string | undefined
}) => Promise<FetchedMedia>

export interface FetchedMedia {
  stream: Readable
  mimetype: string
  /** To be called once the file has been read. */
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

/** The live sessions, one per instance, as requests need them. Each call may raise a `NetworkError`. */
export interface LiveSessions {
  /** Starts to connect, or to pair where there is no login. What comes of it is told by the state. */
  begin(instanceId: number): Promise<void>
  /** Starts or restarts pairing; with a number, by code. */
  pair(instanceId: number, number: string | undefined): Promise<Pairing>
  /** The current login code, waiting for one where needed; null when none came in time. */
  qr(instanceId: number, waitMs: number): Promise<QrCode | null>
  /** Drops and reopens the connection, keeping the login. */
  restart(instanceId: number): Promise<void>
  /** Ends the login at the network and closes the connection. Never raises: what is offline cannot be told. */
  logOut(instanceId: number): Promise<void>
  checkNumber(instanceId: number, number: string): Promise<NumberOnNetwork>
  profilePicture(instanceId: number): Promise<FileContent | null>
  /** Tells the authors that their messages were read. */
  markRead(instanceId: number, messages: ReadMessage[]): Promise<void>
  /** The file of a received message; null where the network has it no more. */
  downloadMedia(instanceId: number, reference: unknown): Promise<Uint8Array | null>
  close(): Promise<void>
}
