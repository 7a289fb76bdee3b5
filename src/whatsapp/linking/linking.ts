// Links this device with a phone: QR codes, pairing codes, and the passkey that the network may demand after either of them.
import { randomBytes } from 'node:crypto'
import { realTimers, type Timers } from '../../kernel/async/timers.ts'
import { type CloseCause, type Closed, NetworkError, type NetworkEvent } from '../../network/network.ts'
import type { PasskeyCalls, PasskeyEnd } from '../../network/passkey.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import type { PairingSocket } from '../library/pairing-socket.ts'
import { type BinaryNode, getBinaryNodeChild, S_WHATSAPP_NET } from '../library/protocol.ts'
import { withTimeout } from '../library/with-timeout.ts'
import type { WhatsAppSettings } from '../settings.ts'
import { codesEnded } from './close-cause.ts'
import { createPasskeyExchange, type PasskeyExchange } from './passkey-exchange.ts'
import { KEY_BYTES } from './passkey-keys.ts'

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

// Pairing codes of one connection: the one that was requested, and those with which the network replaces it.

const ANSWER_MS = 20_000
/** How long a phone accepts a code. */
const CODE_MS = 180_000
/** From the answer of a phone to the linked device. */
const LINK_MS = 60_000
/** The network limits how often a number may be asked for. */
const MAX_REQUESTS = 3
const NEWS = 'link_code_companion_reg'

interface PairingCodesParts {
  pairing: Pick<PairingSocket, 'requestCode'>
  qrCodes: Pick<QrCodes, 'keepUntil'>
  deviceName: string | null | undefined
  /** How long a phone accepts a code; absent: as on the network. */
  codeMs?: number | undefined
  /** The network has replaced the code. */
  report(code: string): void
  /** There is no code any more that a phone would accept. */
  end(): void
  clock: () => number
}

interface PairingCodes {
  /** Rejects when the network refuses the request: the number, the name of the client, or too many requests. */
  request(number: string): Promise<string>
  /** A notification about the code. */
  onNews(stanza: BinaryNode): void
}

export function createPairingCodes(parts: PairingCodesParts): PairingCodes {
  const { pairing, qrCodes, deviceName, codeMs = CODE_MS, report, end, clock } = parts
  let current: { number: string; reference: Buffer } | undefined
  let requests = 0
  const request = async (number: string): Promise<string> => {
    requests += 1
    const requested = pairing.requestCode(number, platformDisplay(deviceName))
    const { code, reference } = await withTimeout(requested, ANSWER_MS, 'the pairing code')
    current = { number, reference }
    qrCodes.keepUntil(clock() + codeMs)
    return code
  }
  const refresh = async (news: BinaryNode): Promise<void> => {
    const reference = getBinaryNodeChild(news, 'link_code_pairing_ref')?.content
    if (!current || !(reference instanceof Uint8Array) || !current.reference.equals(reference)) return
    const { number } = current
    current = undefined
    // The owner has to want another code, or has had enough of them.
    if (news.attrs['force_manual_refresh'] === 'true' || requests >= MAX_REQUESTS) end()
    else report(await request(number))
  }
  return {
    request,
    onNews(stanza) {
      const news = getBinaryNodeChild(stanza, NEWS)
      if (news?.attrs['stage'] === 'refresh_code') void refresh(news).catch(end)
      if (news?.attrs['stage'] === 'primary_hello') qrCodes.keepUntil(clock() + LINK_MS)
    },
  }
}

// How this client calls itself when it asks for a pairing code. The network refuses a request whose system is not a real one.

const BROWSER = 'Chrome'
const ACCEPTED_SYSTEMS: readonly string[] = [
  'Mac OS',
  'Windows',
  'Linux',
  'Android',
  'iOS',
  'Ubuntu',
  'Fedora',
]

/** The name of the device appears in the list of linked devices in any case; this one only in the question on the phone. */
export function platformDisplay(deviceName: string | null | undefined): string {
  const system = ACCEPTED_SYSTEMS.find((name) => name === deviceName) ?? ACCEPTED_SYSTEMS[0]
  return `${BROWSER} (${system})`
}

// Shows the QR codes of one connection: each reference of the network for a while, then the next one.

/** As the network's own web client: the first code longer than the others. */
const FIRST_CODE_MS = 60_000
const NEXT_CODE_MS = 20_000
/** More than the network has ever issued for one connection. */
const MAX_REFERENCES = 32
/** The network can also replace references and secrets. Each code that is shown is stored and reported. */
const MAX_SHOWN = 100

interface QrCodesParts {
  /** The text of a code with this reference and the current secret. */
  draw(reference: string): string
  show(code: string, expiresAt: number): void
  /** No code is left that a phone could read. */
  onEnd(): void
  /** How long each code is shown; absent: as the network's own client does. */
  codeMs?: number | undefined
  clock: () => number
  timers: Timers
}

interface QrCodes {
  begin(references: readonly string[]): void
  /** Shows the current code again, after the secret in it has changed. */
  redraw(): void
  /** A pairing code is valid until then: the connection lasts as long, also when no reference is left. */
  keepUntil(untilMs: number): void
  /** A phone has read the code, or the connection is closed. */
  stop(): void
}

export function createQrCodes({ draw, show, onEnd, codeMs, clock, timers }: QrCodesParts): QrCodes {
  let waiting: string[] = []
  let current: { reference: string; expiresAt: number } | undefined
  let keptUntil = 0
  let shown = 0
  let timer: ReturnType<Timers['setTimeout']> | undefined
  const wait = (ms: number, then: () => void): void => {
    timers.clearTimeout(timer)
    timer = timers.setTimeout(then, ms)
  }
  const showCurrent = (): void => {
    if (!current) return
    shown += 1
    if (shown > MAX_SHOWN) onEnd()
    else show(draw(current.reference), current.expiresAt)
  }
  const showNext = (lifetimeMs: number): void => {
    const reference = waiting.shift()
    if (reference === undefined) {
      current = undefined
      end()
      return
    }
    current = { reference, expiresAt: clock() + lifetimeMs }
    showCurrent()
    wait(lifetimeMs, () => showNext(codeMs ?? NEXT_CODE_MS))
  }
  const end = (): void => {
    const leftMs = keptUntil - clock()
    if (leftMs > 0) wait(leftMs, end)
    else onEnd()
  }
  return {
    begin(references) {
      waiting = references.slice(0, MAX_REFERENCES)
      showNext(codeMs ?? FIRST_CODE_MS)
    },
    redraw: showCurrent,
    keepUntil(untilMs) {
      keptUntil = Math.max(keptUntil, untilMs)
    },
    stop() {
      timers.clearTimeout(timer)
      waiting = []
      current = undefined
    },
  }
}
