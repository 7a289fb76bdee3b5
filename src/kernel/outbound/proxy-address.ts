// The address of a proxy, as callers give it: scheme, host, port, and credentials.
import { TargetRefused } from './target.ts'

export interface ProxyAddress {
  scheme: 'http' | 'https' | 'socks5'
  /** As the URL parser returns it. */
  hostname: string
  port: number
  username: string
  password: string
}

const DEFAULT_PORTS: Record<ProxyAddress['scheme'], number> = { http: 80, https: 443, socks5: 1080 }
const SCHEME = /^(https?|socks5):\/\//i
const EXPECTED =
  'expected a URL such as http://host:port, https://host:port or socks5://user:password@host:port'
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const BLANK_OR_CONTROL = /[\s\u0000-\u001f\u007f-\u009f]/
/** The longest user name and password of SOCKS5 (RFC 1929). */
const MAX_CREDENTIAL_BYTES = 255

/** The messages are for callers and contain no part of the text. */
export function parseProxy(text: string): ProxyAddress | TargetRefused {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase() as ProxyAddress['scheme'] | undefined
  if (!scheme || BLANK_OR_CONTROL.test(text)) return new TargetRefused(EXPECTED)
  // As http: the parser normalizes the host of its own schemes only, and 0x7f.1 would pass as a name.
  const url = URL.parse(text.replace(SCHEME, 'http://'))
  if (!url || url.hostname === '' || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return new TargetRefused(EXPECTED)
  const given = /:(\d+)\/?$/.exec(text)?.[1]
  const port = given === undefined ? DEFAULT_PORTS[scheme] : Number(given)
  if (port === 0) return new TargetRefused('expected a port other than 0')
  const credentials = [url.username, url.password].map(decoded)
  const [username, password] = credentials
  if (username === undefined || password === undefined) return new TargetRefused(EXPECTED)
  if (credentials.some((part) => Buffer.byteLength(part ?? '') > MAX_CREDENTIAL_BYTES))
    return new TargetRefused(`expected a user name and a password of at most ${MAX_CREDENTIAL_BYTES} bytes`)
  return { scheme, hostname: url.hostname, port, username, password }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** The whole address as a URL, with its credentials. */
export function proxyHref({ scheme, hostname, port, username, password }: ProxyAddress): string {
  const user = encodeURIComponent(username)
  const credentials = password === '' ? user : `${user}:${encodeURIComponent(password)}`
  return `${scheme}://${credentials === '' ? '' : `${credentials}@`}${hostname}:${port}`
}
