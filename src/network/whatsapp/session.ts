// One connection to the network: the library's socket, on the port's credentials, reporting the port's events.
import { Browsers, isJidGroup, makeWASocket, type WASocket } from 'baileys'
import { type ConnectOptions, NetworkError, type NetworkSession, type SendResult } from '../network.ts'
import { createAcks } from './acks.ts'
import { createArrivalKeeper } from './arrivals.ts'
import { type AuthState, loadAuthState } from './auth-state.ts'
import { createGroupReader, type GroupReader } from './group-reader.ts'
import { createInterpreter } from './interpret.ts'
import { createLookups } from './lookups.ts'
import { decodePayload } from './payload.ts'
import { preparePayload } from './prepare.ts'
import { createQuietLogger } from './quiet-logger.ts'
import { reportEvents } from './report-events.ts'
import { createResender, type Resender } from './resend.ts'
import { createRestrictionLookup } from './restriction.ts'
import type { WhatsAppSettings } from './settings.ts'
import { createTokenNotes, type TokenNotes } from './token-notes.ts'
import { withTimeout } from './with-timeout.ts'
import { createWriteBarrier, type HeldCredentials } from './write-barrier.ts'
import { inOrder } from './write-queue.ts'

const ANSWER_MS = 20_000
const ACK_MS = 30_000
const UPLOAD_MS = 5 * 60_000
/** A dead connection is detected within 45 s. */
const KEEP_ALIVE_MS = 20_000
/** How long a closing handshake may take; without a limit the library waits half a minute for a dead socket. */
const CLOSE_MS = 2000
const BROWSER_NAME = 'Chrome'
/** Stanzas that may say something about a group. */
const GROUP_STANZAS = ['CB:notification', 'CB:message', 'CB:receipt', 'CB:ack', 'CB:ib']

export async function connectSession(
  settings: WhatsAppSettings,
  options: ConnectOptions,
): Promise<NetworkSession> {
  const { gate } = settings
  const barrier = createWriteBarrier((error) => {
    settings.log.debug(`driver: a write failed; closing the connection: ${String(error)}`)
    void socket.end(error as Error)
  }, gate?.isOpen)
  const credentials = barrier.watch(inOrder(options.credentials))
  const auth = await loadAuthState(credentials)
  const acks = createAcks()
  const keeper = createArrivalKeeper(credentials, (arrival) =>
    options.onEvent({ kind: 'arrived', ...arrival }),
  )
  const groups = createGroupReader(
    () => socket,
    auth,
    (event) => {
      const written = options.onEvent(event)
      barrier.hold(written)
      return written
    },
  )
  const resender = createResender(options, () => socket, auth, groups)
  const socket = openSocket(settings, auth, {
    makeSignalRepository: keeper.makeSignalRepository,
    getMessage: resender.getMessage,
    // Called for each message to a group, instead of the library's own request.
    cachedGroupMetadata: groups.forSending,
  })
  const inner = (socket.ws as unknown as { socket: InnerSocket }).socket
  barrier.guard(inner)
  limitClosing(inner)
  // Without a goodbye: the network must see the connection closed before another process uses the login.
  const unsubscribe = gate?.onShut(() => inner.terminate())
  if (unsubscribe) inner.once('close', unsubscribe)
  // Before the library's own listeners, so that their answers wait for the writes of these.
  socket.ws.prependListener('CB:message', keeper.noteStanza)
  socket.ws.prependListener('CB:receipt', resender.recordReceipt)
  for (const stanza of GROUP_STANZAS) socket.ws.prependListener(stanza, groups.noteStanza)
  // Disables the library's own cache: it would resend from memory without asking getMessage().
  if (socket.messageRetryManager) socket.messageRetryManager.addRecentMessage = () => undefined
  socket.ws.on('CB:ack,class:message', acks.settle)
  const { codeMs } = settings.times ?? {}
  reportEvents({ socket, auth, options, barrier, groups, codeMs, onClosed: acks.fail })
  const restriction = createRestrictionLookup(socket, (restrictedUntil) => {
    void options.onEvent({ kind: 'restriction', restrictedUntil })
  })
  const tokens = createTokenNotes(socket.signalRepository.lidMapping, auth.keys)
  return createSession({
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
  })
}

type InnerSocket = Parameters<ReturnType<typeof createWriteBarrier>['guard']>[0] & {
  terminate(): void
  once(event: 'close', listener: () => void): void
}

function limitClosing(socket: InnerSocket): void {
  const close = socket.close.bind(socket)
  socket.close = () => {
    close()
    setTimeout(() => socket.terminate(), CLOSE_MS).unref()
  }
}

function openSocket(
  settings: WhatsAppSettings,
  auth: AuthState,
  parts: {
    makeSignalRepository: ReturnType<typeof createArrivalKeeper>['makeSignalRepository']
    getMessage: Resender['getMessage']
    cachedGroupMetadata: GroupReader['forSending']
  },
): WASocket {
  return makeWASocket({
    ...(settings.wsUrl ? { waWebSocketUrl: settings.wsUrl } : {}),
    auth,
    ...parts,
    logger: createQuietLogger(settings.log),
    browser: Browsers.macOS(BROWSER_NAME),
    // Replaced by the limits around every call (with-timeout.ts).
    connectTimeoutMs: 0,
    defaultQueryTimeoutMs: undefined,
    keepAliveIntervalMs: settings.times?.keepAliveMs ?? KEEP_ALIVE_MS,
    ...(settings.times?.codeMs === undefined ? {} : { qrTimeout: settings.times?.codeMs }),
    // Otherwise the library merges a fast receipt into the event of the message.
    emitOwnEvents: false,
    // Marked as online, the gateway would silence notifications on the owner's phone.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 500 },
    ...(settings.socketAgent ? { agent: settings.socketAgent } : {}),
    ...(settings.uploadAgent ? { fetchAgent: settings.uploadAgent } : {}),
    options: (settings.downloadDispatcher ? { dispatcher: settings.downloadDispatcher } : {}) as RequestInit,
  })
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
}

function createSession(parts: SessionParts): NetworkSession {
  const { settings, options, socket, auth, acks, barrier, credentials, restriction, tokens, groups } = parts
  return {
    ...createLookups(settings, socket, groups),
    ...restriction,
    async refreshGroup(jid) {
      await withTimeout(groups.read(jid, 'always_report'), ANSWER_MS, 'the group')
    },
    interpret: createInterpreter({ settings, socket, auth, options }),
    prepare: (chat, content, media, stop) =>
      withTimeout(preparePayload(socket, chat, content, media, stop), UPLOAD_MS, 'the upload', stop),

    async requestPairingCode(number) {
      if (auth.creds.account) throw new NetworkError('unavailable', 'the session is already logged in')
      return withTimeout(socket.requestPairingCode(number), ANSWER_MS, 'the pairing code')
    },
    async send({ messageId, chat, payload, stored, isRepeated = false }) {
      // The payload is stored while the message is encrypted, so that both writes share a commit.
      barrier.hold(stored)
      if (isRepeated) groups.forget(chat)
      const { message, additionalNodes } = decodePayload(payload)
      const answered = acks.expect(messageId)
      // Not awaited if sending itself fails: must not become an unhandled rejection.
      answered.catch(() => undefined)
      const relayed = socket.relayMessage(chat, message, {
        messageId,
        additionalNodes,
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
    },
    async showTyping(chat, what) {
      const state = { typing: 'composing', recording: 'recording', nothing: 'paused' } as const
      await withTimeout(socket.sendPresenceUpdate(state[what], chat), ANSWER_MS, 'typing')
    },
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
      await socket.end(undefined)
    },
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
