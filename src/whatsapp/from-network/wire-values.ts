// Reads untrusted values from the wire, so that only valid ones are passed on.
import type { Json, JsonObject } from '../../network/message.ts'

interface LongLike {
  low: number
  high: number
  unsigned?: boolean
}
export type WireNumber = number | bigint | string | LongLike | null | undefined

const LOW_BITS = 32

/** A finite number; null for everything else. */
export function numberOf(value: WireNumber): number | null {
  const number = typeof value === 'object' && value !== null ? fromLong(value) : Number(value ?? Number.NaN)
  return Number.isFinite(number) ? number : null
}

function fromLong({ low, high, unsigned = false }: LongLike): number {
  const top = unsigned ? high >>> 0 : high | 0
  return Number((BigInt(top) << BigInt(LOW_BITS)) + BigInt(low >>> 0))
}

/** A size, length or count: a safe integer, not negative. */
export function countOf(value: WireNumber): number | null {
  const number = numberOf(value)
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** Removes NUL and lone surrogates, which databases and receivers reject. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Empty text becomes null: the wire format does not distinguish them. */
export const textOrNull = (value: string | null | undefined): string | null => (value && clean(value)) || null

export const bytesOrNull = (value: Uint8Array | null | undefined): Buffer | null =>
  value && value.length > 0 ? Buffer.from(value) : null

/** The last time that ISO 8601 writes with a four-digit year; schemas reject later ones. */
const LATEST_MS = Date.UTC(9999, 11, 31)

export function momentMs(seconds: WireNumber, fallbackMs: number): number {
  const ms = Math.floor((numberOf(seconds) ?? 0) * 1000)
  return ms > 0 && ms <= LATEST_MS ? ms : fallbackMs
}

/** As ISO 8601; null for a time that is missing or not valid. */
export function timeOrNull(seconds: WireNumber): string | null {
  const ms = momentMs(seconds, 0)
  return ms === 0 ? null : new Date(ms).toISOString()
}

/** Drops fields that are null or undefined. */
export const present = (fields: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, Json] => field[1] !== null && field[1] !== undefined,
    ),
  )

/** Cleans all strings of a message: ids and identifiers are untrusted too. */
export function storable<T extends object>(value: T): T {
  const json = JSON.stringify(value)
  // JSON writes NUL and lone surrogates as escapes: most messages have none, and their strings need no check.
  const stored: T = json.includes(ESCAPE) ? JSON.parse(json, cleanText) : JSON.parse(json)
  return stored
}

/** The same for a report of the network, which is passed on as it is if it needs no change. */
export function storableReport<T extends object>(report: T): T {
  const json = JSON.stringify(report)
  return json.includes(ESCAPE) ? (JSON.parse(json, cleanText) as T) : report
}

const ESCAPE = String.raw`\u`

const cleanText = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? clean(value) : value
