// Opens a connection of the library. Everything that is replaced in it, or runs before it, is listed here, in its order.

import { randomInt } from 'node:crypto'
import {
  type AuthenticationCreds,
  type BaileysEventEmitter,
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  DisconnectReason,
  INITIAL_PREKEY_COUNT,
  S_WHATSAPP_NET,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  type SocketConfig,
  type WASocket,
} from 'baileys'
import { createBoundedMap } from '../../kernel/async/bounded-map.ts'
import { type Clock, monotonicClock, wallClock } from '../../kernel/async/clock.ts'
import { realTimers, type Timers } from '../../kernel/async/timers.ts'
import { withGroupCiphers } from '../../network/group-ciphers.ts'
import type { ConnectOptions } from '../../network/network.ts'
import type { WhatsAppSettings } from '../settings.ts'
import { createAppStateChanges } from './app-state-changes.ts'
import { type KeepArrival, withStoredArrivals } from './arrival-commits.ts'
import { type AuthState, loadAuthState } from './auth-state.ts'
import { containErrors } from './contain-errors.ts'
import { cutAtGate, type InnerSocket, innerSocketOf, joinWrites, limitClosing } from './inner-socket.ts'
import { createLibrarySocket, type LibrarySocket } from './library-socket.ts'
import { browserOf, openSocket, type VersionedSettings } from './open-socket.ts'
import { takeOverPairing } from './pairing-socket.ts'
import { createQuietLogger, type SyncAction } from './quiet-logger.ts'
import { withCommittedSteps } from './ratchet-commits.ts'
import { boundStanza } from './received-limits.ts'
import { createRetryRequests, disableRetries } from './retry-requests.ts'
import { keepRotating, withNamedSignedPreKeys } from './signed-pre-key.ts'
import { createTokenNotes } from './token-notes.ts'
import { withTimeout } from './with-timeout.ts'
import { createWriteBarrier, type HeldCredentials, type WriteBarrier } from './write-barrier.ts'
import { serialized } from './write-queue.ts'

const ANSWER_MS = 20_000
/** A dead connection is detected within 45 s. */
const KEEP_ALIVE_MS = 20_000

/** What the library asks for, and what it finds. */
export interface LibraryParts {
  keepArrival: KeepArrival
  /** A sent message that a phone requests again. Undefined: the library does not resend it. */
  getMessage: SocketConfig['getMessage']
  /** Called for each message to a group, instead of the library's own request. */
  cachedGroupMetadata: SocketConfig['cachedGroupMetadata']
  /** Another device has changed the owner's account. */
  onSyncAction(action: SyncAction): void
  /** Called with the text form of a message that the library gives up, before it acknowledges it with an error. */
  onGivenUp(text: string): void
}

/** A connection whose login is loaded. */
export interface Library {
  /** Frames wait for the writes that are made or held here. */
  credentials: HeldCredentials
  /** Listeners that are added in the same turn miss nothing. */
  open(parts: LibraryParts): LibrarySocket
}

export async function loadLibrary(settings: VersionedSettings, options: ConnectOptions): Promise<Library> {
  let socket: WASocket | undefined
  const barrier = createWriteBarrier((error) => {
    settings.log.debug(`driver: a write failed; closing the connection: ${String(error)}`)
    void socket?.end(error as Error)
  }, settings.gate?.isOpen)
  const credentials = barrier.watch(serialized(options.credentials))
  const auth = await loadAuthState(credentials)
  const uploadOneTimeKeys = await replaceOneTimeKeys(auth)
  return {
    credentials,
    open({ keepArrival, onSyncAction, onGivenUp, ...requests }) {
      socket = openSocket(settings, auth, options, {
        ...requests,
        makeSignalRepository: signalRepositoryMaker(keepArrival),
        logger: createQuietLogger(settings.log, onSyncAction, onGivenUp),
      })
      return furnish(socket, { settings, options, auth, barrier, uploadOneTimeKeys })
    },
  }
}

interface Furnishing {
  settings: WhatsAppSettings
  options: Pick<ConnectOptions, 'alwaysOnline' | 'deviceName'>
  auth: AuthState
  barrier: WriteBarrier
  uploadOneTimeKeys: Awaited<ReturnType<typeof replaceOneTimeKeys>>
}

