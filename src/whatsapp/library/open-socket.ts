// The settings of the library's socket, each with the reason why it is not the library's own.
import { Browsers, makeWASocket, type SocketConfig, type WASocket } from 'baileys'
import type { ClientVersion } from '../../network/client-version.ts'
import type { SessionOptions } from '../../network/network.ts'
import type { WhatsAppSettings } from '../settings.ts'
import type { AuthState } from './auth-state.ts'

/** The longest interval that a timer supports. */
const NEVER_MS = 2 ** 31 - 1
const BROWSER_NAME = 'Chrome'

export type VersionedSettings = WhatsAppSettings & { version: ClientVersion }

export function openSocket(
  settings: VersionedSettings,
  auth: AuthState,
  { deviceName, alwaysOnline = false, syncHistory }: SessionOptions,
  parts: Pick<SocketConfig, 'makeSignalRepository' | 'logger' | 'getMessage' | 'cachedGroupMetadata'>,
): WASocket {
  return makeWASocket({
    ...(settings.wsUrl ? { waWebSocketUrl: settings.wsUrl } : {}),
    auth,
    ...parts,
    version: [...settings.version],
    browser: browserOf(deviceName),
    // Replaced by the limits around every call (with-timeout.ts).
    connectTimeoutMs: 0,
    defaultQueryTimeoutMs: undefined,
    // Replaced by keep-alive.ts: the library compares times of the wall clock, and would close each connection when that is set.
    keepAliveIntervalMs: NEVER_MS,
    // Otherwise the library merges a fast receipt into the event of the message.
    emitOwnEvents: false,
    // Marked as online, the gateway silences notifications on the owner's phone.
    markOnlineOnConnect: alwaysOnline,
    syncFullHistory: syncHistory === 'full',
    // The library would wait after each unreadable message, and all other messages behind it with it.
    retryRequestDelayMs: 0,
    // The library would delete a session when messages of it cannot be decrypted, and with it what decrypts those under way.
    enableAutoSessionRecreation: false,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 500 },
    ...(settings.socketAgent ? { agent: settings.socketAgent } : {}),
    ...(settings.uploadAgent ? { fetchAgent: settings.uploadAgent } : {}),
    options: (settings.downloadDispatcher ? { dispatcher: settings.downloadDispatcher } : {}) as RequestInit,
  })
}

/** The phone lists a linked device by the first part. */
export function browserOf(deviceName: string | null | undefined): [string, string, string] {
  const [system, browser, version] = Browsers.macOS(BROWSER_NAME)
  return [deviceName ?? system, browser, version]
}
