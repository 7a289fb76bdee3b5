// Messages sent per second with 1, 2 and 3 nodes on one PostgreSQL: requests go to all nodes in turn, and each message is counted
// when it is on the phone. All processes share the machine, so that a ratio above 1 needs more cores than one node uses.
// Run: node bench/node-sends.ts [--messages 600] [--instances 12] [--nodes 1,2,3]
import { parseArgs } from 'node:util'
import { type LiveNode, startGroup } from '../test/cluster/support/nodes.ts'
import { eachOf } from '../test/support/each-of.ts'
import { engines } from '../test/support/engines.ts'
import { api, linkedInstance, newNumber, world } from '../test/support/linked.ts'
import { report } from './report.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '600' },
    instances: { type: 'string', default: '12' },
    nodes: { type: 'string', default: '1,2,3' },
  },
})
const MESSAGES = Number(values.messages)
/** Requests at the same time. */
const REQUESTS = 24
const engine = engines.find(({ name }) => name === 'postgres')
if (!engine) throw new Error('there is no PostgreSQL server here')

async function messagesPerSecond(count: number): Promise<number> {
  const group = await startGroup(engine as NonNullable<typeof engine>)
  try {
    const nodes: LiveNode[] = []
    for (let started = 0; started < count; started += 1) nodes.push(await group.startNode())
    const at = (index: number) => nodes[index % count] as LiveNode
    const friend = newNumber()
    await world(at(0), 'POST /phones', { number: friend })
    const names: string[] = []
    for (let index = 0; index < Number(values.instances); index += 1)
      names.push(await linkedInstance(at(index), newNumber()))
    const send = async (index: number): Promise<string> => {
      const instanceName = names[index % names.length]
      const body = { instanceName, number: friend, message: `message ${index}`, delay: 0 }
      return (await api(at(index), 'POST /send/text', body)).messageId as string
    }
    // The first message of a chat sets up its encryption.
    for (const index of names.keys()) await arrived(at(0), friend, await send(index))
    const startedAt = performance.now()
    const indexes = Array.from({ length: MESSAGES }, (_, index) => index)
    await eachOf(indexes, REQUESTS, async (index) => arrived(at(0), friend, await send(index)))
    return MESSAGES / ((performance.now() - startedAt) / 1000)
  } finally {
    await group.stop()
  }
}

async function arrived(node: LiveNode, phone: string, id: string): Promise<void> {
  await world(node, `GET /phones/${phone}/messages/${id}?waitMs=30000`)
}

// The sandbox in this process silences the console, because the network library writes to it.
const print = console.log
let alone: number | undefined
for (const count of values.nodes.split(',').map(Number)) {
  const value = await messagesPerSecond(count)
  alone ??= value
  console.log = print
  report({
    question: `sent over ${count} nodes on one machine: messages per second`,
    value,
    unit: '/s',
    ...(count === 1 ? {} : { beside: { name: 'one node', value: alone }, ratio: value / alone }),
  })
}
// The shared sandbox would keep the process alive.
process.exit()
