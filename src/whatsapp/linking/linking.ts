// Links this device with a phone: QR codes, pairing codes, and the passkey that the network may demand after either of them.
import { randomBytes } from 'node:crypto'
import { realTimers, type Timers } from '../../kernel/async/timers.ts'
import { type CloseCause, type Closed, NetworkError, type NetworkEvent } from '../../network/network.ts'
import type { PasskeyCalls, PasskeyEnd } from '../../network/passkey.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import { type BinaryNode, getBinaryNodeChild, S_WHATSAPP_NET } from '../library/protocol.ts'
import type { WhatsAppSettings } from '../settings.ts'
import { codesEnded } from './close-cause.ts'
import { createPairingCodes } from './pairing-codes.ts'
import { createPasskeyExchange, type PasskeyExchange } from './passkey-exchange.ts'
import { KEY_BYTES } from './passkey-keys.ts'
import { createQrCodes, type QrCodes } from './qr-codes.ts'

export interface LinkingParts {
  socket: Pick<LibrarySocket, 'pairing' | 'query' | 'end' | 'isLinked' | 'onEvent'>
  report(event: NetworkEvent): void
  settings: Pick<WhatsAppSettings, 'times' | 'passkeys' | 'log'>
  deviceName: string | null | undefined
  clock: () => number
  timers?: Timers
}

export interface Linking extends PasskeyCalls {
  requestPairingCode(number: string): Promise<string>
  /** What a closed connection means for a device that is being linked. */
  closed(cause: CloseCause): Pick<Closed, 'cause' | 'reason'>
}

export function createLinking(parts: LinkingParts): Linking {
  const { socket, report, settings, deviceName, clock, timers = realTimers } = parts
  const { pairing } = socket
  let passkeyEnd: PasskeyEnd | undefined
  const endCodes = (): void => void socket.end(codesEnded())
  const endPasskey = (reason: PasskeyEnd): void => {
    passkeyEnd ??= reason
    void socket.end(new Error('the passkey step has ended'))
  }
  const qrCodes = createQrCodes({
    draw: (reference) => pairing.qrCode(reference),
    show: (code, expiresAt) => report({ kind: 'qr', code, expiresAt }),
    onEnd: endCodes,
    codeMs: settings.times?.codeMs,
    clock,
    timers,
  })
  const passkey = createPasskeyExchange({
    pairing,
    ask: (type, topic) => socket.query(requestOf(type, topic)) as Promise<BinaryNode>,
    report: (step) => report({ kind: 'passkey', ...step }),
    end: endPasskey,
    clock,
    timers,
    log: settings.log,
  })
  const pairingCodes = createPairingCodes({
    pairing,
    qrCodes,
    deviceName,
    codeMs: settings.times?.pairingCodeMs,
    report: (code) => report({ kind: 'pairing_code', code }),
    end: endCodes,
    clock,
  })
  followNetwork(parts, { qrCodes, passkey, endPasskey })
  pairing.onServerNotification('link_code_companion_reg', pairingCodes.onNews)
  return {
    answerPasskey: passkey.answerPasskey,
    confirmPasskey: passkey.confirmPasskey,
    async requestPairingCode(number) {
      if (socket.isLinked) throw new NetworkError('unavailable', 'the session is already logged in')
      if (passkey.isActive()) throw new NetworkError('unavailable', 'a phone is being linked already')
      return pairingCodes.request(number)
    },
    closed(cause) {
      const reason = passkeyEnd ?? (passkey.isActive() && ENDS_PASSKEY.has(cause) ? 'lost' : undefined)
      passkey.finish()
      return reason === undefined || cause === 'ended' ? { cause } : { cause: 'passkey_ended', reason }
    },
  }
}

interface Followers {
  qrCodes: QrCodes
  passkey: PasskeyExchange
  endPasskey(reason: PasskeyEnd): void
}

function followNetwork(
  { socket, settings }: Pick<LinkingParts, 'socket' | 'settings'>,
  { qrCodes, passkey, endPasskey }: Followers,
): void {
  const { pairing } = socket
  pairing.onReferences(qrCodes.begin)
  pairing.onServerNotification('passkey_prologue_request', (stanza) => {
    if (socket.isLinked) return
    // The codes would run out while the owner uses the passkey, and with the last one the connection would close.
    qrCodes.stop()
    if (settings.passkeys === false) endPasskey('disabled')
    else passkey.onRequest(stanza)
  })
  pairing.onServerNotification('crsc_continuation', passkey.onContinuation)
  pairing.onServerNotification('companion_reg_refresh', (stanza) => {
    const isRefresh = REFRESHES.some((tag) => getBinaryNodeChild(stanza, tag))
    // A phone that has read the code, or answered it, already uses the current secret.
    if (!isRefresh || socket.isLinked || pairing.isCodeAnswered || passkey.isActive()) return
    pairing.advSecret = randomBytes(KEY_BYTES)
    qrCodes.redraw()
  })
  socket.onEvent('connection.update', ({ isNewLogin, connection }) => {
    if (isNewLogin) passkey.finish()
    if (isNewLogin || connection === 'close') qrCodes.stop()
  })
}

/** The network no longer accepts the secret in the code that is shown. */
const REFRESHES = ['companion_reg_refresh', 'pair-device-rotate-qr']

/** The keys of the step are lost with its connection, so that a new one could not continue. Other causes say more. */
const ENDS_PASSKEY: ReadonlySet<CloseCause> = new Set([
  'lost',
  'restart',
  'bad_session',
  'replaced',
  'logged_out',
])

const requestOf = (type: 'get' | 'set', topic: BinaryNode): BinaryNode => ({
  tag: 'iq',
  attrs: { to: S_WHATSAPP_NET, type, xmlns: 'md' },
  content: [topic],
})
