// One connection to the network: the library's socket, on the port's credentials, reporting the port's events.
import type { WASocket } from 'baileys'
import { wallClock } from '../../async/clock.ts'
import { type ProxyAddress, parseProxy } from '../../outbound/proxy-address.ts'
import {
  type ConnectOptions,
  type FrameGate,
  type MessageToSend,
  NetworkError,
  type NetworkEvent,
  type NetworkSession,
  type SendResult,
} from '../network.ts'
import { type ChatDriver, createChatDriver } from './chats/chat-driver.ts'
import { plainJid } from './from-network/people.ts'
import { storableReport } from './from-network/wire-values.ts'
import { createGroupCalls, type GroupCallParts } from './groups/group-calls.ts'
import { ownPerson } from './groups/group-notices.ts'
import { createGroupReader, type GroupReader } from './groups/group-reader.ts'
import { createInvitations, type Invitations } from './groups/invitations.ts'
import { type AuthState, loadAuthState } from './library/auth-state.ts'
import { containErrors } from './library/contain-errors.ts'
import { startKeepAlive } from './library/keep-alive.ts'
import { replaceOneTimeKeys } from './library/one-time-keys.ts'
import { openSocket, type VersionedSettings } from './library/open-socket.ts'
import { areJidsSameUser, type BinaryNode, isJidGroup, jidNormalizedUser } from './library/protocol.ts'
import { throughProxy } from './library/proxied.ts'
import { createQuietLogger } from './library/quiet-logger.ts'
import { signalRepositoryMaker } from './library/signal-repository.ts'
import { keepRotating } from './library/signed-pre-key.ts'
import { createTokenNotes, type TokenNotes } from './library/token-notes.ts'
import { endUnansweredQueries } from './library/unanswered-queries.ts'
import { withTimeout } from './library/with-timeout.ts'
import { createWriteBarrier, type HeldCredentials } from './library/write-barrier.ts'
import { inOrder } from './library/write-queue.ts'
import { createRestrictionLookup } from './linking/restriction.ts'
import { builtInVersion, withRenewal } from './linking/version.ts'
import { createLookups } from './people/lookups.ts'
import { createPeopleCalls } from './people/people-calls.ts'
import { createPictureNotices, type PictureNotices } from './people/picture-notices.ts'
import { createProfileCalls } from './people/profile-calls.ts'
import { createArrivalKeeper } from './receiving/arrivals.ts'
import { createInterpreter } from './receiving/interpret.ts'
import { reportEvents } from './receiving/report-events.ts'
import { createAcks } from './sending/acks.ts'
import { decodePayload } from './sending/payload.ts'
import { preparePayload } from './sending/prepare.ts'
import { createResender, type Resender } from './sending/resend.ts'
import type { WhatsAppSettings } from './settings.ts'

const ANSWER_MS = 20_000
const ACK_MS = 30_000
const UPLOAD_MS = 5 * 60_000
/** A dead connection is detected within 45 s. */
const KEEP_ALIVE_MS = 20_000
/** How long a closing handshake may take; without a limit the library waits half a minute for a dead socket. */
const CLOSE_MS = 2000
/** Stanzas that may say something about a group. */
const GROUP_STANZAS = ['CB:notification', 'CB:message', 'CB:receipt', 'CB:ack', 'CB:ib']

export async function connectSession(
  settings: WhatsAppSettings,
  given: ConnectOptions,
): Promise<NetworkSession> {
  const version = settings.versions?.current() ?? builtInVersion()
  const options = withRenewal(settings.versions, version, {
    ...given,
    // Names and texts of strangers. An arrival is cleaned when it is interpreted.
    onEvent: (event) => given.onEvent(event.kind === 'arrived' ? event : storableReport(event)),
  })
  if (!options.proxy) return openSession({ ...settings, version }, options)
  const proxied = throughProxy(settings, storedProxy(options.proxy))
  const onEvent = (event: NetworkEvent): Promise<void> => {
    if (event.kind === 'closed') proxied.close()
    return options.onEvent(event)
  }
  try {
    return await openSession({ ...settings, ...proxied, version }, { ...options, onEvent })
  } catch (error) {
    proxied.close()
    throw error
  }
}

