// Every kind of outage of a PostgreSQL server is answered 503 with Retry-After, never 500, and ends without a restart.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { RouteId } from '../src/contract/routes.ts'
import { engines, onServer, type StoreLocation } from './support/engines.ts'
import { type Account, type CallInput, type Gateway, startGateway } from './support/gateway.ts'

interface Outage {
  begin: string
  end: string
  /** Reads go on. */
  writesOnly?: true
}

/** By what an operator does to the database or to the role of the gateway. */
const OUTAGES: Record<string, (database: string, role: string) => Outage> = {
  'the database is renamed (3D000)': (database) => ({
    begin: `alter database ${database} rename to ${database}_away`,
    end: `alter database ${database}_away rename to ${database}`,
  }),
  'the role may not log in (28000)': (_, role) => ({
    begin: `alter role ${role} nologin`,
    end: `alter role ${role} login`,
  }),
  'the role has no connection left (53300)': (_, role) => ({
    begin: `alter role ${role} connection limit 0`,
    end: `alter role ${role} connection limit -1`,
  }),
  'the database takes no connections (55000)': (database) => ({
    begin: `alter database ${database} allow_connections false`,
    end: `alter database ${database} allow_connections true`,
  }),
  'the role may not connect (42501)': (database, role) => ({
    begin: `revoke connect on database ${database} from public, ${role}`,
    end: `grant connect on database ${database} to public`,
  }),
  'the database is read-only (25006)': (database) => ({
    begin: `alter database ${database} set default_transaction_read_only = on`,
    end: `alter database ${database} reset default_transaction_read_only`,
    writesOnly: true,
  }),
}

const endConnections = (database: string) =>
  onServer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname in ('${database}', '${database}_away')`,
  )

const engine = engines.find(({ name }) => name === 'postgres')
if (engine) {
  describe('outages of a PostgreSQL server', () => {
    const role = `switchboard_test_${randomBytes(6).toString('hex')}`
    let storeLocation: StoreLocation
    let database: string
    let gateway: Gateway
    let mine: Account
    let instanceName: string

    before(async () => {
      storeLocation = await engine.createLocation()
      const url = new URL(storeLocation.databaseUrl as string)
      database = url.pathname.slice(1)
      await onServer(`create role ${role} login password '${role}'`)
      await onServer(`alter database ${database} owner to ${role}`)
      url.username = role
      url.password = role
      gateway = await startGateway(engine, {}, {}, { ...storeLocation, databaseUrl: url.href })
      mine = await gateway.account()
      instanceName = (await gateway.openInstance(mine)).name
    })
    after(async () => {
      await gateway.app.stop()
      await storeLocation.dispose()
      await onServer(`drop role ${role}`)
    })

    const READS: [RouteId, () => CallInput][] = [
      ['listInstances', () => ({})],
      ['listContacts', () => ({ query: { instanceName } })],
    ]
    const WRITES: [RouteId, () => CallInput][] = [
      ['sendText', () => ({ body: { instanceName, number: '5511912345678', message: 'hi' } })],
      ['createInstance', () => ({ body: { instanceName: 'New' } })],
      ['saveContact', () => ({ body: { instanceName, phone: '5511912345678', name: 'Ana' } })],
      ['createApiKey', () => ({ body: { name: 'New' } })],
    ]

    for (const [name, outageOf] of Object.entries(OUTAGES)) {
      test(`503: ${name}; then on as before`, async () => {
        const { begin, end, writesOnly } = outageOf(database, role)
        await changeUntilDone(begin, database)
        await endConnections(database)
        try {
          for (const [id, input] of writesOnly ? WRITES : [...READS, ...WRITES]) {
            const { status, headers } = await mine.call(id, input())
            assert.equal(status, 503, id)
            assert.match(headers.get('retry-after') ?? '', /^\d+$/, id)
          }
          assert.equal((await gateway.call('readyz', { key: null })).status, 503)
        } finally {
          await changeUntilDone(end, database)
          await endConnections(database)
        }
        for (const [id, input] of [...READS, ...WRITES]) {
          let answer = await mine.call(id, input())
          // A connection that was ended a moment ago may still be in the pool.
          for (let tries = 0; answer.status === 503 && tries < 20; tries += 1)
            answer = await mine.call(id, input())
          assert.equal(answer.status, 200, `${id}: ${JSON.stringify(answer.json)}`)
        }
      })
    }
  })
}

/** A database with connections is not renamed, and the gateway connects again at once. */
async function changeUntilDone(sql: string, database: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await endConnections(database)
    try {
      return await onServer(sql)
    } catch (error) {
      if (tries === 50) throw error
    }
  }
}
