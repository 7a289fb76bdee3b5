// Whether the messaging network can be reached: its name resolves, and a trusted TLS connection stands.
import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import type { Settings } from '../../config.ts'
import { type Finding, messageOf, ok, wrong } from './finding.ts'

const HOST = 'web.whatsapp.com'
const PORT = 443
const LIMIT_MS = 5000

export async function checkNetwork({ NETWORK }: Settings): Promise<Finding[]> {
  if (NETWORK === 'sandbox') return [ok('network', 'sandbox: nothing outside this machine is needed')]
  return checkReach(HOST, PORT)
}

export async function checkReach(host: string, port: number, limitMs = LIMIT_MS): Promise<Finding[]> {
  try {
    await inTime(lookup(host), limitMs)
  } catch (error) {
    return [
      wrong(
        'network',
        `the name ${host} does not resolve: ${messageOf(error)}`,
        'see that DNS works on this machine',
      ),
    ]
  }
  try {
    await shakeHands(host, port, limitMs)
    return [ok('network', `${host} answers over TLS`)]
  } catch (error) {
    return [
      wrong(
        'network',
        `no TLS connection to ${host}: ${messageOf(error)}`,
        `see that the firewall lets this machine reach ${host} on port ${port}, and that nothing in between replaces its certificate`,
      ),
    ]
  }
}

async function shakeHands(host: string, port: number, limitMs: number): Promise<void> {
  const socket = connect({ host, port, servername: host })
  try {
    await inTime(
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

function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${limitMs} ms`)), limitMs)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