async function openSession(settings: VersionedSettings, options: ConnectOptions): Promise<NetworkSession> {
  const { gate, clock = wallClock } = settings
  const barrier = createWriteBarrier((error) => {
    settings.log.debug(`driver: a write failed; closing the connection: ${String(error)}`)
    void socket.end(error as Error)
  }, gate?.isOpen)
  const credentials = barrier.watch(inOrder(options.credentials))
  const auth = await loadAuthState(credentials)
  const uploadOneTimeKeys = await replaceOneTimeKeys(auth)
  const acks = createAcks()
  const keeper = createArrivalKeeper(
    credentials,
    (arrival) => options.onEvent({ kind: 'arrived', ...arrival }),
    options.guard,
  )
  const groups = createGroupReader(() => socket, auth, { report: options.onEvent, hold: barrier.hold })
  const pictures = createPictureNotices(isOwn(auth), clock)
  const invitations = createInvitations((message) => session.send(message), options.findSent)
  const resender = createResender(invitations, () => socket, auth, groups)
  const chats = createChatDriver(() => socket, barrier, options, clock)
  const socket = openSocket(settings, auth, options, {
    logger: createQuietLogger(settings.log, chats.onSyncAction),
    makeSignalRepository: signalRepositoryMaker(keeper.keep),
    getMessage: resender.getMessage,
    // Called for each message to a group, instead of the library's own request.
    cachedGroupMetadata: groups.forSending,
  })
  const inner = (socket.ws as unknown as { socket: InnerSocket }).socket
  barrier.guard(inner)
  limitClosing(inner)
  inner.once('close', chats.onClosed)
  rotateWhileOpen(settings, socket, auth, inner)
  if (gate) cutAtGate(inner, gate)
  watchAnswers(socket, settings)
  listenFirst(socket, { keeper, resender, groups })
  uploadOneTimeKeys?.(socket, settings.log)
  socket.ws.on('CB:ack,class:message', acks.settle)
  reportEvents({ socket, auth, options, settings, barrier, groups, pictures, clock, onClosed: acks.fail })
  const reportRestriction = (restrictedUntil: number | null) =>
    void options.onEvent({ kind: 'restriction', restrictedUntil })
  const restriction = createRestrictionLookup(socket, reportRestriction, clock)
  const seconds = () => Math.floor(clock() / 1000)
  const tokens = createTokenNotes(socket.signalRepository.lidMapping, auth.keys, seconds)
  const session = createSession({
    settings,
    options,
    socket,
    auth,
    acks,
    barrier,
    credentials,
    restriction,
    tokens,
    groups,
    pictures,
    invitations,
    chats,
  })
  containErrors(socket.ws, { log: settings.log, end: (error) => void socket.end(error) })
  return session
}

function watchAnswers(socket: WASocket, { times, log }: WhatsAppSettings): void {
  startKeepAlive(socket, times?.keepAliveMs ?? KEEP_ALIVE_MS)
  endUnansweredQueries(socket.ws, log)
}

