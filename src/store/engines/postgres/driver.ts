// Connects the query builder to the pool: its errors become errors of the store, and conflicts are repeated.
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../../tables.ts'
import { toStoreError } from './errors.ts'
import { connect } from './pool.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'

export const createPostgresKysely = (pool: pg.Pool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withStoreErrors(pool) }) })

/** A single statement is repeated here. A transaction is repeated as a whole, by the store. */
function withStoreErrors(pool: pg.Pool): ConstructorParameters<typeof PostgresDialect>[0]['pool'] & object {
  return {
    end: () => pool.end(),
    async connect() {
      const client = await connect(pool)
      let isBroken = false
      let isTransaction = false
      const query = (sql: string, parameters: unknown[]) =>
        client.query(sql, parameters).catch((cause: unknown) => {
          const error = toStoreError(cause)
          // A new connection costs less than one that may still wait for an old answer.
          isBroken ||= error.kind === 'unavailable'
          throw error
        })
      return {
        release: () => client.release(isBroken),
        query: ((sql: string, parameters: unknown[]) => {
          // The builder takes a connection for one statement, or for one transaction.
          isTransaction ||= /^(begin|start transaction)\b/i.test(sql)
          return isTransaction ? query(sql, parameters) : repeatOnConflict(() => query(sql, parameters))
        }) as never,
      }
    },
  } as never
}
