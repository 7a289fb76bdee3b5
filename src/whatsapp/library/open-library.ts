// Opens a connection of the library. Everything that is replaced in it, or runs before it, is listed here, in its order.
import type { BinaryNode, SocketConfig, WASocket } from 'baileys'
import { wallClock } from '../../kernel/async/clock.ts'
import type { ConnectOptions } from '../../network/network.ts'
import type { WhatsAppSettings } from '../settings.ts'
import { createAppStateChanges } from './app-state-changes.ts'
import type { KeepArrival } from './arrival-commits.ts'
import { type AuthState, loadAuthState } from './auth-state.ts'
import { containErrors } from './contain-errors.ts'
import { cutAtGate, type InnerSocket, innerSocketOf, joinWrites, limitClosing } from './inner-socket.ts'
import { startKeepAlive } from './keep-alive.ts'
import { createLibrarySocket, type LibrarySocket } from './library-socket.ts'
import { replaceOneTimeKeys } from './one-time-keys.ts'
import { browserOf, openSocket, type VersionedSettings } from './open-socket.ts'
import { takeOverPairing } from './pairing-socket.ts'
import { createQuietLogger, type SyncAction } from './quiet-logger.ts'
import { boundStanza } from './received-limits.ts'
import { createRetryRequests, disableRetries } from './retry-requests.ts'
import { signalRepositoryMaker } from './signal-repository.ts'
import { keepRotating } from './signed-pre-key.ts'
import { keepPresence } from './steady-presence.ts'
import { createTokenNotes } from './token-notes.ts'
import { endUnansweredQueries } from './unanswered-queries.ts'
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
