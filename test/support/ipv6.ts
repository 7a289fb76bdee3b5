// Whether this machine has IPv6. Tests that need it are skipped with a visible line otherwise.
import { networkInterfaces } from 'node:os'

const addresses = Object.values(networkInterfaces()).flatMap(
  (each) => each?.map(({ address }) => address) ?? [],
)

export const skipWithoutIpv6: string | false = addresses.includes('::1') ? false : 'this machine has no ::1'
