// Which addresses a request for a tenant may reach: public ones, plus the allow list of the operator.
import { contains, type IpAddress, type IpBlock, lastIpv4, parseBlock } from './ip-address.ts'

// Decides whether a request made for a tenant may reach an IP address: public addresses only, plus the operator's allow list.

/** Why an address is refused. For logs and tests only: callers learn just that the address is not public. */
export interface Forbidden {
  reason: string
  registry: string
}

export type AddressGuard = (address: IpAddress) => Forbidden | undefined

/** Addresses in `allowed`, the operator's allow list, always pass. */
export function createAddressGuard(allowed: readonly IpBlock[]): AddressGuard {
  const ipv4 = SPECIAL_IPV4.map(toEntry)
  const ipv6 = SPECIAL_IPV6.map(toEntry)
  const outside = OUTSIDE_GLOBAL_UNICAST.map(toEntry)
  const translated = TRANSLATED_IPV4.map(toBlock)
  const globalUnicast = toBlock(GLOBAL_UNICAST_IPV6)

  const isAllowed = (address: IpAddress) => allowed.some((block) => contains(block, address))
  const special = (address: IpAddress): Forbidden | undefined => {
    const entries = address.family === 4 ? ipv4 : contains(globalUnicast, address) ? ipv6 : outside
    return entries.find((entry) => contains(entry.block, address))?.forbidden
  }

  return (address) => {
    if (isAllowed(address)) return undefined
    if (translated.some((block) => contains(block, address))) {
      const host = lastIpv4(address)
      return isAllowed(host) ? undefined : special(host)
    }
    return special(address) ?? (isIsatap(address) ? special(lastIpv4(address)) : undefined)
  }
}

/** ISATAP embeds an IPv4 address after any prefix: `…:0:5efe:a.b.c.d`, with or without the global bit (RFC 5214). */
const isIsatap = ({ family, value }: IpAddress): boolean =>
  family === 6 && ((value >> 32n) & 0xfdff_ffffn) === 0x5efen

const toEntry = ([cidr, reason, registry]: SpecialBlock) => ({
  block: toBlock(cidr),
  forbidden: { reason, registry },
})

function toBlock(cidr: string): IpBlock {
  const block = parseBlock(cidr)
  if (!block) throw new Error(`special-blocks.ts: ${cidr} is not a valid block`)
  return block
}

// The setting `ALLOW_TARGETS`: private addresses, blocks and host names that requests may reach anyway.

export interface AllowList {
  blocks: readonly IpBlock[]
  /** Host names as the URL parser writes them, without a trailing dot. */
  hosts: ReadonlySet<string>
}

/** Each entry is an address, a block or a host name. A host name allows every address it resolves to. */
export function parseAllowTargets(entries: readonly string[]): AllowList {
  const blocks: IpBlock[] = []
  const hosts = new Set<string>()
  for (const entry of entries) {
    const block = parseBlock(entry) ?? parseBlock(hostOf(entry))
    if (block) blocks.push(block)
    else hosts.add(hostOf(entry))
  }
  return { blocks, hosts }
}

