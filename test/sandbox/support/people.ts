// The people of the tests of groups: four phones, and clients that are linked to some of them.
import { Client } from './client.ts'
import { World } from './world.ts'

export const ALICE = '5511900000001'
export const BOB = '5511900000002'
export const CAROL = '5511900000003'
export const DAVE = '5511900000004'
const NAMES = [
  [ALICE, 'Alice'],
  [BOB, 'Bob'],
  [CAROL, 'Carol'],
  [DAVE, 'Dave'],
] as const

export const jid = (number: string): string => `${number}@s.whatsapp.net`

export interface People<Linked extends readonly string[]> {
  world: World
  /** One per linked number, in that order. */
  clients: { [K in keyof Linked]: Client }
  stop(): Promise<void>
}

export async function startPeople<const Linked extends readonly string[]>(
  addressing: 'pn' | 'lid',
  linked: Linked,
): Promise<People<Linked>> {
  const world = await World.start()
  await world.post('/network', { addressing })
  for (const [number, name] of NAMES) await world.phone(number, name)
  const clients = await Promise.all(linked.map((number) => new Client(world).pair(number)))
  return {
    world,
    clients: clients as { [K in keyof Linked]: Client },
    async stop() {
      for (const client of clients) await client.end()
      await world.stop()
    },
  }
}
