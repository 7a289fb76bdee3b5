// The addresses this gateway and its sandbox listen on. They are never a target, even if the allow list contains them.
import { networkInterfaces } from 'node:os'
import { TRANSLATED_IPV4, withoutTrailingDot } from './address-guard.ts'
import { contains, type IpAddress, lastIpv4, parseAddress, parseBlock } from './ip-address.ts'

export interface OwnListeners {
  /** `host` is an address in any spelling, or a name. */
  add(host: string, port: number): void
  /** Checks the text only: a name may still resolve to an address of the gateway. */
  includesHost(host: string, port: number): boolean
  /** Whether a connection to this address and port reaches the gateway. */
  includesAddress(address: IpAddress, port: number): boolean
}

interface Listeners {
  names: Set<string>
  addresses: IpAddress[]
}

const LOOPBACKS = ['127.0.0.1', '::1']

/** `machineAddresses` is called for every check, because interfaces can change while the process runs. */
export function createOwnListeners(machineAddresses = addressesOfInterfaces): OwnListeners {
  const byPort = new Map<number, Listeners>()
  const translated = blocksOf(TRANSLATED_IPV4)
  const loopback = blocksOf(['127.0.0.0/8', '::1/128'])

  const unwrapped = (address: IpAddress): IpAddress =>
    translated.some((block) => contains(block, address)) ? lastIpv4(address) : address
  const isOfMachine = (address: IpAddress): boolean =>
    loopback.some((block) => contains(block, address)) ||
    machineAddresses().some((text) => isSame(parseAddress(text), address))

  const own: OwnListeners = {
    add(host, port) {
      const listeners = byPort.get(port) ?? { names: new Set(), addresses: [] }
      byPort.set(port, listeners)
      const name = plainName(host)
      const addresses = addressesOf(name)
      if (addresses.length === 0) listeners.names.add(name)
      else listeners.addresses.push(...addresses.map(unwrapped))
    },
    includesHost(host, port) {
      const listeners = byPort.get(port)
      if (!listeners) return false
      const name = plainName(host)
      return (
        listeners.names.has(name) || addressesOf(name).some((address) => own.includesAddress(address, port))
      )
    },
    includesAddress(address, port) {
      const listeners = byPort.get(port)?.addresses ?? []
      const reached = unwrapped(address)
      // The operating system connects to the loopback address instead of the unspecified one.
      if (isUnspecified(reached)) return listeners.length > 0
      return listeners.some((bound) => (isUnspecified(bound) ? isOfMachine(reached) : isSame(bound, reached)))
    },
  }
  return own
}

/** The literal address, or the loopback addresses for `localhost`; empty for any other name. */
function addressesOf(name: string): IpAddress[] {
  const texts = name === 'localhost' || name.endsWith('.localhost') ? LOOPBACKS : [name]
  return texts.flatMap((text) => parseAddress(text) ?? [])
}

const plainName = (host: string): string => withoutTrailingDot(host.replace(/^\[(.*)\]$/, '$1')).toLowerCase()

const isUnspecified = ({ value }: IpAddress): boolean => value === 0n

const isSame = (one: IpAddress | undefined, other: IpAddress): boolean =>
  one?.family === other.family && one.value === other.value

const blocksOf = (texts: readonly string[]) => texts.flatMap((text) => parseBlock(text) ?? [])

const addressesOfInterfaces = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? [])
