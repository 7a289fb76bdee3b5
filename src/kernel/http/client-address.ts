// The client address of a request: that of the connection, or the one that a trusted proxy reports (decision 0083).
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    clientAddress: string
  }
}

export type ClientAddress = (socketAddress: string, forwardedFor: string) => string

/** Computed on first use: most requests do not need it. */
export function addClientAddress(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const clientAddress = createClientAddress(trustedProxies)
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      // Node joins repeated headers with commas, in their order.
      const forwardedFor = String(this.headers['x-forwarded-for'] ?? '')
      return clientAddress(this.raw.socket.remoteAddress ?? '', forwardedFor)
    },
  })
}

/**
 * Each proxy appends the address of its own client, so the list is read from the end: the first address that is not a trusted
 * proxy is the client. The client itself may have written everything before it, so that part is ignored.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const blocks = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (prefix === undefined) blocks.addAddress(address, family)
    else blocks.addSubnet(address, Number(prefix), family)
  }
  const isTrusted = (address: string): boolean =>
    isIPv4(address)
      ? blocks.check(address, 'ipv4') || blocks.check(`::ffff:${address}`, 'ipv6')
      : blocks.check(address, 'ipv6')

  return (socketAddress, forwardedFor) => {
    const connected = plainAddress(socketAddress) ?? socketAddress
    if (trustedProxies.length === 0 || forwardedFor === '' || !isTrusted(connected)) return connected
    let client = connected
    for (const entry of forwardedFor.split(',').toReversed()) {
      const address = plainAddress(entry.trim())
      if (address === undefined) return connected
      client = address
      if (!isTrusted(address)) return client
    }
    return client
  }
}

/** The address in its canonical form, without brackets, port and zone; undefined for text that is not an address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  const [address = ''] = bare.split('%', 1)
  const family = isIP(address)
  if (family === 0) return undefined
  if (family === 4) return address
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:([\d.]+)$/.exec(canonical)?.[1] ?? canonical
}
