// Creates the client for requests to the outside, which refuses private addresses and this server's own.
import { join } from 'node:path'
import { type Settings, SettingsError } from '../config.ts'
import type { CheckUrl, ReadClientDocument, ReadReceiver } from '../context.ts'
import { PRODUCT } from '../contract/version.ts'
import type { Timers } from '../kernel/async/timers.ts'
import { createOutbound, type Outbound } from '../kernel/outbound/client.ts'
import type { EnvironmentProxies } from '../kernel/outbound/environment-proxies.ts'
import { readExtraCa } from '../kernel/outbound/extra-ca.ts'
import { type ProxyAddress, parseProxy, proxyHref } from '../kernel/outbound/proxy-address.ts'
import type { ResolveHost } from '../kernel/outbound/resolver.ts'
import { TargetRefused } from '../kernel/outbound/target.ts'

interface OutboundParts {
  resolver?: ResolveHost
  outboundTimers?: Timers
}

export async function openOutbound(
  settings: Settings,
  { resolver, outboundTimers: timers }: OutboundParts,
): Promise<Outbound> {
  const outbound = createOutbound({
    allowTargets: settings.ALLOW_TARGETS ?? [],
    extraCa: await readCertificates(settings.EXTRA_CA_FILE),
    directory: join(settings.DATA_DIR, 'media'),
    proxies: proxiesIn(settings),
    ...(resolver ? { resolver } : {}),
    ...(timers ? { timers } : {}),
    ownUrls: settings.PUBLIC_URL === undefined ? [] : [settings.PUBLIC_URL],
  })
  // A fixed port is blocked before the first delivery; a port that the system chooses is blocked once the server listens.
  if (settings.PORT !== 0) outbound.own.add(settings.HOST, settings.PORT)
  return outbound
}

/** The proxies of the server. */
export const proxiesIn = ({
  HTTP_PROXY,
  HTTPS_PROXY,
  NO_PROXY,
}: Pick<Settings, 'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY'>): EnvironmentProxies => ({
  http: parseSetting('HTTP_PROXY', HTTP_PROXY),
  https: parseSetting('HTTPS_PROXY', HTTPS_PROXY),
  exempt: NO_PROXY ?? '',
})

function parseSetting(name: string, text: string | undefined): ProxyAddress | undefined {
  const proxy = text === undefined ? undefined : parseProxy(text)
  if (proxy instanceof TargetRefused) throw new SettingsError([`${name}: ${proxy.message}`])
  return proxy
}

/** The certificate authorities in `EXTRA_CA_FILE`. */
export async function readCertificates(file: string | undefined): ReturnType<typeof readExtraCa> {
  if (file === undefined) return []
  return readExtraCa(file).catch((error: Error) => {
    throw new SettingsError([`EXTRA_CA_FILE: ${error.message}`])
  })
}

/** The check of URLs for use cases, which do not know the client itself. */
export const createCheckUrl =
  (outbound: Pick<Outbound, 'check' | 'checkProxy' | 'brokers'>): CheckUrl =>
  (text, purpose) => {
    if (purpose === 'proxy') {
      const proxy = outbound.checkProxy(text)
      return proxy instanceof TargetRefused ? { refused: proxy.message } : { href: proxyHref(proxy) }
    }
    if (purpose !== 'webhook' && purpose !== 'media') {
      const broker = outbound.brokers.check(purpose, text)
      return broker instanceof TargetRefused ? { refused: broker.message } : { href: broker.href }
    }
    const target = outbound.check(text, purpose)
    return target instanceof TargetRefused ? { refused: target.message } : { href: target.url.href }
  }

/** An answer to a handshake is a number. */
const RECEIVER_ANSWER_BYTES = 4096
const RECEIVER_LIMIT_MS = 10_000

export const createReadReceiver =
  (outbound: Pick<Outbound, 'readPage'>): ReadReceiver =>
  (url) =>
    outbound.readPage({
      url,
      headers: { 'user-agent': PRODUCT, accept: '*/*' },
      maxBytes: RECEIVER_ANSWER_BYTES,
      limitMs: RECEIVER_LIMIT_MS,
      signal: new AbortController().signal,
      purpose: 'webhook',
    })

/** Documents have a few hundred bytes. */
const CLIENT_DOCUMENT_BYTES = 16 * 1024
const CLIENT_DOCUMENT_LIMIT_MS = 5000

export const createReadClientDocument =
  (outbound: Pick<Outbound, 'readPage'>): ReadClientDocument =>
  (url) =>
    outbound.readPage({
      url,
      headers: { 'user-agent': PRODUCT, accept: 'application/json' },
      maxBytes: CLIENT_DOCUMENT_BYTES,
      limitMs: CLIENT_DOCUMENT_LIMIT_MS,
      signal: new AbortController().signal,
      purpose: 'webhook',
    })
