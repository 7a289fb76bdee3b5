// Opens tunnels through the proxies of the server. They may have private addresses, because the operator has chosen them.
import { realTimers } from '../async/timers.ts'
import { createAddressGuard, parseAllowTargets } from './address-guard.ts'
import { createConnector } from './connector.ts'
import { createProxyChoice, type EnvironmentProxies, type ProxyRoutes } from './environment-proxies.ts'
import { createOwnListeners } from './own-listeners.ts'
import { resolveWithSystem } from './resolver.ts'
import { withoutBrackets } from './target.ts'
import { createTunnels, TUNNEL_ANSWER_BYTES } from './tunnel.ts'

const CONNECT_MS = 5000

/** Undefined: no proxy is set. */
export function createProxyRoutes(
  proxies: EnvironmentProxies | undefined,
  extraCa: readonly string[],
): ProxyRoutes | undefined {
  const all = [proxies?.http, proxies?.https].flatMap((proxy) => proxy ?? [])
  if (!proxies || all.length === 0) return undefined
  const allow = parseAllowTargets(all.map(({ hostname }) => withoutBrackets(hostname)))
  const connect = createConnector({
    guard: createAddressGuard(allow.blocks),
    allow,
    own: createOwnListeners(),
    resolve: resolveWithSystem,
    resolveAllowed: resolveWithSystem,
    extraCa,
    connectMs: CONNECT_MS,
    answerBytes: TUNNEL_ANSWER_BYTES,
    timers: realTimers,
  })
  return { choose: createProxyChoice(proxies), openTunnel: createTunnels(connect) }
}