/** Only with a login: a device that is being linked announces its first keys with the pairing. */
function rotateWhileOpen(
  { times, clock = wallClock, log }: WhatsAppSettings,
  socket: WASocket,
  auth: AuthState,
  inner: InnerSocket,
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

/** Before the library's own listeners, so that their answers wait for the writes of these. */
function listenFirst(socket: WASocket, { keeper, resender, groups }: Listeners): void {
  socket.ws.prependListener('CB:message', keeper.noteStanza)
  socket.ws.prependListener('CB:receipt', resender.recordReceipt)
  for (const stanza of GROUP_STANZAS) socket.ws.prependListener(stanza, groups.noteStanza)
  // Disables the library's own cache: it would resend from memory without asking getMessage().
  if (socket.messageRetryManager) socket.messageRetryManager.addRecentMessage = () => undefined
}

const isOwn =
  ({ creds }: Pick<AuthState, 'creds'>) =>
  (jid: string): boolean =>
    [creds.me?.id, creds.me?.lid].some((own) => areJidsSameUser(own, jid))

interface Listeners {
  keeper: Pick<ReturnType<typeof createArrivalKeeper>, 'noteStanza'>
  resender: Pick<Resender, 'recordReceipt'>
  groups: Pick<GroupReader, 'noteStanza'>
}

type InnerSocket = Parameters<ReturnType<typeof createWriteBarrier>['guard']>[0] & {
  terminate(): void
  once(event: 'close', listener: () => void): void
}

/** Without a goodbye: the network must see the connection closed before another process uses the login. */
function cutAtGate(socket: InnerSocket, gate: FrameGate): void {
  socket.once(
    'close',
    gate.onShut(() => socket.terminate()),
  )
}

function limitClosing(socket: InnerSocket): void {
  const close = socket.close.bind(socket)
  socket.close = () => {
    close()
    setTimeout(() => socket.terminate(), CLOSE_MS).unref()
  }
}

/** It was checked before it was stored. */
function storedProxy(text: string): ProxyAddress {
  const proxy = parseProxy(text)
  if (proxy instanceof Error) throw new NetworkError('unavailable', 'the proxy of the instance is not valid')
  return proxy
}

interface SessionParts {
  settings: WhatsAppSettings
  options: ConnectOptions
  socket: WASocket
  auth: AuthState
  acks: ReturnType<typeof createAcks>
  barrier: ReturnType<typeof createWriteBarrier>
  credentials: HeldCredentials
  restriction: ReturnType<typeof createRestrictionLookup>
  tokens: TokenNotes
  groups: GroupReader
  pictures: PictureNotices
  invitations: Invitations
  chats: ChatDriver
}

function createSession(parts: SessionParts): NetworkSession {
  const { settings, options, socket, auth, credentials, restriction, groups } = parts
  return {
    ...createLookups(settings, socket),
    reportGroups: groups.reportAll,
    ...restriction,
    ...createGroupCalls(groupCallParts(parts)),
    ...parts.chats.calls(),
    ...createPeopleCalls(socket),
    ...createProfileCalls({ socket, auth, report: options.onEvent }),
    async showOnline(isOnline) {
      const state = isOnline ? 'available' : 'unavailable'
      await withTimeout(socket.sendPresenceUpdate(state), ANSWER_MS, 'the presence')
    },
    async rejectCall(callId, creator) {
      await withTimeout(socket.rejectCall(callId, creator), ANSWER_MS, 'the call')
    },
    interpret: createInterpreter({ settings, socket, auth, options }),
    prepare: (chat, content, sources, stop) =>
      withTimeout(
        preparePayload(socket, chat, content, sources, stop, settings.clock),
        UPLOAD_MS,
        'the upload',
        stop,
      ),

    async requestPairingCode(number) {
      if (auth.creds.account) throw new NetworkError('unavailable', 'the session is already logged in')
      return withTimeout(socket.requestPairingCode(number), ANSWER_MS, 'the pairing code')
    },
    send: (message) => sendMessage(parts, message),
    async markRead(messages) {
      const keys = messages.map(({ messageId, chat, participant }) => ({
        id: messageId,
        remoteJid: chat,
        fromMe: false,
        ...(participant === null ? {} : { participant }),
      }))
      // The library respects the privacy setting: with receipts off, only the owner's devices are informed.
      await withTimeout(socket.readMessages(keys), ANSWER_MS, 'the receipts')
    },
    async logOut() {
      // Waits for held frames: the credentials are destroyed after this, and the writes of those frames would fail.
      const loggedOut = socket.logout().then(() => credentials.framesFlushed())
      await withTimeout(loggedOut, ANSWER_MS, 'logging out').finally(() => void socket.end(undefined))
    },
    async close() {
      await parts.chats.endPresence(credentials.framesFlushed)
      await socket.end(undefined)
    },
  }
}

async function sendMessage(
  { socket, barrier, acks, tokens, groups }: SessionParts,
  { messageId, chat, payload, stored, isRepeated = false }: MessageToSend,
): Promise<SendResult> {
  // The payload is stored while the message is encrypted, so that both writes share a commit.
  barrier.hold(stored)
  if (isRepeated) groups.forget(chat)
  const { message, additionalNodes, attributes, audience } = decodePayload(payload)
  const answered = acks.expect(messageId)
  // Not awaited if sending itself fails: must not become an unhandled rejection.
  answered.catch(() => undefined)
  const relayed = socket.relayMessage(chat, message, {
    messageId,
    additionalNodes,
    ...(attributes && { additionalAttributes: attributes }),
    // The own phone shows the status, too.
    ...(audience && { statusJidList: [...audience, plainJid(socket.user?.id ?? '')] }),
    useUserDevicesCache: !isRepeated,
  })
  relayed.catch(() => undefined)
  // When the connection closes, the library keeps waiting for its own requests; `answered` then rejects.
  const sent = withTimeout(Promise.race([relayed, answered]), ACK_MS, 'the message')
  const result = await sent
    .then(() => withTimeout(answered, ACK_MS, 'the message'))
    .finally(() => acks.forget(messageId))
  if (result.accepted) tokens.noteGiven(chat)
  return checkMembership(groups, chat, result)
}

function groupCallParts({
  socket,
  groups,
  invitations,
  pictures,
  auth,
  options,
}: SessionParts): GroupCallParts {
  return {
    socket,
    groups,
    invitations,
    ownNames: () =>
      [auth.creds.me?.id, auth.creds.me?.lid].filter((jid) => jid !== undefined).map(jidNormalizedUser),
    pictures,
    reportPicture: (jid, change) =>
      options.onEvent({ kind: 'picture', jid, change, author: ownPerson(auth.creds.me) }),
  }
}

const FORBIDDEN = 403

/** A group forbids a message either because only admins may write, or because the account was removed a moment ago. */
async function checkMembership(
  groups: Pick<GroupReader, 'read'>,
  chat: string,
  result: SendResult,
): Promise<SendResult> {
  if (result.accepted || result.code !== FORBIDDEN || !isJidGroup(chat)) return result
  try {
    await withTimeout(groups.read(chat), ANSWER_MS, 'the group')
    return result
  } catch (error) {
    const isMember = !(error instanceof NetworkError && error.kind === 'not_a_group_member')
    return isMember ? result : { ...result, refusal: 'not_a_group_member' }
  }
}
