// Pairing codes of one connection: the one that was requested, and those with which the network replaces it.
import type { PairingSocket } from '../library/pairing-socket.ts'
import { type BinaryNode, getBinaryNodeChild } from '../library/protocol.ts'
import { withTimeout } from '../library/with-timeout.ts'
import { platformDisplay } from './platform-display.ts'
import type { QrCodes } from './qr-codes.ts'

const ANSWER_MS = 20_000
/** How long a phone accepts a code. */
const CODE_MS = 180_000
/** From the answer of a phone to the linked device. */
const LINK_MS = 60_000
/** The network limits how often a number may be asked for. */
const MAX_REQUESTS = 3
const NEWS = 'link_code_companion_reg'

export interface PairingCodesParts {
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

export interface PairingCodes {
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
