// One connection to the network: the library's socket, with our credentials below it and the port's events above it.
import makeWASocket, { Browsers, proto, type WASocket } from 'baileys'
import { type ConnectOptions, NetworkError, type NetworkSession } from '../network.ts'
import { createAcks } from './acks.ts'
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
import { createWriteBarrier } from './write-barrier.ts'

const ANSWER_MS = 20_000
const ACK_MS = 30_000
/** A frame at least this often, or the connection counts as dead: noticed within 45 s. */
const KEEP_ALIVE_MS = 20_000
const BROWSER_NAME = 'Chrome'

export async function connectSession(
  settings: WhatsAppSettings,
  options: ConnectOptions,
): Promise<NetworkSession> {
  const auth = await loadAuthState(options.credentials)
  const barrier = createWriteBarrier((error) => {
    settings.log.debug(`a write has failed, closing: ${String(error)}`)
    void socket.end(error as Error)
  })
  const acks = createAcks()
  const keeper = createArrivalKeeper(
    options.credentials,
    (arrival) => void options.onEvent({ kind: 'arrived', ...arrival }),
    barrier.fail,
  )
  const socket = openSocket(settings, options, auth, keeper.makeSignalRepository)
  const inner = (socket.ws as unknown as { socket: Parameters<typeof barrier.guard>[0] }).socket
  barrier.guard(inner)
  // In front of the library's own listeners: what they answer waits for what these write.
  socket.ws.prependListener('CB:message', keeper.noteStanza)
  socket.ws.on('CB:ack,class:message', acks.settle)
  reportEvents({ socket, auth, options, barrier, onClosed: acks.fail })
  return createSession(settings, options, socket, auth, acks)
}

function openSocket(
  settings: WhatsAppSettings,
  options: ConnectOptions,
  auth: AuthState,
  makeSignalRepository: ReturnType<typeof createArrivalKeeper>['makeSignalRepository'],
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
    keepAliveIntervalMs: KEEP_ALIVE_MS,
    // Otherwise a fast receipt is merged into the message's own event.
    emitOwnEvents: false,
    // The owner's phone keeps ringing: the gateway is not the owner's eyes.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 500 },
    ...(settings.uploadAgent ? { fetchAgent: settings.uploadAgent } : {}),
    options: (settings.downloadDispatcher ? { dispatcher: settings.downloadDispatcher } : {}) as RequestInit,
    getMessage: async ({ id }) => {
      const payload = id ? await options.findSent(id) : undefined
      return payload && decodePayload(payload).message
    },
  })
}

function createSession(
  settings: WhatsAppSettings,
  options: ConnectOptions,
  socket: WASocket,
  auth: AuthState,
  acks: ReturnType<typeof createAcks>,
): NetworkSession {
  return {
    ...createQuestions(settings, socket, auth),
    interpret: createInterpreter({ settings, socket, auth, options }),
    prepare: (content, media) => inTime(preparePayload(socket, content, media), 5 * 60_000, 'the upload'),

    async requestPairingCode(number) {
      if (auth.creds.account) throw new NetworkError('unavailable', 'the session is logged in already')
      return inTime(socket.requestPairingCode(number), ANSWER_MS, 'the pairing code')
    },
    async send({ messageId, chat, payload }) {
      const { message, additionalNodes } = decodePayload(payload)
      const answered = acks.expect(messageId)
      // Nobody waits for the answer when the sending itself fails.
      answered.catch(() => undefined)
      await inTime(
        socket.relayMessage(chat, message as proto.IMessage, { messageId, additionalNodes }),
        ACK_MS,
        'the message',
      )
      return inTime(answered, ACK_MS, 'the message').finally(() => acks.forget(messageId))
    },
    async showTyping(chat, what) {
      const state = { typing: 'composing', recording: 'recording', nothing: 'paused' } as const
      await inTime(socket.sendPresenceUpdate(state[what], chat), ANSWER_MS, 'typing')
    },
    async logOut() {
      await inTime(socket.logout(), ANSWER_MS, 'logging out')
    },
    async close() {
      await socket.end(undefined)
    },
  }
}