/** From the wire upwards. */
function furnish(
  socket: WASocket,
  { settings, options, auth, barrier, uploadOneTimeKeys }: Furnishing,
): LibrarySocket {
  const { log, gate, times, clock = wallClock } = settings
  const inner = innerSocketOf(socket)
  // 1. Frames of one turn share a write. 2. Frames wait for writes of the store. 3. Closing ends, even if frames wait or the other end
  // is silent. 4. A lost lease cuts the line.
  joinWrites(inner)
  barrier.guard(inner)
  limitClosing(inner)
  if (gate) cutAtGate(inner, gate)
  boundStanzas(socket, log)
  // What the library would do by itself, and does wrong or not at all.
  startKeepAlive(socket, times?.keepAliveMs ?? KEEP_ALIVE_MS)
  endUnansweredQueries(socket.ws, inner, log, times?.answerCheckMs)
  disableResending(socket)
  const presence = keepPresence(socket, auth.creds, options.alwaysOnline ?? false, log)
  const openPairing = takeOverPairing(socket, auth, browserOf(options.deviceName))
  disableRetries(socket)
  saveLogin(socket, auth, barrier)
  rotateWhileOpen(settings, socket, auth, inner)
  uploadOneTimeKeys?.(socket, log)
  const appState = createAppStateChanges(socket)
  const tokens = createTokenNotes(socket.signalRepository.lidMapping, auth.keys, () =>
    Math.floor(clock() / 1000),
  )
  // Last, because it wraps the listeners there are: the library's and those above. Later ones are wrapped when they are added.
  const contain = containErrors(socket.ws, { log, end: (error) => void socket.end(error) })
  return createLibrarySocket({
    socket: { ...socket, ...presence },
    inner,
    auth,
    appState,
    tokens,
    pairing: openPairing(contain),
    retries: createRetryRequests(socket, auth),
    contain,
  })
}

/** Disables the library's own cache: it would resend from memory without asking getMessage(). */
function disableResending({ messageRetryManager }: Pick<WASocket, 'messageRetryManager'>): void {
  if (messageRetryManager) messageRetryManager.addRecentMessage = () => undefined
}

/** Before every listener of a stanza, the library's included. */
function boundStanzas({ ws }: Pick<WASocket, 'ws'>, log: WhatsAppSettings['log']): void {
  ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (frame instanceof Uint8Array || !boundStanza(frame)) return
    const { id, from } = frame.attrs
    log.warn(`driver: a ${frame.tag} is longer than the network has them, and is cut: ${id} from ${from}`)
  })
}

function saveLogin({ ev }: Pick<WASocket, 'ev'>, auth: AuthState, barrier: Pick<WriteBarrier, 'hold'>): void {
  ev.on('creds.update', () => {
    // Until pairing is complete there is no login: an incomplete one would be refused at the next connection.
    if (auth.creds.account) barrier.hold(auth.saveCreds())
  })
}

/** Only with a login: a device that is being linked announces its first keys with the pairing. */
function rotateWhileOpen(
  { times, clock = wallClock, log }: WhatsAppSettings,
  socket: Pick<WASocket, 'ev' | 'query'>,
  auth: AuthState,
  inner: Pick<InnerSocket, 'once'>,
): void {
  const query = (node: BinaryNode) => withTimeout(socket.query(node), ANSWER_MS, 'the new signed pre-key')
  socket.ev.on('connection.update', ({ connection }) => {
    if (connection !== 'open') return
    const end = keepRotating({ auth, query, clock, rotationMs: times?.signedKeyMs }, (error) =>
      log.debug(`driver: the signed pre-key was not replaced; trying again later: ${String(error)}`),
    )
    inner.once('close', end)
  })
}

// The Signal repository of a connection: the library's, and around it one layer for each thing that it must do differently.

type MakeSignalRepository = SocketConfig['makeSignalRepository']
/** A repository that does some calls differently, and passes the others on. */
type Layer = (inner: SignalRepositoryWithLIDStore) => SignalRepositoryWithLIDStore

/** `keepArrival` decrypts each ciphertext, and decides what is stored with the keys that it used up. */
export const signalRepositoryMaker =
  (keepArrival: KeepArrival): MakeSignalRepository =>
  (auth, logger, pnToLid) => {
    const make = (creds: typeof auth.creds) =>
      DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ ...auth, creds }, logger, pnToLid)
    // The library adds transactions to the keys before it makes the repository.
    const keys = auth.keys as SignalKeyStoreWithTransaction
    /** From the inside out: a call passes the last one first. */
    const layers: Layer[] = [
      (inner) => withNamedSignedPreKeys(inner, auth, make),
      (inner) => withCachedLids(inner),
      (inner) => withGroupCiphers(inner, keys),
      (inner) => withCommittedSteps(inner, keys),
      (inner) => withStoredArrivals(inner, keys, keepArrival),
    ]
    return layers.reduce((inner, layer) => layer(inner), make(auth.creds))
  }

// The one-time keys of an instance after its database went back to an earlier time: the store has forgotten them (decision 0114), and
// this connection uploads new ones.