/** Normalized by the URL parser, because targets are compared in that form. */
function hostOf(entry: string): string {
  const url = /[/?#@:\\]/.test(entry) ? null : URL.parse(`http://${entry}/`)
  if (!url)
    throw new Error(`${JSON.stringify(entry)} is neither an address, a block of addresses nor a host name`)
  return withoutTrailingDot(url.hostname)
}

export const withoutTrailingDot = (hostname: string): string => hostname.replace(/\.$/, '')

// Address blocks without public hosts, each with its purpose and the registry that lists it.

const IPV4_SPECIAL = 'IANA IPv4 Special-Purpose Address Registry'
const IPV6_SPECIAL = 'IANA IPv6 Special-Purpose Address Registry'
const IPV4_MULTICAST = 'IANA IPv4 Multicast Address Space Registry'
const IPV6_SPACE = 'IANA IPv6 Address Space'
const PLATFORM = 'cloud platform documentation'

type SpecialBlock = readonly [cidr: string, reason: string, registry: string]

/**
 * Some entries of the registries are globally reachable (anycast of AS112, AMT, TURN, PCP). They serve network
 * infrastructure, never receivers or media, so the whole registries are blocked.
 */
const SPECIAL_IPV4: readonly SpecialBlock[] = [
  ['0.0.0.0/8', 'this network', IPV4_SPECIAL],
  ['10.0.0.0/8', 'private use', IPV4_SPECIAL],
  ['100.64.0.0/10', 'shared address space', IPV4_SPECIAL],
  ['127.0.0.0/8', 'loopback', IPV4_SPECIAL],
  ['169.254.0.0/16', 'link local', IPV4_SPECIAL],
  ['172.16.0.0/12', 'private use', IPV4_SPECIAL],
  ['192.0.0.0/24', 'IETF protocol assignments', IPV4_SPECIAL],
  ['192.0.2.0/24', 'documentation', IPV4_SPECIAL],
  ['192.31.196.0/24', 'AS112', IPV4_SPECIAL],
  ['192.52.193.0/24', 'automatic multicast tunneling', IPV4_SPECIAL],
  ['192.88.99.0/24', '6to4 relay anycast', IPV4_SPECIAL],
  ['192.168.0.0/16', 'private use', IPV4_SPECIAL],
  ['192.175.48.0/24', 'AS112', IPV4_SPECIAL],
  ['198.18.0.0/15', 'benchmarking', IPV4_SPECIAL],
  ['198.51.100.0/24', 'documentation', IPV4_SPECIAL],
  ['203.0.113.0/24', 'documentation', IPV4_SPECIAL],
  ['240.0.0.0/4', 'reserved, limited broadcast', IPV4_SPECIAL],
  ['224.0.0.0/4', 'multicast', IPV4_MULTICAST],
  // A public address that reaches the host machine from inside the virtual machines of one provider.
  ['168.63.129.16/32', 'virtual machine host', PLATFORM],
]

/**
 * IPv6 forms whose last 32 bits are the IPv4 host that answers. That IPv4 address is checked instead. Networks without
 * IPv4 reach every public IPv4 host through the second form (RFC 6052).
 */
export const TRANSLATED_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'] as const

/**
 * Blocks inside 2000::/3; the rest of IPv6 is always refused. 6to4 and Teredo also carry IPv4 addresses, but need relays
 * that are no longer operated, so they are refused for any address.
 */
const SPECIAL_IPV6: readonly SpecialBlock[] = [
  ['2001::/23', 'IETF protocol assignments: Teredo, benchmarking, AMT, ORCHID, drone ids', IPV6_SPECIAL],
  ['2001:db8::/32', 'documentation', IPV6_SPECIAL],
  ['2002::/16', '6to4', IPV6_SPECIAL],
  ['2620:4f:8000::/48', 'AS112', IPV6_SPECIAL],
  ['3fff::/20', 'documentation', IPV6_SPECIAL],
]

const GLOBAL_UNICAST_IPV6 = '2000::/3'

/** Listed only to give a refusal its reason: every address outside 2000::/3 is refused. */
const OUTSIDE_GLOBAL_UNICAST: readonly SpecialBlock[] = [
  ['::/128', 'unspecified', IPV6_SPECIAL],
  ['::1/128', 'loopback', IPV6_SPECIAL],
  ['::/96', 'IPv4-compatible', IPV6_SPECIAL],
  ['::ffff:0:0:0/96', 'IPv4-translated', IPV6_SPACE],
  ['64:ff9b:1::/48', 'local-use translation', IPV6_SPECIAL],
  ['100::/64', 'discard only', IPV6_SPECIAL],
  ['100:0:0:1::/64', 'dummy prefix', IPV6_SPECIAL],
  ['5f00::/16', 'segment routing', IPV6_SPECIAL],
  ['fc00::/7', 'unique local', IPV6_SPECIAL],
  ['fe80::/10', 'link local', IPV6_SPECIAL],
  ['fec0::/10', 'site local', IPV6_SPACE],
  ['ff00::/8', 'multicast', IPV6_SPACE],
  ['::/0', 'not global unicast', IPV6_SPACE],
]
