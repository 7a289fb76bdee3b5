// The store's conformance suite on SQLite.
import { DatabaseSync } from 'node:sqlite'
import { engines } from '../../../../test/support/engines.ts'
import { storeConformance } from '../../conformance/suite.ts'
import { databaseFile, openSqliteStore } from './open.ts'

const engine = engines.find(({ name }) => name === 'sqlite')
if (!engine) throw new Error('SQLite is always there')
storeConformance({
  name: 'sqlite',
  shared: false,
  async createLocation() {
    const { directory, dispose } = await engine.createLocation()
    return {
      open: (hooks) => openSqliteStore(directory, hooks),
      async execute(sql) {
        const db = new DatabaseSync(databaseFile(directory))
        db.exec(sql)
        db.close()
      },
      dispose,
    }
  },
})
