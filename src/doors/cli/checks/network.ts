// Checks that the messaging network is reachable: its name resolves, and a trusted TLS connection opens; or the
// proxy of the server reaches it.
import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import type { Settings } from '../../../config.ts'
import { withTimeout } from '../../../kernel/async/waiting.ts'
import { type Finding, messageOf, ok, wrong } from './finding.ts'

const HOST = 'web.whatsapp.com'
const PORT = 443
const TIMEOUT_MS = 5000

export async function checkNetwork(settings: Settings): Promise<Finding[]> {
  if (settings.NETWORK === 'sandbox')
    return [ok('network', 'sandbox: no connection outside this machine is needed')]
  const { checkServerProxy } = await import('../../../app/maintenance.ts')
  const failure = await checkServerProxy(settings, { host: HOST, port: PORT })
  if (failure === undefined) return checkReachable(HOST, PORT)
  return [
    failure === null
      ? ok('network', `the proxy in HTTPS_PROXY reaches ${HOST}`)
      : wrong(
          'network',
          `the proxy in HTTPS_PROXY cannot be used: ${failure}`,
          'check HTTPS_PROXY and the proxy',
        ),
  ]
}

export async function checkReachable(host: string, port: number, limitMs = TIMEOUT_MS): Promise<Finding[]> {
  try {
    await answerWithin(lookup(host), limitMs)
  } catch (error) {
    return [
      wrong(
        'network',
        `the name ${host} does not resolve: ${messageOf(error)}`,
        'check that DNS works on this machine',
      ),
    ]
  }
  try {
    await openTlsConnection(host, port, limitMs)
    return [ok('network', `${host} answers over TLS`)]
  } catch (error) {
    return [
      wrong(
        'network',
        `no TLS connection to ${host}: ${messageOf(error)}`,
        `check that the firewall allows ${host} on port ${port}, and that no proxy replaces its certificate`,
      ),
    ]
  }
}

async function openTlsConnection(host: string, port: number, limitMs: number): Promise<void> {
  const socket = connect({ host, port, servername: host })
  try {
    await answerWithin(
      new Promise((resolve, reject) => {
        socket.once('secureConnect', resolve)
        socket.once('error', reject)
        socket.once('close', () => reject(new Error('the connection was closed')))
      }),
      limitMs,
    )
  } finally {
    socket.destroy()
  }
}

const answerWithin = <T>(work: Promise<T>, limitMs: number): Promise<T> =>
  withTimeout(work, limitMs, () => new Error(`no answer within ${limitMs} ms`))
