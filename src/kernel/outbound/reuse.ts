// How long a media host's answer may be reused for other messages, according to its headers (decision 0082).

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

const REFUSED = ['no-store', 'no-cache', 'private']
const SECONDS = /^\d{1,10}$/

/**
 * 0: the answer must not be reused. Infinity: the host sets no limit. `Set-Cookie` is ignored: the client sends neither
 * cookies nor credentials, so all requests for a URL are the same.
 */
export function reusableMs(headers: ResponseHeaders, nowMs: number): number {
  if (itemsOf(headers.vary).includes('*')) return 0
  const directives = new Map(itemsOf(headers['cache-control']).map(toDirective))
  if (REFUSED.some((name) => directives.has(name))) return 0
  const lifetime = directives.get('s-maxage') ?? directives.get('max-age')
  if (lifetime !== undefined) return remainingMs(lifetime, textOf(headers.age))
  const expires = textOf(headers.expires)
  if (expires !== undefined) return untilMs(expires, textOf(headers.date), nowMs)
  const legacy = headers['cache-control'] === undefined && itemsOf(headers.pragma).includes('no-cache')
  return legacy ? 0 : Infinity
}

/** An invalid lifetime counts as expired. */
function remainingMs(lifetime: string, age = '0'): number {
  if (!SECONDS.test(lifetime)) return 0
  const passed = SECONDS.test(age) ? Number(age) : 0
  return Math.max(0, Number(lifetime) - passed) * 1000
}

/** Measured by the host's clock if it sends a `Date` header. */
function untilMs(expires: string, date: string | undefined, nowMs: number): number {
  const end = Date.parse(expires)
  const start = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(end) ? 0 : Math.max(0, end - (Number.isNaN(start) ? nowMs : start))
}

const textOf = (value: string | string[] | undefined): string | undefined => [value].flat()[0]?.trim()

const itemsOf = (value: string | string[] | undefined): string[] =>
  [value ?? []].flat().flatMap((line) => line.split(',').map((item) => item.trim().toLowerCase()))

function toDirective(item: string): [name: string, argument: string] {
  const [name = '', argument = ''] = item.split('=', 2)
  return [name.trim(), argument.trim().replaceAll('"', '')]
}
