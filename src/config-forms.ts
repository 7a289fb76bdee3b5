// The forms of settings: how the text of a variable is checked and converted.
import { z } from 'zod'

/** Characters that an `Authorization` header can carry. A space would end the key. */
const KEY_CHARACTERS = /^[\x21-\x7e]*$/
export const keyText = (minLength: number) =>
  z
    .string()
    .min(minLength, { error: `expected at least ${minLength} characters` })
    .max(256, { error: 'expected at most 256 characters' })
    .regex(KEY_CHARACTERS, { error: 'expected printable ASCII characters without spaces' })
export const secretKey = keyText(32).optional()
export const isSecretKey = (text: string): boolean => keyText(32).safeParse(text).success
export const wholeNumber = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, { error: 'expected a whole number' })
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback)

const commaList = z.string().transform((text) => text.split(',').map((entry) => entry.trim()))
/** Other APIs that clients may use. */
export const dialects = commaList
  .pipe(z.array(z.enum(['evolution', 'cloud'], { error: 'expected evolution, cloud' })))
  .optional()
const addressOrBlock = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()] as const
const targetName = z
  .string()
  .regex(/^[^\s/?#@:\\]+$/)
  .refine((name) => URL.canParse(`http://${name}`))
export const allowTargets = commaList
  .pipe(
    z.array(
      z.union([...addressOrBlock, targetName], {
        error: 'expected IP addresses, blocks such as 10.0.0.0/8, or host names, separated by commas',
      }),
    ),
  )
  .optional()

const PROXIES = {
  error: 'expected IP addresses or blocks such as 10.0.0.0/8, separated by commas; /0 is not allowed',
}
/** With a block of all addresses, every client could choose its address and evade the limit on wrong keys. */
export const trustProxy = commaList
  .pipe(z.array(z.union(addressOrBlock, PROXIES).refine((entry) => !entry.endsWith('/0'), PROXIES)))
  .optional()

/** Each part fits into 32 bits. */
export const CLIENT_VERSION = /^(\d{1,9}\.){2}(\d{1,9}|[1-3]\d{9})$/

/** Without a scheme it is `http`, as other programs take it. */
export const proxyUrl = z
  .string()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .refine(isProxyUrl, {
    error: 'expected a URL such as http://host:port, https://host:port or socks5://user:password@host:port',
  })
  .optional()

function isProxyUrl(text: string): boolean {
  const url = URL.parse(text.replace(/^socks5:/i, 'http:'))
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    url.pathname + url.search + url.hash === '/'
  )
}

export const pemFile = z.string().min(1).optional()

/** Where files of received messages are stored. */
export type FilesLocation = { kind: 'disk' } | { kind: 'postgres' } | ObjectLocation

export interface ObjectLocation {
  kind: 's3'
  endpoint: string
  region: string
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
}

export const EXPECTED_FILES_URL =
  'expected disk, postgres, or s3://bucket/prefix?endpoint=https://host:port&region=…, without credentials'
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/
const PREFIX = /^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/?$/
const REGION = /^[a-z0-9-]{1,40}$/

/** Undefined: not valid. */
export function parseFilesUrl(text: string): FilesLocation | undefined {
  if (text === 'disk' || text === 'postgres') return { kind: text }
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return undefined
  const { endpoint: given, region = 'us-east-1', ...unknown } = Object.fromEntries(url.searchParams)
  if (Object.keys(unknown).length > 0 || !REGION.test(region)) return undefined
  if (given === undefined && !url.searchParams.has('region')) return undefined
  const endpoint = originOf(given ?? `https://s3.${region}.amazonaws.com`)
  if (endpoint === undefined || !BUCKET.test(url.hostname) || !PREFIX.test(url.pathname)) return undefined
  const path = url.pathname.replaceAll(/^\/|\/$/g, '')
  return { kind: 's3', endpoint, region, bucket: url.hostname, prefix: path === '' ? '' : `${path}/` }
}

/** Undefined: not an http or https URL, or one with more than host and port. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return url && isWeb && url.href === `${url.origin}/` ? url.origin : undefined
}

/** Without a slash at the end, because a path is appended. Undefined: not valid. */
export function collectorOf(text: string): string | undefined {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isWeb || url.username || url.password || url.search || url.hash) return undefined
  return url.href.replace(/\/+$/, '')
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_VALUE = /^[\x20-\x7e]{1,4096}$/

/** `name=value` pairs, separated by commas, with percent-encoded values. Undefined: not valid. */
export function headersOf(text: string): Record<string, string> | undefined {
  try {
    const pairs = text.split(',').map((pair) => {
      const [name = '', ...value] = pair.trim().split('=')
      return [name.trim().toLowerCase(), decodeURIComponent(value.join('=').trim())] as const
    })
    const isValid = pairs.every(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value))
    return isValid ? Object.fromEntries(pairs) : undefined
  } catch {
    return undefined
  }
}

/** A setting whose value a function converts; undefined: not valid. */
export const converted = <T>(convert: (text: string) => T | undefined, message: string) =>
  z
    .string()
    .transform((text, context) => {
      const value = convert(text)
      if (value === undefined) context.addIssue({ code: 'custom', message })
      return value ?? z.NEVER
    })
    .optional()
