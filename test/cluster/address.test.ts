// The address of a node must lead to it and to no other process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { type LiveNode, type NodeGroup, startGroup } from './support/nodes.ts'

const engine = engines.find(({ name }) => name === 'postgres')

if (engine) {
  describe('NODE_URL', () => {
    let group: NodeGroup
    let live: LiveNode
    let livePort: number
    before(async () => {
      group = await startGroup(engine)
      livePort = await freePort()
      live = await group.startNode(undefined, { NODE_URL: `http://127.0.0.1:${livePort}` })
    })
    after(() => group.stop())

    /** Starts a node, and returns how it ends. */
    async function refused(NODE_URL: string): Promise<string> {
      const node = await group.start({ NODE_URL })
      assert.notEqual((await node.exited).code, 0, node.stdout())
      return node.stderr()
    }

    test('of the public port of another gateway is refused', async () => {
      assert.match(await refused(`http://127.0.0.1:${new URL(live.url).port}`), /NODE_URL/)
    })

    test('of another node is refused', async () => {
      assert.match(await refused(`http://127.0.0.2:${livePort}`), /NODE_URL/)
    })

    test('of a load balancer that leads to several nodes is refused', async () => {
      const port = await freePort()
      let count = 0
      // Every second connection leads to the other node.
      const balancer = createServer((socket) => {
        count += 1
        const target = connect(count % 2 === 0 ? livePort : port, '127.0.0.1')
        for (const each of [socket, target]) each.on('error', () => undefined)
        socket.pipe(target).pipe(socket)
      }).listen(port, '127.0.0.2')
      await once(balancer, 'listening')
      assert.equal((balancer.address() as AddressInfo).port, port)
      assert.match(await refused(`http://127.0.0.2:${port}`), /another node answers there/)
      balancer.close()
    })

    test('without what all nodes must share is refused, with the settings that are missing', async () => {
      const node = await group.start({
        NODE_URL: 'http://127.0.0.1:1',
        MASTER_KEY: '',
        SANDBOX_URL: '',
        SANDBOX_KEY: '',
      })
      assert.notEqual((await node.exited).code, 0)
      assert.match(node.stderr(), /MASTER_KEY: required with NODE_URL/)
      assert.match(node.stderr(), /SANDBOX_URL: required with NODE_URL/)
    })
  })
}
