// What travels between nodes: JSON with bytes in it, signed with a key that every node derives from the master key.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { NetworkError, type NetworkErrorKind } from '../network/network.ts'
import { StoreError, type StoreErrorKind } from '../store/store-error.ts'

/** A message that is older, or from a clock that is further ahead, is refused. Both sides use the clock of the database. */
const MAX_AGE_MS = 30_000

export const HEADERS = {
  time: 'x-node-time',
  /** The node that is called. A message for one node is of no use at another. */
  to: 'x-node-to',
  signature: 'x-node-signature',
} as const

export const nodeKey = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), 'calls between nodes', 32))

export interface Signed {
  /** request or answer, so that one cannot be used as the other. */
  kind: 'request' | 'answer'
  time: number
  to: number
  body: string
}

export const sign = (key: Uint8Array, { kind, time, to, body }: Signed): string =>
  createHmac('sha256', key).update(`${kind}.${time}.${to}.${body}`).digest('base64url')

export function isSigned(key: Uint8Array, message: Signed, signature: string, now: number): boolean {
  const expected = Buffer.from(sign(key, message))
  const given = Buffer.from(signature)
  const isRecent = Math.abs(now - message.time) <= MAX_AGE_MS
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected)
}

/** Reads bytes from their holder: a Buffer has turned itself into a list of numbers by the time it is passed. */
export const encode = (value: unknown): string =>
  JSON.stringify(value, function replace(this: Record<string, unknown>, name, each: unknown) {
    const original = this[name]
    return original instanceof Uint8Array ? { $bytes: Buffer.from(original).toString('base64') } : each
  }) ?? 'null'

export const decode = (text: string): unknown =>
  JSON.parse(text, (_key, each: unknown) =>
    isBytes(each) ? new Uint8Array(Buffer.from(each.$bytes, 'base64')) : each,
  )

const isBytes = (value: unknown): value is { $bytes: string } =>
  typeof value === 'object' && value !== null && typeof (value as { $bytes?: unknown }).$bytes === 'string'

/** An error of a call, as it travels to the node that asked. */
export type WireError =
  | { from: 'network'; kind: NetworkErrorKind; message: string; code: number | null }
  | { from: 'store'; kind: StoreErrorKind; message: string }
  | { from: 'program'; message: string }

export function toWireError(error: unknown): WireError {
  if (error instanceof NetworkError) {
    const { kind, message, code } = error
    return { from: 'network', kind, message, code }
  }
  if (error instanceof StoreError) return { from: 'store', kind: error.kind, message: error.message }
  return { from: 'program', message: String(error) }
}

export function fromWireError(error: WireError): Error {
  if (error.from === 'network') return new NetworkError(error.kind, error.message, undefined, error.code)
  if (error.from === 'store') return new StoreError(error.kind, error.message)
  return new Error(`another node failed: ${error.message}`)
}
