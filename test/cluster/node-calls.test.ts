// Calls from one node to another: a lost answer, nodes that cannot reach each other, and TLS.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { NODE_TLS_FILES } from '../support/certificates.ts'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { api, ask, linkedInstance, newNumber, world } from '../support/linked.ts'
import { type LiveNode, type NodeGroup, startGroup } from './support/nodes.ts'

const engine = engines.find(({ name }) => name === 'postgres')

if (engine) {
  describe('calls between nodes', () => {
    const [owner, friend] = [newNumber(), newNumber()]
    let group: NodeGroup
    /** Between the other nodes and the one that serves the instance. */
    let between: Between
    let other: LiveNode
    let line: string
    before(async () => {
      group = await startGroup(engine)
      const port = await freePort()
      between = await startBetween(port)
      const serving = await group.startNode(undefined, { NODE_URL: `http://127.0.0.2:${port}` })
      await world(serving, 'POST /phones', { number: friend })
      line = await linkedInstance(serving, owner)
      other = await group.startNode()
    })
    after(async () => {
      await group?.stop()
      between?.close()
    })

    const create = (subject: string) =>
      ask(other, 'POST /api/v1/groups', { instanceName: line, subject, members: [friend] })
    const groupsNamed = async (subject: string): Promise<string[]> =>
      (await api(other, `GET /groups?instanceName=${line}`)).groups
        .filter((one: { subject: string }) => one.subject === subject)
        .map((one: { groupJid: string }) => one.groupJid)

    test('POST /groups whose answer is lost between the nodes creates one group, and returns it', async () => {
      between.cutAnswersTo('createGroup', 1)
      const { status, json } = await create('Choir')
      assert.equal(status, 200, JSON.stringify(json))
      assert.equal(between.cuts(), 1)
      assert.deepEqual(await groupsNamed('Choir'), [json.group.groupJid])
    })

    test('POST /groups without any answer between the nodes: 504 outcome_unknown, and one group', async () => {
      between.cutAnswersTo('createGroup', Number.POSITIVE_INFINITY)
      const { status, json, headers } = await create('Orchestra')
      assert.deepEqual([status, json.reason, headers.get('retry-after')], [504, 'outcome_unknown', null])
      assert.ok(between.cuts() > 1)
      between.cutAnswersTo('createGroup', 0)
      assert.equal((await groupsNamed('Orchestra')).length, 1)
    })

    test('nodes that cannot reach each other: a message that another node accepted is sent', async () => {
      between.shut()
      const body = { instanceName: line, number: friend, message: 'across the cut', delay: 0 }
      const { messageId } = await api(other, 'POST /send/text', body)
      await world(other, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
    })
  })

  describe('calls between nodes with TLS', () => {
    let group: NodeGroup
    before(async () => {
      group = await startGroup(engine)
    })
    after(() => group?.stop())
    const secure = async () => ({ ...NODE_TLS_FILES, NODE_URL: `https://127.0.0.1:${await freePort()}` })

    test('every node answers calls that need the connection of another one', async () => {
      const nodes = [
        await group.startNode(undefined, await secure()),
        await group.startNode(undefined, await secure()),
      ]
      const line = await linkedInstance(nodes[0] as LiveNode, newNumber())
      for (const node of nodes) {
        const checked = await ask(node, `GET /api/v1/check-number?instanceName=${line}&number=${newNumber()}`)
        assert.equal(checked.status, 200, checked.bytes.toString())
      }
    })

    test('a node whose files do not fit together is refused with the setting', async () => {
      const settings = { ...(await secure()), NODE_KEY_FILE: NODE_TLS_FILES.NODE_CA_FILE }
      const node = await group.start(settings)
      assert.notEqual((await node.exited).code, 0)
      assert.match(node.stderr(), /NODE_KEY_FILE: expected the key/)
    })
  })
}

interface Between {
  /** Cuts the next answers to calls of this method. */
  cutAnswersTo(method: string, count: number): void
  /** How many answers were cut since then. */
  cuts(): number
  /** Refuses every connection from now on. */
  shut(): void
  close(): void
}

/** Passes the calls of other nodes on to 127.0.0.1. */
async function startBetween(port: number): Promise<Between> {
  const sockets = new Set<Socket>()
  let wanted = { method: '', left: 0, cuts: 0 }
  let isShut = false
  function pass(socket: Socket): void {
    const target = connect(port, '127.0.0.1')
    let isCut = false
    for (const each of [socket, target]) {
      sockets.add(each)
      each.on('error', () => undefined).on('close', () => sockets.delete(each))
    }
    socket.on('close', () => target.destroy())
    target.on('close', () => socket.destroy())
    if (isShut) return void socket.resetAndDestroy()
    socket.on('data', (request: Buffer) => {
      isCut = wanted.left > 0 && (isCut || request.includes(`"${wanted.method}"`))
      target.write(request)
    })
    target.on('data', (answer: Buffer) => {
      if (!isCut) return socket.write(answer)
      wanted.left -= 1
      wanted.cuts += 1
      return socket.resetAndDestroy()
    })
  }
  const server: Server = createServer(pass).listen(port, '127.0.0.2')
  await once(server, 'listening')
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    cutAnswersTo(method, count) {
      wanted = { method, left: count, cuts: 0 }
    },
    cuts: () => wanted.cuts,
    shut() {
      isShut = true
      destroyAll()
    },
    close() {
      server.close()
      destroyAll()
    },
  }
}
