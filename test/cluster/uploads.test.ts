// A file that is uploaded to one node is sent by any other: to the node that a message is handed to, it makes no difference where the
// file came in.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { api, ask, linkedInstance, newNumber, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { type LiveNode, type NodeGroup, startGroup } from './support/nodes.ts'

const engine = engines.find(({ name }) => name === 'postgres')

if (engine)
  describe('uploaded files on two nodes', () => {
    const [owner, friend] = [newNumber(), newNumber()]
    let group: NodeGroup
    let nodes: [LiveNode, LiveNode]
    let line = ''
    before(async () => {
      group = await startGroup(engine)
      nodes = [await group.startNode(), await group.startNode()]
      await world(nodes[0], 'POST /phones', { number: friend })
      line = await linkedInstance(nodes[0], owner)
    })
    after(async () => {
      await group?.stop()
    })

    const upload = async (node: LiveNode, bytes: Buffer, type: string): Promise<string> => {
      const answer = await fetch(`${node.url}/api/v1/media`, {
        method: 'POST',
        headers: { authorization: `Bearer ${node.key}`, 'content-type': type },
        body: new Uint8Array(bytes),
      })
      const { mediaId, sha256 } = (await answer.json()) as { mediaId: string; sha256: string }
      assert.deepEqual([answer.status, sha256], [200, createHash('sha256').update(bytes).digest('hex')])
      return mediaId
    }
    const bytesOn = async (node: LiveNode, messageId: string): Promise<Buffer> => {
      await world(node, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
      return (await ask(node, `GET /sandbox/v1/phones/${friend}/messages/${messageId}/media`)).bytes
    }

    test('a message through either node uses a file of the other one', async () => {
      const bytes = Buffer.concat([randomBytes(2_500_000), Buffer.from('the end')])
      for (const [from, through] of [nodes, nodes.toReversed() as typeof nodes]) {
        const mediaId = await upload(from, bytes, 'application/octet-stream')
        const body = { instanceName: line, number: friend, type: 'document', mediaId, delay: 0 }
        const { messageId } = await api(through, 'POST /send/media', body)
        assert.ok((await bytesOn(through, messageId)).equals(bytes))
      }
    })

    test('a status and a new group use a file of the other node', async () => {
      const image = png(40, 40)
      const mediaId = await upload(nodes[1], image, 'image/png')
      const post = { instanceName: line, type: 'image', mediaId, to: [friend] }
      const { messageId } = await api(nodes[0], 'POST /send/status', post)
      assert.ok((await bytesOn(nodes[1], messageId)).equals(image))
      const made = { instanceName: line, subject: 'Team', members: [friend], picture: { mediaId } }
      for (const node of nodes) assert.equal((await api(node, 'POST /groups', made)).picture, 'set')
    })

    test('the file of a message is sent after the node that received it has gone', async () => {
      const [first, second] = nodes
      const bytes = randomBytes(50_000)
      const mediaId = await upload(second, bytes, 'application/octet-stream')
      const sendAt = new Date(Date.now() + 5000).toISOString()
      const body = { instanceName: line, number: friend, type: 'document', mediaId, sendAt }
      const { messageId } = await api(second, 'POST /send/media', body)
      await second.stop('SIGKILL')
      assert.ok((await bytesOn(first, messageId)).equals(bytes))
    })
  })
