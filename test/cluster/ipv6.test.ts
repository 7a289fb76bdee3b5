// Nodes that reach each other at IPv6 addresses.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { skipWithoutIpv6 } from '../support/ipv6.ts'
import { api, linkedInstance, newNumber, world } from '../support/linked.ts'
import { type LiveNode, type NodeGroup, startGroup } from './support/nodes.ts'

for (const engine of engines.filter(({ name }) => name === 'postgres'))
  describe('nodes at IPv6 addresses', { skip: skipWithoutIpv6 }, () => {
    let group: NodeGroup
    let nodes: LiveNode[]
    before(async () => {
      group = await startGroup(engine)
      const start = async () =>
        group.startNode(undefined, { HOST: '::1', NODE_URL: `http://[::1]:${await freePort()}` })
      nodes = [await start(), await start()]
    })
    after(() => group.stop())

    test('a call that needs the session is answered by every node, whichever of them serves the instance', async () => {
      const [first] = nodes as [LiveNode]
      const [owner, other] = [newNumber(), newNumber()]
      const name = await linkedInstance(first, owner)
      await world(first, 'POST /phones', { number: other })
      for (const node of nodes) {
        assert.equal(new URL(node.url).hostname, '[::1]')
        const { data } = await api(node, `GET /check-number?instanceName=${name}&number=${other}`)
        assert.equal(data.exists, true)
      }
    })
  })
