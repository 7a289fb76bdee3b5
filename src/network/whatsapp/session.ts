// One connection to the network: the library's socket, with our credentials below it and the port's events above it.
import { Browsers, makeWASocket, type WASocket } from 'baileys'
import { type ConnectOptions, NetworkError, type NetworkSession } from '../network.ts'
import { createAcks } from './acks.ts'
import type { AddressTurns } from './address-turns.ts'
import { createArrivalKeeper } from './arrivals.ts'
import { type AuthState, loadAuthState } from './auth-state.ts'
import { inTime } from './in-time.ts'
import { createInterpreter } from './interpret.ts'
import type { WhatsAppSettings } from './network.ts'
import { decodePayload } from './payload.ts'
import { preparePayload } from './prepare.ts'
import { createQuestions } from './questions.ts'
import { createQuietLogger } from './quiet-logger.ts'
import { reportEvents } from './report-events.ts'
import { createResender, type Resender } from './resend.ts'
import { createStandings } from './restriction.ts'
import { createTokenNotes, type TokenNotes } from './token-notes.ts'
import { createWriteBarrier, type HeldCredentials } from './write-barrier.ts'

const ANSWER_MS = 20_000
const ACK_MS = 30_000
const UPLOAD_MS = 5 * 60_000
/** A frame at least this often, or the connection counts as dead: noticed within 45 s. */
const KEEP_ALIVE_MS = 20_000
/** Who has not said goodbye by then is gone; left alone, the library waits half a minute for a dead socket. */
const GOODBYE_MS = 2000
const BROWSER_NAME = 'Chrome'

export async function connectSession(
  settings: WhatsAppSettings,
  options: ConnectOptions,
  turns: AddressTurns,
): Promise<NetworkSession> {
  const barrier = createWriteBarrier((error) => {
    settings.log.debug(`a write has failed, closing: ${String(error)}`)
    void socket.end(error as Error)
  })
  const credentials = barrier.watch(options.credentials)
  const auth = await loadAuthState(credentials)
  const acks = createAcks()
  const keeper = createArrivalKeeper(
    credentials,
    (arrival) => void options.onEvent({ kind: 'arrived', ...arrival }),
    turns,
  )
  const resender = createResender(options, () => socket, auth)
  const socket = openSocket(settings, auth, keeper.makeSignalRepository, resender.getMessage)
  const inner = (socket.ws as unknown as { socket: InnerSocket }).socket
  barrier.guard(inner)
  limitGoodbye(inner)
  // In front of the library's own listeners: what they answer waits for what these write.
  socket.ws.prependListener('CB:message', keeper.noteStanza)
  socket.ws.prependListener('CB:receipt', resender.noteReceipt)
  // A copy in memory of what the store has would be sent again without being looked up.
  if (socket.messageRetryManager) socket.messageRetryManager.addRecentMessage = () => undefined
  socket.ws.on('CB:ack,class:message', acks.settle)
  reportEvents({ socket, auth, options, barrier, codeMs: settings.times?.codeMs, onClosed: acks.fail })
  const standings = createStandings(socket, (restrictedUntil) => {
    void options.onEvent({ kind: 'standing', restrictedUntil })
  })
  const tokens = createTokenNotes(socket.signalRepository.lidMapping, auth.keys)
  return createSession({ settings, options, socket, auth, acks, barrier, credentials, standings, tokens })
}

type InnerSocket = Parameters<ReturnType<typeof createWriteBarrier>['guard']>[0] & { terminate(): void }

function limitGoodbye(socket: InnerSocket): void {
  const close = socket.close.bind(socket)
  socket.close = () => {
    close()
    setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
  }
}

function openSocket(
  settings: WhatsAppSettings,
  auth: AuthState,
  makeSignalRepository: ReturnType<typeof createArrivalKeeper>['makeSignalRepository'],
  getMessage: Resender['getMessage'],
): WASocket {
  return makeWASocket({
    ...(settings.wsUrl ? { waWebSocketUrl: settings.wsUrl } : {}),
    auth,
    makeSignalRepository,
    logger: createQuietLogger(settings.log),
    browser: Browsers.macOS(BROWSER_NAME),
    // Our own limits stand around every call instead (in-time.ts).
    connectTimeoutMs: 0,
    defaultQueryTimeoutMs: undefined,
    keepAliveIntervalMs: settings.times?.keepAliveMs ?? KEEP_ALIVE_MS,
    ...(settings.times?.codeMs === undefined ? {} : { qrTimeout: settings.times?.codeMs }),
    // Otherwise a fast receipt is merged into the message's own event.
    emitOwnEvents: false,
    // The owner's phone keeps ringing: the gateway is not the owner's eyes.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 500 },
    ...(settings.socketAgent ? { agent: settings.socketAgent } : {}),
    ...(settings.uploadAgent ? { fetchAgent: settings.uploadAgent } : {}),
    options: (settings.downloadDispatcher ? { dispatcher: settings.downloadDispatcher } : {}) as RequestInit,
    getMessage,
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
  standings: ReturnType<typeof createStandings>
  tokens: TokenNotes
}

function createSession(parts: SessionParts): NetworkSession {
  const { settings, options, socket, auth, acks, barrier, credentials, standings, tokens } = parts
  return {
    ...createQuestions(settings, socket, auth),
    ...standings,
    interpret: createInterpreter({ settings, socket, auth, options }),
    prepare: (chat, content, media) =>
      inTime(preparePayload(socket, chat, content, media), UPLOAD_MS, 'the upload'),

    async requestPairingCode(number) {
      if (auth.creds.account) throw new NetworkError('unavailable', 'the session is logged in already')
      return inTime(socket.requestPairingCode(number), ANSWER_MS, 'the pairing code')
    },
    async send({ messageId, chat, payload, kept }) {
      // Written while the message is encrypted, so that both share a commit.
      barrier.hold(kept)
      const { message, additionalNodes } = decodePayload(payload)
      const answered = acks.expect(messageId)
      // Nobody waits for the answer when the sending itself fails.
      answered.catch(() => undefined)
      const relayed = socket.relayMessage(chat, message, { messageId, additionalNodes })
      relayed.catch(() => undefined)
      // When the connection closes, the library goes on waiting for what it asked; whoever expects the answer is told.
      await inTime(Promise.race([relayed, answered]), ACK_MS, 'the message')
      const result = await inTime(answered, ACK_MS, 'the message').finally(() => acks.forget(messageId))
      if (result.accepted) tokens.noteGiven(chat)
      return result
    },
    async showTyping(chat, what) {
      const state = { typing: 'composing', recording: 'recording', nothing: 'paused' } as const
      await inTime(socket.sendPresenceUpdate(state[what], chat), ANSWER_MS, 'typing')
    },
    async markRead(messages) {
      const keys = messages.map(({ messageId, chat, participant }) => ({
        id: messageId,
        remoteJid: chat,
        fromMe: false,
        ...(participant === null ? {} : { participant }),
      }))
      // The library asks what the owner lets others know, and tells the owner's devices alone where that is nothing.
      await inTime(socket.readMessages(keys), ANSWER_MS, 'the receipts')
    },
    async logOut() {
      // What the log-out still waits behind would fail with the credentials, which are gone once this is answered.
      const told = socket.logout().then(() => credentials.framesLeft())
      await inTime(told, ANSWER_MS, 'logging out').finally(() => void socket.end(undefined))
    },
    async close() {
      await socket.end(undefined)
    },
  }
}
