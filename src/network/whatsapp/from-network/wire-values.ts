// Values as strangers put them on the wire, read so that nothing odd gets any further.
import type { Json, JsonObject } from '../../message.ts'

interface LongLike {
  low: number
  high: number
  unsigned?: boolean
}
export type WireNumber = number | bigint | string | LongLike | null | undefined

const LOW_BITS = 32

/** A whole or broken number that JSON can hold; null for everything else. */
export function numberOf(value: WireNumber): number | null {
  const number = typeof value === 'object' && value !== null ? fromLong(value) : Number(value ?? Number.NaN)
  return Number.isFinite(number) ? number : null
}

function fromLong({ low, high, unsigned = false }: LongLike): number {
  const top = unsigned ? high >>> 0 : high | 0
  return Number((BigInt(top) << BigInt(LOW_BITS)) + BigInt(low >>> 0))
}

/** A size, a length, a count: never below zero, never beyond what a number holds exactly. */
export function countOf(value: WireNumber): number | null {
  const number = numberOf(value)
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** No database column takes NUL, and no receiver a broken pair: one stranger's text must not stop the rest. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Empty text is none: the wire makes no difference. */
export const textOrNull = (value: string | null | undefined): string | null => (value && clean(value)) || null

export const bytesOrNull = (value: Uint8Array | null | undefined): Buffer | null =>
  value && value.length > 0 ? Buffer.from(value) : null

/** The last moment that ISO 8601 writes with four digits for the year; beyond, no schema takes it for a time. */
const LATEST_MS = Date.UTC(9999, 11, 31)

export function momentMs(seconds: WireNumber, fallbackMs: number): number {
  const ms = Math.floor((numberOf(seconds) ?? 0) * 1000)
  return ms > 0 && ms <= LATEST_MS ? ms : fallbackMs
}

/** Leaves out what is not there, so that content carries no fields that say nothing. */
export const present = (fields: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, Json] => field[1] !== null && field[1] !== undefined,
    ),
  )

/** The last look at all of it: ids and identifiers are in the hands of strangers as well. */
export function storable<T extends object>(value: T): T {
  const stored: T = JSON.parse(JSON.stringify(value), (_name, inner: unknown) =>
    typeof inner === 'string' ? clean(inner) : inner,
  )
  return stored
}
