// Other programs use up the connections of the server. Nodes keep their leases and sessions, and serve with the connections they have.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type LiveNode, type NodeGroup, startGroup } from '../cluster/support/nodes.ts'
import { hasOwnPostgres, type OwnPostgres, startOwnPostgres } from '../cluster/support/own-postgres.ts'
import { type Database, openDatabase, withDatabase } from '../support/database.ts'
import { api, ask, linkedInstance, newNumber, until, updatesOf, world } from '../support/linked.ts'
import { logLines } from '../support/process.ts'

const MAX_CONNECTIONS = 30
const LEASE_CONNECTIONS = `from pg_stat_activity where application_name = 'switchboard lease'`

describe('a server without connections left', { skip: !hasOwnPostgres() }, () => {
  const friend = newNumber()
  const numbers = [newNumber(), newNumber()]
  let postgres: OwnPostgres
  let group: NodeGroup
  /** As superuser: the server keeps connections for it. */
  let database: Database
  let nodes: LiveNode[]
  let names: string[]
  const greedy: pg.Client[] = []

  before(async () => {
    postgres = await startOwnPostgres({ max_connections: MAX_CONNECTIONS })
    await withDatabase(postgres.storeLocation, async (server) => {
      await server.rows('create role gateway login')
      await server.rows('create database gateway owner gateway')
    })
    const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${postgres.port}/gateway`
    database = await openDatabase({ ...postgres.storeLocation, databaseUrl: urlOf('root') })
    const databaseUrl = urlOf('gateway')
    group = await startGroup({ createLocation: async () => ({ ...postgres.storeLocation, databaseUrl }) })
    nodes = [await group.startNode(), await group.startNode()]
    await world(at(0), 'POST /phones', { number: friend })
    names = []
    for (const [index, number] of numbers.entries()) names.push(await linkedInstance(at(index), number))
  })
  after(async () => {
    for (const client of greedy) await client.end()
    await group?.stop()
    await database?.close()
    await postgres?.stop()
  })
  const at = (index: number): LiveNode => nodes[index] as LiveNode

  /** Takes connections until there is none left. */
  async function takeAll(): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: group.storeLocation.databaseUrl })
      client.on('error', () => undefined)
      const isTaken = await client.connect().then(
        () => true,
        () => false,
      )
      if (!isTaken) return
      greedy.push(client)
    }
  }
  const leaseConnections = async (): Promise<number> =>
    Number(
      (await database.rows<{ count: string }>(`select count(*) as count ${LEASE_CONNECTIONS}`))[0]?.count,
    )
  const endLeaseConnections = () => database.rows(`select pg_terminate_backend(pid) ${LEASE_CONNECTIONS}`)
  const leases = () =>
    database.rows<{ until: string }>(
      `select lease_until as until from nodes where status = 'live' order by id`,
    )

  test('leases are renewed over the pool, no session is closed, and both directions work', async () => {
    await takeAll()
    assert.equal((await endLeaseConnections()).length, 2, 'each node has a connection for its lease')
    const [before] = await database.rows<{ now: string }>(
      'select extract(epoch from clock_timestamp()) * 1000 as now',
    )
    // Renewals that reach beyond two leases from now, which is longer than a node works without one.
    const goal = Number(before?.now) + 16_000 + 8000
    await until('renewed leases', async () => {
      await takeAll()
      // A pool that closes an idle connection makes room for another one.
      await endLeaseConnections()
      const rows = await leases()
      return rows.length === 2 && rows.every((row) => Number(row.until) > goal) ? true : undefined
    })
    for (const node of nodes) {
      const messages = logLines(node).map(({ msg }) => String(msg))
      assert.ok(messages.some((text) => text.includes('renewed over one of the pool')))
      assert.deepEqual(
        messages.filter((text) => text.includes('connections are closed')),
        [],
      )
    }
    for (const [index, name] of names.entries()) {
      const body = { instanceName: name, number: friend, message: `full ${index}`, delay: 0 }
      const { messageId } = await api(at(index), 'POST /send/text', body)
      await world(at(index), `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
      await world(at(index), `POST /phones/${friend}/send`, { to: numbers[index], text: `re: full ${index}` })
      await until('the answer', async () => {
        const { status, json } = await ask(
          at(index),
          `GET /api/v1/messages?instanceName=${name}&direction=incoming`,
        )
        // A read that finds no free connection in time is refused for now.
        if (status === 503) return undefined
        return JSON.stringify(json.messages).includes(`re: full ${index}`) || undefined
      })
      const updates = await updatesOf(at(index), name)
      assert.equal(updates.filter((word) => word === 'open').length, 1, updates.join(', '))
    }
  })

  test('the lease has a connection of its own again when the server has one', async () => {
    for (const client of greedy.splice(0)) await client.end()
    await until('connections of the leases', async () =>
      (await leaseConnections()) === 2 ? true : undefined,
    )
  })
})
