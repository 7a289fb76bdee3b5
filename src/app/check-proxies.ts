// Opens a tunnel through the proxy of each instance, and through the proxy of the server, for the command line.
import type { Settings } from '../config.ts'
import { parseProxy } from '../kernel/outbound/proxy-address.ts'
import { TargetRefused } from '../kernel/outbound/target.ts'
import { ProxyError, type TunnelTarget } from '../kernel/outbound/tunnel.ts'
import type { StoredProxy } from '../store/stored-proxies.ts'
import { openOutbound } from './outbound.ts'

export interface CheckedProxy {
  instance: string
  /** Null: the tunnel opened. Contains no credentials. */
  failure: string | null
}

/** The failure of the server's proxy; null: the tunnel opened. Undefined: the server reaches the target without a proxy. */
export async function checkServerProxy(
  settings: Settings,
  target: TunnelTarget,
): Promise<string | null | undefined> {
  const outbound = await openOutbound(settings, {})
  try {
    const proxy = outbound.proxies?.choose({ ...target, isSecure: true })
    if (!outbound.proxies || !proxy) return undefined
    const socket = await outbound.proxies.openTunnel(proxy, target)
    socket.destroy()
    return null
  } catch (error) {
    if (error instanceof ProxyError) return error.message
    throw error
  } finally {
    await outbound.close()
  }
}

export async function checkProxies(
  settings: Settings,
  proxies: readonly StoredProxy[],
  target: TunnelTarget,
): Promise<CheckedProxy[]> {
  const outbound = await openOutbound(settings, {})
  const check = async ({ instance, proxy: text }: StoredProxy): Promise<CheckedProxy> => {
    const proxy = parseProxy(text)
    if (proxy instanceof TargetRefused) return { instance, failure: proxy.message }
    try {
      const socket = await outbound.openTunnel(proxy, target)
      socket.destroy()
      return { instance, failure: null }
    } catch (error) {
      if (error instanceof ProxyError) return { instance, failure: error.message }
      throw error
    }
  }
  try {
    return await Promise.all(proxies.map(check))
  } finally {
    await outbound.close()
  }
}
