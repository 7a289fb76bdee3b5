// Decides whether a request made for a tenant may reach an IP address: public addresses only, plus the operator's allow list.
import { contains, type IpAddress, type IpBlock, lastIpv4, parseBlock } from './ip-address.ts'
import {
  GLOBAL_UNICAST_IPV6,
  OUTSIDE_GLOBAL_UNICAST,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
  type SpecialBlock,
  TRANSLATED_IPV4,
} from './special-blocks.ts'

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
