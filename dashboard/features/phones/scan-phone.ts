// A simulated phone scans the code of an instance.
import { api } from '../../gateway/api.ts'

/** A random Brazilian number, so that accounts do not collide. */
const newNumber = (): string =>
  `55119${String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(8, '0')
    .slice(-8)}`

export async function makePhone(name: string): Promise<string> {
  const { phone } = await api.sandboxCreatePhone({ body: { number: newNumber(), name } })
  return phone.number
}

/** The first phone that no instance is linked with scans the code; if there is none, one with this name is created. */
export async function scanWithFreePhone(instanceName: string, newName: string): Promise<void> {
  const { phones } = await api.sandboxListPhones()
  const free = phones.find(({ devices }) => devices.length === 0)
  const number = free?.number ?? (await makePhone(newName))
  await api.sandboxScan({ params: { number }, body: { instanceName } })
}
