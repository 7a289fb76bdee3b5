// What travels between nodes: JSON with bytes in it, and errors that keep their kind.

import { StoreError, type StoreErrorKind } from '../kernel/store-error.ts'
import { NetworkError, type NetworkErrorKind } from '../network/network.ts'

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
