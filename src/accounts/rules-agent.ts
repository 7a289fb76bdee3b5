// The rules for programs that sign in as OAuth 2.1 describes it: what the document of a program has to say, where a code may go, and whether
// the verifier belongs to the challenge. Every text here comes from a stranger.
import { createHash } from 'node:crypto'

/** What the document of a program says about it. */
export interface AgentClient {
  name: string
  redirectUris: readonly string[]
}

const MAX_NAME = 100
const MAX_REDIRECTS = 50
const MAX_REDIRECT_LENGTH = 1000
/** Bidirectional and invisible characters would let a name look like another one. */
const INVISIBLE = /\p{C}|\p{Zl}|\p{Zp}/gu

/** Why this URL cannot name a program; undefined: it can. Its address is checked by the guard of outgoing requests. */
export function clientIdFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || url.href !== text) return 'expected the https URL of a client metadata document'
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    return 'expected a URL without credentials and fragment'
  return url.pathname === '/' ? 'expected a URL with a path' : undefined
}

/** The document of this client id, or the sentence that refuses it. */
export function readAgentClient(clientId: string, text: string): AgentClient | string {
  const document = parsed(text)
  if (document === undefined) return 'the client metadata document is not a JSON object'
  if (document['client_id'] !== clientId) return 'the client metadata document names another client_id'
  const method = document['token_endpoint_auth_method']
  if (method !== undefined && method !== 'none')
    return 'the client metadata document requires a client authentication that is not offered'
  const redirectUris = document['redirect_uris']
  if (!isListOfUris(redirectUris)) return 'the client metadata document has no valid redirect_uris'
  return { name: shownName(document['client_name'], new URL(clientId).host), redirectUris }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

const isListOfUris = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MAX_REDIRECTS &&
  value.every((uri) => typeof uri === 'string' && uri.length <= MAX_REDIRECT_LENGTH)

function shownName(value: unknown, fallback: string): string {
  const name = typeof value === 'string' ? value.replaceAll(INVISIBLE, '').trim().slice(0, MAX_NAME) : ''
  return name === '' ? fallback : name
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** A program on the computer of the person: its port is chosen when it starts. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK.has(hostname)

/** Where the code may go: exactly one of the registered URIs. Only the port of a loopback address may differ (OAuth 2.1, 4.1.1). */
export function redirectOf({ redirectUris }: AgentClient, requested: string): URL | undefined {
  const url = URL.parse(requested)
  if (!url || url.hash !== '' || requested.includes('#') || url.username !== '' || url.password !== '')
    return undefined
  if (url.protocol !== 'https:' && !isLoopback(url)) return undefined
  if (redirectUris.includes(requested)) return url
  return isLoopback(url) && redirectUris.some((known) => isSameBesidesPort(known, url)) ? url : undefined
}

function isSameBesidesPort(known: string, requested: URL): boolean {
  const url = URL.parse(known)
  if (!url || !isLoopback(url) || url.hash !== '' || url.username !== '' || url.password !== '') return false
  url.port = requested.port
  return url.href === requested.href
}

const VERIFIER = /^[\w.~-]{43,128}$/

/** PKCE with S256, the only method. */
export const isVerifierOf = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge
