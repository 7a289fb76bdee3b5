// A pool of connections to an endpoint that the operator has configured, such as an object store or a collector. It connects to
// nothing else. The guard of webhooks and media does not apply: the operator's own endpoint may have a private address.
import { Pool } from 'undici'
import { realTimers } from '../async/timers.ts'
import { createAddressGuard, parseAllowTargets } from './address-guard.ts'
import { createConnector } from './connector.ts'
import type { EnvironmentProxies } from './environment-proxies.ts'
import { createOwnListeners } from './own-listeners.ts'
import { createProxyRoutes } from './proxy-routes.ts'
import { resolveWithSystem } from './resolver.ts'
import { withoutBrackets } from './target.ts'

export interface OperatorPoolOptions {
  /** `https://host:port`, without a path. */
  endpoint: string
  /** PEM certificates of additional certificate authorities. */
  extraCa: readonly string[]
  /** The proxies of the server; undefined: there are none. */
  proxies?: EnvironmentProxies | undefined
  connections: number
  connectMs: number
  /** How many bytes of an answer are read, with its headers and the frames of its chunks. */
  answerBytes: number
  /** Pause in an answer. */
  answerMs: number
}

export function openOperatorPool(options: OperatorPoolOptions): Pool {
  const { endpoint, extraCa, proxies, connections, connectMs, answerBytes, answerMs } = options
  const allow = parseAllowTargets([withoutBrackets(new URL(endpoint).hostname)])
  const connect = createConnector({
    guard: createAddressGuard(allow.blocks),
    allow,
    own: createOwnListeners(),
    resolve: resolveWithSystem,
    resolveAllowed: resolveWithSystem,
    extraCa,
    connectMs,
    answerBytes,
    timers: realTimers,
    proxies: createProxyRoutes(proxies, extraCa),
  })
  return new Pool(endpoint, {
    allowH2: false,
    pipelining: 1,
    connections,
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    connect,
  })
}
