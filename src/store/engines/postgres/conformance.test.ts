// The store's conformance suite on PostgreSQL, where a server is there.
import pg from 'pg'
import { engines } from '../../../../test/support/engines.ts'
import { storeConformance } from '../../conformance/suite.ts'
import { openPostgresStore } from './open.ts'

const engine = engines.find(({ name }) => name === 'postgres')
if (engine) {
  storeConformance({
    name: 'postgres',
    shared: true,
    async createLocation() {
      const { databaseUrl, dispose } = await engine.createLocation()
      const url = databaseUrl as string
      return {
        open: (hooks) => openPostgresStore(url, hooks),
        async execute(sql) {
          const client = new pg.Client({ connectionString: url })
          await client.connect()
          try {
            await client.query(sql)
          } finally {
            await client.end()
          }
        },
        dispose,
      }
    },
  })
}
