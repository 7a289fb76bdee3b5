// Nodes that are left serve what they should, whatever the others do: open QR codes, another API_KEY, a schema that is too new.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type LiveNode, type NodeGroup, startGroup } from '../cluster/support/nodes.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { engines } from '../support/engines.ts'
import { api, ask, linkedInstance, newInstance, newNumber, until } from '../support/linked.ts'
import { newKey } from '../support/started.ts'

const engine = engines.find(({ name }) => name === 'postgres')
const CODES = 16
const INVALID_SETTINGS = 78
const OUTDATED = 1

if (engine)
  describe('nodes that are left', () => {
    let group: NodeGroup
    let database: Database
    let first: LiveNode
    let second: LiveNode
    const names: string[] = []
    before(async () => {
      group = await startGroup(engine)
      first = await group.startNode()
      database = await openDatabase(group.storeLocation)
      for (let count = 0; count < 2; count += 1) names.push(await linkedInstance(first, newNumber()))
      second = await group.startNode()
    })
    after(async () => {
      await database?.close()
      await group?.stop()
    })

    const untilServed = (at: LiveNode) =>
      until('every login served', async () => {
        const checks = names.map((name) =>
          ask(at, `GET /api/v1/check-number?instanceName=${name}&number=${newNumber()}`),
        )
        return (await Promise.all(checks)).every(({ status }) => status === 200) || undefined
      })

    test('a node with another API_KEY is refused, and the key of the cluster stays valid', async () => {
      const node = await group.start({ API_KEY: newKey(), NODE_URL: 'http://127.0.0.1:1' })
      assert.equal((await node.exited).code, INVALID_SETTINGS, node.stderr())
      assert.match(node.stderr(), /API_KEY: the nodes that run have another value/)
      for (const live of [first, second]) assert.ok(await api(live, 'GET /instance/list'))
    })

    test('sixteen open QR codes: the node takes the instances of one that died', async () => {
      for (let count = 0; count < CODES; count += 1) await newInstance(second, `Code ${count}`)
      await until('all codes', async () => {
        const [shown] = await database.rows<{ count: number }>(
          `select count(*)::int as count from instances where state_reason = 'awaiting_scan'`,
        )
        return shown?.count === CODES || undefined
      })
      await first.stop('SIGKILL')
      await untilServed(second)
    })

    test('a schema that is too new for a node: it hands over its instances before it ends', async () => {
      await database.rows(
        `insert into schema_migrations (version, name, checksum, applied_at) values (900, 'later', 'x', 0)`,
      )
      assert.equal((await second.exited).code, OUTDATED)
      const [left] = await database.rows<{ count: number }>(
        'select count(*)::int as count from instances where node_id is not null and logged_in = 1',
      )
      assert.deepEqual(left, { count: 0 })
    })
  })
