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
          const values = sql.startsWith('select ') ? parameters.map(readable) : parameters
          return isTransaction ? query(sql, values) : repeatOnConflict(() => query(sql, values))
        }) as never,
      }
    },
  } as never
}

/**
 * PostgreSQL refuses a NUL even in a question. Identifiers of strangers may contain one, and no stored text does: the noncharacter makes
 * the question one that finds nothing, as on SQLite. Text that is written is refused, and set aside.
 */
const readable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uffff') : value
