// Nodes behind pgbouncer, in both modes that can carry transactions: the first start migrates, messages pass both ways, files and
// takeovers work, and the limits of statements and transactions apply. Session settings are refused by pgbouncer or shared with
// other clients, and named statements belong to one session of the server: none of them is used there.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPool } from '../../src/store/engines/postgres/pool.ts'
import { type LiveNode, type NodeGroup, startGroup } from '../cluster/support/nodes.ts'
import { hasOwnPostgres, type OwnPostgres, startOwnPostgres } from '../cluster/support/own-postgres.ts'
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '../cluster/support/pgbouncer.ts'
import { runCli } from '../support/cli.ts'
import {
  api,
  ask,
  linkedInstance,
  newNumber,
  until,
  untilReceived,
  untilState,
  world,
} from '../support/linked.ts'

const isAvailable = hasOwnPostgres() && hasPgbouncer()

/** In session mode every connection of a node needs one of the server; in transaction mode they share fewer. */
const POOL_SIZES = { session: 40, transaction: 12 }

for (const mode of ['session', 'transaction'] as const) {
  describe(`behind pgbouncer in ${mode} mode`, { skip: !isAvailable }, () => {
    const friend = newNumber()
    const number = newNumber()
    let postgres: OwnPostgres
    let bouncer: Pgbouncer
    let group: NodeGroup
    let nodes: LiveNode[]
    let name: string
    before(async () => {
      postgres = await startOwnPostgres()
      bouncer = await startPgbouncer(postgres, mode, { default_pool_size: POOL_SIZES[mode] })
      const databaseUrl = `postgres://root@127.0.0.1:${bouncer.port}/postgres`
      group = await startGroup({ createLocation: async () => ({ ...postgres.storeLocation, databaseUrl }) })
      nodes = [await group.startNode(), await group.startNode()]
      await world(at(0), 'POST /phones', { number: friend })
      name = await linkedInstance(at(0), number)
    })
    after(async () => {
      await group?.stop()
      await bouncer?.stop()
      await postgres?.stop()
    })
    const at = (index: number): LiveNode => nodes[index % nodes.length] as LiveNode
    const url = () => group.storeLocation.databaseUrl as string

    async function exchange(by: LiveNode, text: string): Promise<void> {
      const body = { instanceName: name, number: friend, message: text, delay: 0 }
      const { messageId } = await api(by, 'POST /send/text', body)
      await world(by, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
      await world(by, `POST /phones/${friend}/send`, { to: number, text: `re: ${text}` })
      await untilReceived(by, name, `re: ${text}`)
    }

    test('messages pass both ways, many at the same time', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, index) => exchange(at(index), `pooled ${index}`)))
    })

    test('a received file is stored and read', async () => {
      const file = Buffer.alloc(600_000, 'file')
      const { messageId } = await world(at(0), `POST /phones/${friend}/send`, {
        to: number,
        media: { type: 'document', base64: file.toString('base64'), mimetype: 'text/plain', fileName: 'a' },
      })
      const reply = await until('the file', async () => {
        const answer = await ask(at(1), `GET /api/v1/messages/${messageId}/media`)
        return answer.status === 200 ? answer : undefined
      })
      assert.ok(reply.bytes.equals(file))
    })

    test('a transaction has its limits, and no other client of the pooler gets them', async () => {
      const pool = openPool(url())
      const client = await pool.connect()
      try {
        await client.query('begin')
        const limits = `select current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`
        assert.deepEqual((await client.query(limits)).rows, [{ statement: '30s', idle: '10s' }])
        await client.query('commit')
        assert.deepEqual((await client.query(limits)).rows, [{ statement: '0', idle: '0' }])
      } finally {
        client.release()
        await pool.end()
      }
    })

    test('a named statement of one connection does not depend on the session of another one', async () => {
      const pool = openPool(url())
      const clients = await Promise.all([pool.connect(), pool.connect()])
      try {
        for (const held of clients) {
          // The other one keeps the session of the server on which this one has run last.
          await held.query('begin')
          for (const [index, client] of clients.entries())
            await client.query({ name: `statement_${index}`, text: 'select $1::int', values: [1] })
          await held.query('commit')
        }
      } finally {
        for (const client of clients) client.release()
        await pool.end()
      }
    })

    test('kill -9: the other node takes over', async () => {
      const [killed] = nodes.splice(0, 1)
      await killed?.stop('SIGKILL')
      await untilState(at(0), name, 'open')
      await exchange(at(0), 'after a kill')
    })

    test('backup is refused: it would leave its settings to other clients', async () => {
      const { code, stderr } = await runCli(['backup', `${at(0).directory}/copy`], group.settings)
      assert.notEqual(code, 0)
      assert.match(stderr, /pooler/)
    })

    test('doctor recognizes the pooler', async () => {
      const { json } = await runCli(['doctor', '--json', '--skip', 'server'], group.settings)
      const found = json.findings.find(({ check }: { check: string }) => check === 'connections')
      assert.match(found.found, /pooler.*no statement_timeout/)
    })
  })
}

test('a pooler in statement mode is refused with a clear error', { skip: !isAvailable }, async () => {
  const postgres = await startOwnPostgres()
  const bouncer = await startPgbouncer(postgres, 'statement')
  const databaseUrl = `postgres://root@127.0.0.1:${bouncer.port}/postgres`
  const group = await startGroup({ createLocation: async () => ({ ...postgres.storeLocation, databaseUrl }) })
  try {
    const node = await group.start()
    assert.notEqual((await node.exited).code, 0)
    assert.match(node.stderr(), /DATABASE_URL: .*statement mode/)
  } finally {
    await group.stop()
    await bouncer.stop()
    await postgres.stop()
  }
})
