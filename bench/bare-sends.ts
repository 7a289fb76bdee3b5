// The bare library doing the same sends as the gateway, in a process of its own: sockets with their keys in memory, nothing else.
import { Client } from '../test/sandbox/support/client.ts'
import { World } from '../test/sandbox/support/world.ts'

export type BareOrder =
  | { open: { wsUrl: string; url: string; rootPublicKey: string; numbers: string[] } }
  | { send: { numbers: string[]; people: string[][]; perChat: number } }
export interface BareReport {
  durationMs: number
  cpuMs: number
}

const PAIRED_AT_ONCE = 5
/** A machine that is busy with the bench must not look like a dead connection. */
const KEEP_ALIVE_MS = 120_000
const clients = new Map<string, Client>()
const acked = new Map<string, () => void>()

async function open({ wsUrl, url, rootPublicKey, numbers }: Extract<BareOrder, { open: unknown }>['open']) {
  const world = new World({ wsUrl, url, rootPublicKey, stop: async () => undefined })
  const pair = async (number: string) => {
    const client = new Client(world, { markOnlineOnConnect: false, keepAliveIntervalMs: KEEP_ALIVE_MS })
    await client.pair(number)
    client.socket.ws.on('CB:ack,class:message', ({ attrs }: { attrs: { id: string } }) =>
      acked.get(attrs.id)?.(),
    )
    clients.set(number, client)
  }
  for (let from = 0; from < numbers.length; from += PAIRED_AT_ONCE) {
    await Promise.all(numbers.slice(from, from + PAIRED_AT_ONCE).map(pair))
  }
}

/** One chat after the other would wait for the network; each chat in order and all of an instance side by side, as the gateway does. */
async function sendAll({ numbers, people, perChat }: Extract<BareOrder, { send: unknown }>['send']) {
  const chats = numbers.flatMap((number, index) =>
    (people[index] ?? []).map((person) => ({ client: clients.get(number) as Client, person })),
  )
  await Promise.all(
    chats.map(async ({ client, person }) => {
      for (let count = 0; count < perChat; count += 1) {
        const messageId = `3EB0${crypto.randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`
        const answered = new Promise<void>((resolve) => acked.set(messageId, resolve))
        const text = `message ${count} of the bare library`
        await client.socket.sendMessage(`${person}@s.whatsapp.net`, { text }, { messageId })
        await answered
        acked.delete(messageId)
      }
    }),
  )
}

async function obey(order: BareOrder): Promise<BareReport> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  await ('open' in order ? open(order.open) : sendAll(order.send))
  const { user, system } = process.cpuUsage(before)
  return { durationMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 }
}

process.on('message', (order: BareOrder) => {
  void obey(order).then((report) => process.send?.(report))
})