/** In ordinary use contacts take one key at a time, and never all of the newest ones: the network asks for more before that. */
const NEWEST = 30
/** Numbers have three bytes. The rest is enough for a million more keys. */
const MAX_START = 0xf0_00_00

interface KeySocket {
  ws: { prependListener(event: 'CB:success', listener: () => void): unknown }
  uploadPreKeys(count: number): Promise<void>
}

type Upload = (socket: KeySocket, log: { debug(text: string): void }) => void

/** Undefined: the keys are there. Otherwise the returned function uploads new ones with the login, as a new device does. */
export async function replaceOneTimeKeys(
  auth: Pick<AuthState, 'creds' | 'keys'>,
): Promise<Upload | undefined> {
  if (!(await areForgotten(auth))) return undefined
  // A random number: contacts may have keys that were uploaded under the next numbers in the time that was lost.
  auth.creds.nextPreKeyId = randomInt(2, MAX_START)
  auth.creds.firstUnuploadedPreKeyId = auth.creds.nextPreKeyId
  return (socket, log) =>
    // The library finds the upload in progress when it checks its keys.
    void socket.ws.prependListener('CB:success', () => {
      socket
        .uploadPreKeys(INITIAL_PREKEY_COUNT)
        .catch((error: unknown) => log.debug(`driver: could not upload one-time keys: ${String(error)}`))
    })
}

async function areForgotten({ creds, keys }: Pick<AuthState, 'creds' | 'keys'>): Promise<boolean> {
  if (!creds.me || creds.nextPreKeyId <= 1) return false
  const oldest = Math.max(1, creds.nextPreKeyId - NEWEST)
  const names = Array.from({ length: creds.nextPreKeyId - oldest }, (_, index) => String(oldest + index))
  return Object.keys(await keys.get('pre-key', names)).length === 0
}

// Keeps a connection alive, and closes one whose other end is silent. It measures on the monotonic clock: the library compares times of
// the wall clock, so that setting that clock would close every connection.

/** How late an answer may be. */
const GRACE_MS = 5000

/** The parts of the library's socket that are used here. */
export interface KeptSocket extends Pick<WASocket, 'query' | 'generateMessageTag'> {
  ws: { isOpen: boolean; on(event: string, listener: (frame: unknown) => void): unknown }
  end(error: Error): unknown
}

export function startKeepAlive(
  socket: KeptSocket,
  intervalMs: number,
  clock: Clock = monotonicClock,
  timers: Timers = realTimers,
): void {
  let receivedAt: number | undefined
  // Frames of the handshake are bytes: nothing may be sent between them.
  socket.ws.on('frame', (frame) => {
    if (!(frame instanceof Uint8Array)) receivedAt = clock()
  })
  const timer = timers.setInterval(() => {
    if (receivedAt === undefined) return
    if (clock() - receivedAt > intervalMs + GRACE_MS) {
      timers.clearInterval(timer)
      void socket.end(lost())
    } else if (socket.ws.isOpen) void ping(socket)
  }, intervalMs)
  timer.unref()
  socket.ws.on('close', () => timers.clearInterval(timer))
}

const lost = (): Error =>
  Object.assign(new Error('Connection was lost'), { output: { statusCode: DisconnectReason.connectionLost } })

/** Any answer counts. If there is none, the next turn closes the connection. */
async function ping({ query, generateMessageTag }: KeptSocket): Promise<void> {
  const attrs = { id: generateMessageTag(), to: S_WHATSAPP_NET, type: 'get', xmlns: 'w:p' }
  await query({ tag: 'iq', attrs, content: [{ tag: 'ping', attrs: {} }] }).catch(() => undefined)
}

// Keeps the presence of the account as the gateway has set it. The library announces the name of the account with a presence that has no
// type, after each change of the login, whether the name has changed or not. The network shows the account as online then, and the
// owner's phone stops to ring.

type Presence = 'available' | 'unavailable'

export interface PresenceSocket {
  ev: Pick<BaileysEventEmitter, 'emit' | 'on'>
  sendPresenceUpdate: WASocket['sendPresenceUpdate']
}

