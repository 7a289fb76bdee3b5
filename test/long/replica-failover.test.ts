// The server of the database fails, and an asynchronous replica that lacks commits takes its place. A failover under random load is
// in test/long/failover.test.ts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type LiveNode, type NodeGroup, startGroup } from '../cluster/support/nodes.ts'
import { hasOwnPostgres } from '../cluster/support/own-postgres.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../cluster/support/replicated-postgres.ts'
import { type Database, openDatabase, withDatabase } from '../support/database.ts'
import { api, linkedInstance, newNumber, until, untilReceived, untilState, world } from '../support/linked.ts'
import { logLines } from '../support/process.ts'
import { type Proxy, startProxy } from '../support/proxy.ts'

const isSkipped = !hasOwnPostgres()

describe('asynchronous replication: a failover that loses commits', { skip: isSkipped }, () => {
  const friend = newNumber()
  const numbers = [newNumber(), newNumber()]
  let postgres: ReplicatedPostgres
  let proxy: Proxy
  let group: NodeGroup
  let nodes: LiveNode[]
  let names: string[]
  before(async () => {
    postgres = await startReplicatedPostgres('asynchronous')
    proxy = await startProxy(postgres)
    const databaseUrl = `postgres://root@127.0.0.1:${proxy.port}/postgres`
    group = await startGroup({ createLocation: async () => ({ ...postgres.storeLocation, databaseUrl }) })
    nodes = [await group.startNode(), await group.startNode()]
    await world(at(0), 'POST /phones', { number: friend })
    names = []
    for (const [index, number] of numbers.entries()) names.push(await linkedInstance(at(index), number))
  })
  after(async () => {
    await group?.stop()
    await proxy?.shut()
    await postgres?.stop()
  })
  const at = (index: number): LiveNode => nodes[index % nodes.length] as LiveNode

  async function send(by: LiveNode, name: string, message: string): Promise<void> {
    const body = { instanceName: name, number: friend, message, delay: 0 }
    const { messageId } = await api(by, 'POST /send/text', body)
    await world(by, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
  }
  /**
   * Each instance sends and receives, through any node. Two messages that follow each other have keys of one chain: of those that are
   * lost, the first has the key that the next message of the replica would have.
   */
  async function exchange(text: string, count: number): Promise<void> {
    for (const [index, name] of names.entries()) {
      for (let turn = 0; turn < count; turn += 1) {
        const message = `${text} ${index}.${turn}`
        await send(at(turn), name, `first ${message}`)
        await world(at(turn), `POST /phones/${friend}/send`, { to: numbers[index], text: `re: ${message}` })
        await untilReceived(at(turn), name, `re: ${message}`)
        await send(at(turn), name, `second ${message}`)
      }
    }
  }
  const onDatabase = <T>(sql: string): Promise<T[]> =>
    withDatabase(postgres.storeLocation, (database: Database) => database.rows<T>(sql))
  const ratchets = async (): Promise<Set<string>> => {
    const rows = await onDatabase<{ key: string }>(
      `select concat_ws(' ', instance_id, kind, name, md5(sealed)) as key from session_keys
       where kind in ('session', 'sender-key', 'sender-key-memory', 'pre-key')`,
    )
    return new Set(rows.map(({ key }) => key))
  }
  const lossLines = (node: LiveNode) =>
    logLines(node).filter(({ msg }) => /the database (has lost|has failed over without)/.test(String(msg)))

  test('every node notices it, and no ratchet or event id of the replica is used again', async () => {
    await exchange('kept', 2)
    await postgres.detachReplica()
    const keptKeys = await ratchets()
    assert.ok(keptKeys.size > 0)
    await exchange('lost', 3)
    const [kept] = await onDatabase<{ position: string }>('select max(position) as position from events')
    await postgres.failOver()
    for (const node of nodes) await until('a report of the loss', async () => lossLines(node)[0])
    const [record] = await onDatabase<{ value: string }>(
      `select value from facts where name = 'commits_lost'`,
    )
    assert.ok(record)
    const stored = await onDatabase<{ text: string }>(
      `select data as text from events where name = 'messages.upsert'`,
    )
    const count = (word: string) => stored.filter(({ text }) => text.includes(`re: ${word}`)).length
    assert.deepEqual([count('kept'), count('lost')], [2 * names.length, 0], 'commits were lost')
    const by = nodes.flatMap((node) => lossLines(node).map((line) => line['recoveredBy']))
    assert.equal(by.filter((word) => word === 'this node').length, 1, by.join())
    const [next] = await onDatabase<{ position: string }>('select event_position as position from accounts')
    assert.ok(Number(next?.position) > Number(kept?.position), 'no id of an event is used again')
    for (const name of names) await untilState(at(0), name, 'open')
    const reused = (await ratchets()).intersection(keptKeys)
    assert.deepEqual([...reused], [], 'no key of the replica is left')
    const texts = nodes.map(async ({ url }) =>
      (await fetch(`${url}/metrics`, { headers: operator() })).text(),
    )
    for (const text of await Promise.all(texts))
      assert.match(text, /switchboard_node_commits_lost_total\{loss="(certain|possible)"\} [1-9]/)
  })

  test('both directions work, also in processes that have only what is stored', async () => {
    // Processes without memory of the lost commits: they use what is stored.
    for (const node of nodes) await node.stop('SIGKILL')
    nodes = await Promise.all(nodes.map(({ directory }) => group.startNode(directory)))
    for (const name of names) await untilState(at(0), name, 'open')
    await exchange('after', 3)
  })

  const operator = () => ({ authorization: `Bearer ${group.operatorKey}` })
})

describe('asynchronous replication: all nodes were down during the failover', { skip: isSkipped }, () => {
  test('a node without earlier data notices it from the database', async () => {
    const postgres = await startReplicatedPostgres('asynchronous')
    const proxy = await startProxy(postgres)
    const databaseUrl = `postgres://root@127.0.0.1:${proxy.port}/postgres`
    const group = await startGroup({
      createLocation: async () => ({ ...postgres.storeLocation, databaseUrl }),
    })
    try {
      const first = await group.startNode()
      const primary = await openDatabase(postgres.storeLocation)
      await until('a replica that has the record of the server', async () => {
        const [row] = await primary.rows<{ done: boolean }>(
          `select exists (select from facts where name = 'server') and bool_and(replay_lsn = pg_current_wal_lsn()) as done
           from pg_stat_replication`,
        )
        return row?.done ? true : undefined
      })
      await primary.close()
      await first.stop('SIGKILL')
      await postgres.failOver()
      const next = await group.startNode()
      await until('a report of the loss', async () => logLines(next).find(({ loss }) => loss === 'possible'))
      await next.stop('SIGTERM')
      const third = await group.startNode()
      assert.ok(!logLines(third).some(({ loss }) => loss !== undefined), 'once')
    } finally {
      await group.stop()
      await proxy.shut()
      await postgres.stop()
    }
  })
})
