// IP addresses and blocks as numbers, so that every spelling of an address has the same value.
import { isIP } from 'node:net'

export interface IpAddress {
  family: 4 | 6
  value: bigint
}

export interface IpBlock extends IpAddress {
  prefix: number
}

const WIDTH = { 4: 32, 6: 128 } as const

/** Accepts what `node:net` accepts, with or without an IPv6 zone. */
export function parseAddress(text: string): IpAddress | undefined {
  const [bare = ''] = text.split('%', 1)
  const family = isIP(bare)
  if (family === 4) return { family, value: parseIpv4(bare) }
  if (family === 6) return { family, value: parseIpv6(bare) }
  return undefined
}

/** An address without a prefix is a block of one address. */
export function parseBlock(text: string): IpBlock | undefined {
  const [addressText = '', prefixText, ...rest] = text.split('/')
  const address = parseAddress(addressText)
  if (!address || rest.length > 0 || addressText.includes('%')) return undefined
  const width = WIDTH[address.family]
  if (prefixText === undefined) return { ...address, prefix: width }
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN
  return prefix <= width ? { ...address, prefix } : undefined
}

export function contains(block: IpBlock, address: IpAddress): boolean {
  if (block.family !== address.family) return false
  const hostBits = BigInt(WIDTH[block.family] - block.prefix)
  return block.value >> hostBits === address.value >> hostBits
}

/** The last 32 bits of an IPv6 address as an IPv4 address. */
export const lastIpv4 = (address: IpAddress): IpAddress => ({
  family: 4,
  value: address.value & 0xffff_ffffn,
})

const parseIpv4 = (text: string): bigint =>
  text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)

function parseIpv6(text: string): bigint {
  const [left = '', right] = text.split('::')
  const leftGroups = groupsOf(left)
  const rightGroups = right === undefined ? [] : groupsOf(right)
  const zeros = Array.from({ length: 8 - leftGroups.length - rightGroups.length }, () => 0n)
  return [...leftGroups, ...zeros, ...rightGroups].reduce((value, group) => (value << 16n) | group, 0n)
}

function groupsOf(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [BigInt(`0x${part}`)]
    const ipv4 = parseIpv4(part)
    return [ipv4 >> 16n, ipv4 & 0xffffn]
  })
}
