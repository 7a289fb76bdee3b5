// The options of a passkey request, as the network sends them: JSON for the browser of the owner. Their text comes from outside.
import { type BinaryNode, getBinaryNodeChild } from '../library/protocol.ts'

/** The captured options have less than 300 bytes. */
const MAX_BYTES = 16_384
/** Also what the network allows. */
const MAX_OWNER_MS = 10 * 60_000

export const OPTIONS_TAG = 'passkey_request_options'

export type PasskeyOptions = Record<string, unknown>

/** The options in this stanza; undefined if it has none, or if they are not what a browser could use. */
export function optionsIn(stanza: BinaryNode): PasskeyOptions | undefined {
  const text = textIn(stanza, OPTIONS_TAG, MAX_BYTES)
  if (text === undefined) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
    const options = parsed as PasskeyOptions
    return typeof options['challenge'] === 'string' && options['challenge'] !== '' ? options : undefined
  } catch {
    return undefined
  }
}

/** How long the owner may take. */
export function ownerMsOf({ timeout }: PasskeyOptions): number {
  const isTime = typeof timeout === 'number' && Number.isFinite(timeout) && timeout > 0
  return isTime ? Math.min(timeout, MAX_OWNER_MS) : MAX_OWNER_MS
}

/**
 * When the network made this demand. It may have been on its way for a while, and a proof that comes too late would end the link, while
 * without one the owner compares the codes. A time in the future counts as now: the clock here is behind.
 */
export function demandedAt({ attrs }: BinaryNode, now: number): number {
  const seconds = Number(attrs['t'] ?? Number.NaN)
  return Number.isSafeInteger(seconds) && seconds > 0 ? Math.min(seconds * 1000, now) : now
}

/** The text of a child; undefined if it is missing, empty or too long. */
export function textIn(stanza: BinaryNode, tag: string, maxBytes: number): string | undefined {
  const content = getBinaryNodeChild(stanza, tag)?.content
  if (content === undefined || Array.isArray(content) || content.length > maxBytes) return undefined
  return (typeof content === 'string' ? content : Buffer.from(content).toString()) || undefined
}
