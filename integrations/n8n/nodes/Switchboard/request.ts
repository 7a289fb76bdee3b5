// The request of a call, made from the values of the fields.
import type { Field, FieldKind, Row } from './table.ts'

export type Values = Readonly<Record<string, unknown>>

export interface CallRequest {
  path: string
  query: Record<string, string | number | boolean>
  /** Undefined: the call has no body, or its body is a file. */
  body: unknown
}

/** A value that the call cannot take; the message names the field. */
export class FieldError extends Error {}

export function requestOf(row: Row, values: Values, timezone: string): CallRequest {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, values[name]))
  const query: CallRequest['query'] = {}
  const body: Record<string, unknown> = { ...row.fixed }
  for (const field of row.fields) {
    const given = values[field.name]
    if (field.in === 'path' || isLeftOut(field, given)) continue
    const value = given === null ? null : READERS[field.kind](given, field, timezone)
    const name = field.name === 'recipient' ? chatField(String(value)) : field.name
    if (field.in === 'query') query[name] = Array.isArray(value) ? value.join(',') : (value as string)
    else body[name] = value
  }
  const hasBody = row.body === 'json' || row.body === 'whole'
  return { path, query, body: hasBody ? (row.body === 'whole' ? body['body'] : body) : undefined }
}

/** An empty field is left out, because n8n has no other form for a field without a value. */
function isLeftOut({ nullable, kind }: Field, value: unknown): boolean {
  if (value === null) return nullable !== true
  if (value === undefined) return true
  if (value === '') return kind !== 'string' || nullable !== true
  return false
}

/** Events name people and groups by an address; people know numbers. */
export const chatField = (value: string): 'chat' | 'number' => (value.includes('@') ? 'chat' : 'number')

/** An empty segment, `.` or `..` would change the path. */
function segment(name: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && !/^\.{0,2}$/.test(text)) return encodeURIComponent(text)
  throw new FieldError(`${name} is required`)
}

type Reader = (value: unknown, field: Field, timezone: string) => unknown
const same: Reader = (value) => value
const READERS: Record<FieldKind, Reader> = {
  string: (value) => (typeof value === 'number' ? String(value) : value),
  number: same,
  boolean: same,
  options: same,
  multiOptions: same,
  strings: (value, field) => (Array.isArray(value) ? value : listOf(value, field)),
  json: (value, field) => (typeof value === 'string' ? parsed(value, field) : value),
  dateTime: (value, field, timezone) => moment(value, field, timezone),
}

function parsed(text: string, { label }: Field): unknown {
  const read = readJson(text)
  if (read === undefined) throw new FieldError(`${label} is not valid JSON`)
  return read
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** An agent writes a list as JSON, or names one element. */
const listOf = (value: unknown, field: Field): unknown =>
  typeof value === 'string' && value.trim().startsWith('[') ? parsed(value, field) : [value]

const HAS_OFFSET = /(Z|[+-]\d{2}:?\d{2})$/i

/** The editor gives a time without an offset: it is one in the time zone of the workflow. Expressions give times of Luxon. */
function moment(value: unknown, { label }: Field, timezone: string): string {
  const text = isLuxon(value) ? value.toISO() : value instanceof Date ? value.toISOString() : String(value)
  const time = Date.parse(HAS_OFFSET.test(text) ? text : `${text}Z`)
  if (Number.isNaN(time)) throw new FieldError(`${label} is not a time`)
  return new Date(HAS_OFFSET.test(text) ? time : inZone(time, timezone)).toISOString()
}

const isLuxon = (value: unknown): value is { toISO(): string } =>
  typeof value === 'object' && value !== null && 'toISO' in value

/** The moment at which clocks of the zone show what UTC would show at `wall`. Twice, because the offset may change between the two. */
function inZone(wall: number, timezone: string): number {
  const guess = wall - offsetAt(wall, timezone)
  return wall - offsetAt(guess, timezone)
}

function offsetAt(time: number, timeZone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const second = Math.floor(time / 1000) * 1000
  return Date.parse(`${shown.format(second).replace(' ', 'T')}Z`) - second
}