/** Returns the call to use in place of the library's. `isOnline`: what the library announces when the connection opens. */
export function keepPresence(
  { ev, sendPresenceUpdate }: PresenceSocket,
  creds: Pick<AuthenticationCreds, 'me'>,
  isOnline: boolean,
  log: { debug(message: string): void },
): Pick<WASocket, 'sendPresenceUpdate'> {
  let shown: Presence = isOnline ? 'available' : 'unavailable'
  let isOpen = false
  ev.on('connection.update', ({ connection }) => {
    if (connection) isOpen = connection === 'open'
  })
  const announce = () =>
    void sendPresenceUpdate(shown).catch((error: unknown) =>
      log.debug(`driver: the name of the account was not announced: ${String(error)}`),
    )
  const emit = ev.emit.bind(ev)
  ev.emit = (event, data) => {
    if (event !== 'creds.update') return emit(event, data)
    const update = data as Partial<AuthenticationCreds>
    const before = creds.me?.name
    // The library compares the name in the update with this one, also if the update has none.
    if (update.me) creds.me = update.me
    const isEmitted = emit('creds.update', creds.me ? { ...update, me: creds.me } : update)
    // While the connection opens, the library announces the presence itself.
    if (isOpen && creds.me?.name !== undefined && creds.me.name !== before) announce()
    return isEmitted
  }
  return {
    async sendPresenceUpdate(type, chat) {
      if (type === 'available' || type === 'unavailable') shown = type
      await sendPresenceUpdate(type, chat)
    },
  }
}

// Ends requests of the library that the network does not answer. The library waits for each answer without a limit (open-socket.ts),
// and goes on waiting when the connection has ended. It sends messages under one lock, and received messages are read one after the
// other: a single lost answer would silence an instance that looks online, also after it has connected again.

/** A request that is still open at this many checks is answered here. */
const CHECKS = 3
const CHECK_MS = 20_000
/** The library's event of the answer to one request. */
const ANSWER = 'TAG:'
const REFUSALS = {
  timedOut: { code: '408', text: 'the network did not answer' },
  closed: { code: '428', text: 'the connection was closed' },
} as const

interface QuerySocket {
  eventNames(): (string | symbol)[]
  emit(event: string, answer: BinaryNode): unknown
}

/** The WebSocket itself: the library removes listeners for the end of its own socket before that ends. */
interface ClosingSocket {
  once(event: 'close', listener: () => void): unknown
}

/** Checks at intervals instead of with a timer for each request: requests are part of every send, and nearly all are answered. */
export function endUnansweredQueries(
  socket: QuerySocket,
  inner: ClosingSocket,
  log: { debug(message: string): void },
  checkMs: number = CHECK_MS,
  timers: Timers = realTimers,
): void {
  const unanswered = () =>
    socket.eventNames().filter((name) => typeof name === 'string' && name.startsWith(ANSWER)) as string[]
  let open = new Map<string, number>()
  const timer = timers.setInterval(() => {
    open = new Map(unanswered().map((name) => [name, (open.get(name) ?? 0) + 1]))
    for (const [name, checks] of open) {
      if (checks < CHECKS) continue
      log.debug('driver: the network did not answer a request')
      socket.emit(name, refusal(name, REFUSALS.timedOut))
    }
  }, checkMs)
  timer.unref()
  inner.once('close', () => {
    timers.clearInterval(timer)
    for (const name of unanswered()) socket.emit(name, refusal(name, REFUSALS.closed))
  })
}

/** An answer that the library takes for a refusal. */
const refusal = (name: string, attrs: { code: string; text: string }): BinaryNode => ({
  tag: 'iq',
  attrs: { id: name.slice(ANSWER.length), type: 'error' },
  content: [{ tag: 'error', attrs }],
})

// Keeps the hidden ids of phone numbers at hand. The library resolves a number several times for each message, each time through
// a queue, a sort and a cache with a timer per entry.

type LidMapping = Pick<SignalRepositoryWithLIDStore['lidMapping'], 'getLIDForPN' | 'storeLIDPNMappings'>

/** Enough for active chats, and little memory for an idle session. */
const MAX_ENTRIES = 500

/** In place: the library's own methods look ids up in the same object. */
function withCachedLids(inner: SignalRepositoryWithLIDStore): SignalRepositoryWithLIDStore {
  cacheLids(inner.lidMapping)
  return inner
}

/** Replaces the lookup. Only hits are kept: a number may get a hidden id at any time. */
export function cacheLids(mapping: LidMapping): void {
  let known = createBoundedMap<string, string>(MAX_ENTRIES)
  const lookUp = mapping.getLIDForPN.bind(mapping)
  const store = mapping.storeLIDPNMappings.bind(mapping)
  mapping.getLIDForPN = async (jid) => {
    const hit = known.get(jid)
    if (hit !== undefined) return hit
    // A lookup that began before a change writes into the abandoned map.
    const entries = known
    const lid = await lookUp(jid)
    if (lid === null) return null
    entries.set(jid, lid)
    return lid
  }
  mapping.storeLIDPNMappings = async (pairs) => {
    try {
      return await store(pairs)
    } finally {
      known = createBoundedMap(MAX_ENTRIES)
    }
  }
}
