// What the operator lets through although it is private: `ALLOW_TARGETS` (decisions 1).
import { type IpBlock, parseBlock } from './ip-address.ts'

export interface AllowList {
  blocks: readonly IpBlock[]
  /** Host names, exactly as a parsed URL has them but without a trailing dot. */
  hosts: ReadonlySet<string>
}

/** Each entry is an address, a block or a host name; a name stands for whatever it resolves to. */
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

/** The name as the URL parser spells it, for that is the form in which targets come to be compared. */
function hostOf(entry: string): string {
  const url = /[/?#@:\\]/.test(entry) ? null : URL.parse(`http://${entry}/`)
  if (!url)
    throw new Error(`${JSON.stringify(entry)} is neither an address, a block of addresses nor a host name`)
  return withoutTrailingDot(url.hostname)
}

export const withoutTrailingDot = (hostname: string): string => hostname.replace(/\.$/, '')
