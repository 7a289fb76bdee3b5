// Three nodes on one PostgreSQL: any of them answers any call, and whichever way one ends, the others serve its instances. Nothing
// is lost or sent twice, and no login is used by two nodes.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Database, openDatabase } from '../support/database.ts'
import { engines } from '../support/engines.ts'
import {
  api,
  ask,
  callSuccessfully,
  linkedInstance,
  newNumber,
  until,
  untilReceived,
  updatesOf,
  world,
} from '../support/linked.ts'
import { type LiveNode, type NodeGroup, startGroup, TAKEN_OVER } from './support/nodes.ts'

const engine = engines.find(({ name }) => name === 'postgres')
const INSTANCES = 6
const FILE = Buffer.from('a file for every node')

if (engine) {
  describe('three nodes', () => {
    const friend = newNumber()
    const numbers = Array.from({ length: INSTANCES }, newNumber)
    let group: NodeGroup
    let database: Database
    let nodes: LiveNode[]
    let names: string[]
    before(async () => {
      group = await startGroup(engine)
      nodes = [await group.startNode(), await group.startNode(), await group.startNode()]
      database = await openDatabase(group.storeLocation)
      await world(at(0), 'POST /phones', { number: friend })
      names = []
      for (const [index, number] of numbers.entries()) names.push(await linkedInstance(at(index), number))
    })
    after(async () => {
      await database?.close()
      await group?.stop()
    })
    const at = (index: number): LiveNode => nodes[index % nodes.length] as LiveNode

    /** By node: how many open instances it serves. */
    const served = () =>
      database.rows<{ name: string; count: number }>(
        `select nodes.id::text as name, count(*)::int as count from instances join nodes on nodes.id = node_id
         where state = 'open' and nodes.status = 'live' group by nodes.id`,
      )
    const allOpen = (among: number) =>
      until(`all instances open on ${among} nodes`, async () => {
        const rows = await served()
        const total = rows.reduce((sum, { count }) => sum + count, 0)
        return total === INSTANCES && rows.length <= among ? rows : undefined
      })
    /** Sends from every instance over every node and hears back. */
    async function exchangeAll(text: string): Promise<void> {
      for (const [index, name] of names.entries()) {
        const body = { instanceName: name, number: friend, message: `${text} ${index}`, delay: 0 }
        const { messageId } = await api(at(index), 'POST /send/text', body)
        await world(at(index + 1), `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
        await world(at(index), `POST /phones/${friend}/send`, {
          to: numbers[index],
          text: `re: ${text} ${index}`,
        })
        await untilReceived(at(index + 2), name, `re: ${text} ${index}`)
      }
    }
    /** Since the pairing. Also not `close/replaced`: another program has used the login. */
    async function assertNeverClosed(): Promise<void> {
      for (const name of names) {
        const all = await updatesOf(at(0), name)
        const updates = all.slice(all.indexOf('open'))
        assert.ok(!updates.some((word) => word.includes('close')), updates.join(', '))
      }
    }

    test('any node answers any call, also those that need the connection of another node', async () => {
      await exchangeAll('everywhere')
      for (const node of nodes) {
        for (const name of names) {
          const number = await ask(node, `GET /api/v1/check-number?instanceName=${name}&number=${friend}`)
          assert.equal(number.status, 200, number.bytes.toString())
        }
      }
      const { instance } = await api(at(0), 'POST /instance/create', { instanceName: 'Shown elsewhere' })
      const qr = await ask(at(1), `GET /api/v1/instance/qr/image?instanceName=${instance.apiInstanceName}`)
      assert.equal(qr.status, 200, qr.bytes.toString())
    })

    test('a one-time link and the passkey of its step work on every node', async () => {
      const number = newNumber()
      await world(at(0), 'POST /phones', { number })
      await world(at(0), `POST /phones/${number}/passkey`, { demanded: true })
      const { instance } = await api(at(0), 'POST /instance/create', { instanceName: 'With a passkey' })
      const query = `instanceName=${instance.apiInstanceName}`
      await api(at(1), `POST /instance/connect?${query}`, {})
      await world(at(2), `POST /phones/${number}/scan`, { instanceName: instance.apiInstanceName })
      const state = (index: number) => api(at(index), `GET /instance/state?${query}`)
      await until('the demand', async () => (await state(2)).passkey ?? undefined)
      const { link } = await api(at(1), `POST /instance/passkey/link?${query}`)
      const token = new URL(link.url).hash.slice(1)
      const follow = (index: number, path: string, body: object) =>
        callSuccessfully(at(index), `POST /session/passkey${path}`, { token, ...body })
      for (const index of [0, 1, 2]) {
        const { displayName, passkey } = await follow(index, '', {})
        assert.deepEqual([displayName, passkey.step], ['With a passkey', 'assertion_needed'])
      }
      const { options } = (await follow(2, '', {})).passkey
      const signed = await world(at(0), `POST /phones/${number}/passkey/assertion`, { options })
      await follow(0, '/assertion', { assertion: signed.assertion })
      await until('open', async () => ((await state(1)).instance.state === 'open' ? true : undefined))
      assert.equal((await follow(1, '', {})).result, 'linked')
      await api(at(2), `DELETE /instance/logout?${query}`)
      await api(at(2), `DELETE /instance/delete?${query}`)
    })

    test('a received file is stored where every node can read it', async () => {
      const { messageId } = await world(at(0), `POST /phones/${friend}/send`, {
        to: numbers[0],
        media: {
          type: 'document',
          base64: FILE.toString('base64'),
          mimetype: 'text/plain',
          fileName: 'a.txt',
        },
      })
      await until('the stored file', async () => {
        const [row] = await database.rows<{ status: string }>(
          `select f.status from received_files f join messages on row_id = message_row_id where id = '${messageId}'`,
        )
        return row?.status === 'kept' ? true : undefined
      })
      const parts = await database.rows('select part from received_file_parts')
      assert.equal(parts.length, 1)
      for (const node of nodes) {
        const file = await ask(node, `GET /api/v1/messages/${messageId}/media`)
        assert.equal(file.status, 200, file.bytes.toString())
        assert.ok(file.bytes.equals(FILE))
        await assert.rejects(readdir(join(node.directory, 'media', 'received')), 'nothing is on its disk')
      }
    })

    test('kill -9: the others serve its instances', async () => {
      const [killed] = nodes.splice(0, 1)
      await killed?.stop('SIGKILL')
      await allOpen(2)
      await exchangeAll('after a kill')
      await assertNeverClosed()
      nodes.push(await group.startNode(killed?.directory))
    })

    test('SIGTERM: its instances are handed over, and a send during it arrives once', async () => {
      const [stopped] = nodes.splice(0, 1)
      const sends = names.map((name, index) =>
        api(at(index), 'POST /send/text', {
          instanceName: name,
          number: friend,
          message: `during ${index}`,
          delay: 0,
        }),
      )
      const stopping = stopped?.stop('SIGTERM')
      for (const send of sends) {
        const { messageId } = (await send) as { messageId: string }
        await world(at(0), `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
      }
      assert.equal((await stopping)?.code, 0)
      await allOpen(2)
      await exchangeAll('after a stop')
      nodes.push(await group.startNode(stopped?.directory))
    })

    test('a node that starts gets its share', async () => {
      const shares = await until('a share for each node', async () => {
        const rows = await served()
        return rows.length === 3 ? rows : undefined
      })
      assert.ok(
        shares.every(({ count }) => count <= 4),
        JSON.stringify(shares),
      )
    })

    test('SIGSTOP and SIGCONT: the frozen node ends without a frame or a write', async () => {
      const [frozen] = nodes.splice(0, 1)
      frozen?.child.kill('SIGSTOP')
      await allOpen(2)
      frozen?.child.kill('SIGCONT')
      assert.equal((await frozen?.exited)?.code, TAKEN_OVER)
      await exchangeAll('after a freeze')
      await assertNeverClosed()
      nodes.push(await group.startNode(frozen?.directory))
    })

    test('a node with another master key, or at the address of another one, ends with a clear error', async () => {
      const other = await group.start({
        NODE_URL: 'http://127.0.0.1:1',
        MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      })
      assert.notEqual((await other.exited).code, 0)
      assert.match(other.stderr(), /MASTER_KEY/)
      const taken = new URL(at(0).url).port
      const wrong = await group.start({ NODE_URL: `http://127.0.0.1:${taken}` })
      assert.notEqual((await wrong.exited).code, 0)
      assert.match(wrong.stderr(), /NODE_URL/)
    })
  })
}
