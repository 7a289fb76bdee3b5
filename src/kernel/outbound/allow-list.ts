// The setting `ALLOW_TARGETS`: private addresses, blocks and host names that requests may reach anyway.
import { type IpBlock, parseBlock } from './ip-address.ts'

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
