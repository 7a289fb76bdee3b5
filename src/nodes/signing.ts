// Signatures of calls between nodes. The head of a message is signed, with the length and the hash of its body in it, so that the
// receiver checks it before it reads a byte of the body.
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request that is older, or from a clock that is further ahead, is refused. Both sides use the clock of the database. */
export const MAX_AGE_MS = 30_000
/** Part of each signature: a message of another version is refused. */
const VERSION = 2

const HEADERS = {
  time: 'x-node-time',
  /** The node that is called. A request for one node is refused by another. */
  to: 'x-node-to',
  /** The node that answers. */
  from: 'x-node-from',
  nonce: 'x-node-nonce',
  digest: 'x-node-digest',
  signature: 'x-node-signature',
} as const

const NONCE_BYTES = 16
const NONCE = /^[\w-]{22}$/
const SHA256 = /^[\w-]{43}$/
const WHOLE_NUMBER = /^\d{1,16}$/

interface SignedBody {
  /** In bytes. */
  length: number
  digest: string
}

export interface RequestHead extends SignedBody {
  time: number
  to: number
  /** Random. The answer carries it, and the callee refuses it a second time. */
  nonce: string
}

export interface AnswerHead extends SignedBody {
  from: number
  /** Of the request. */
  nonce: string
  /** The status of HTTP. */
  status: number
}

export const nodeKey = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), 'calls between nodes', 32))

export const newNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url')

export const describeBody = (body: Uint8Array): SignedBody => ({
  length: body.length,
  digest: createHash('sha256').update(body).digest('base64url'),
})

/** The parts are numbers and base64url, so that the full stop separates them without doubt. */
const signatureOf = (key: Uint8Array, parts: (string | number)[]): string =>
  createHmac('sha256', key).update(parts.join('.')).digest('base64url')

const signRequest = (key: Uint8Array, { time, to, nonce, length, digest }: RequestHead): string =>
  signatureOf(key, ['request', VERSION, time, to, nonce, length, digest])

const signAnswer = (key: Uint8Array, { from, nonce, status, length, digest }: AnswerHead): string =>
  signatureOf(key, ['answer', VERSION, from, nonce, status, length, digest])

export const requestHeaders = (key: Uint8Array, head: RequestHead): Record<string, string> => ({
  'content-length': String(head.length),
  [HEADERS.time]: String(head.time),
  [HEADERS.to]: String(head.to),
  [HEADERS.nonce]: head.nonce,
  [HEADERS.digest]: head.digest,
  [HEADERS.signature]: signRequest(key, head),
})

export const answerHeaders = (key: Uint8Array, head: AnswerHead): Record<string, string> => ({
  'content-type': 'application/json',
  'content-length': String(head.length),
  [HEADERS.from]: String(head.from),
  [HEADERS.digest]: head.digest,
  [HEADERS.signature]: signAnswer(key, head),
})

/** Undefined: no node with this key has signed it, or not within the last 30 s. */
export function readRequestHead(
  key: Uint8Array,
  headers: IncomingHttpHeaders,
  now: number,
): RequestHead | undefined {
  const body = readSignedBody(headers)
  const [time, to, nonce] = [wholeNumber(headers, 'time'), wholeNumber(headers, 'to'), headers[HEADERS.nonce]]
  if (!body || time === undefined || to === undefined || typeof nonce !== 'string' || !NONCE.test(nonce))
    return undefined
  const head = { ...body, time, to, nonce }
  const isRecent = Math.abs(now - time) <= MAX_AGE_MS
  return isRecent && isSame(headers[HEADERS.signature], signRequest(key, head)) ? head : undefined
}

/** Undefined: this is not the answer of a node with this key to the request with this nonce. */
export function readAnswerHead(
  key: Uint8Array,
  headers: IncomingHttpHeaders,
  { nonce, status }: Pick<AnswerHead, 'nonce' | 'status'>,
): AnswerHead | undefined {
  const body = readSignedBody(headers)
  const from = wholeNumber(headers, 'from')
  if (!body || from === undefined) return undefined
  const head = { ...body, from, nonce, status }
  return isSame(headers[HEADERS.signature], signAnswer(key, head)) ? head : undefined
}

export const isBodyOf = ({ length, digest }: SignedBody, body: Uint8Array): boolean =>
  body.length === length && describeBody(body).digest === digest

function readSignedBody(headers: IncomingHttpHeaders): SignedBody | undefined {
  const [length = '', digest] = [headers['content-length'], headers[HEADERS.digest]]
  if (!WHOLE_NUMBER.test(length) || typeof digest !== 'string' || !SHA256.test(digest)) return undefined
  return { length: Number(length), digest }
}

function wholeNumber(headers: IncomingHttpHeaders, name: 'time' | 'to' | 'from'): number | undefined {
  const text = headers[HEADERS[name]]
  return typeof text === 'string' && WHOLE_NUMBER.test(text) ? Number(text) : undefined
}

function isSame(given: string | string[] | undefined, expected: string): boolean {
  if (typeof given !== 'string') return false
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
