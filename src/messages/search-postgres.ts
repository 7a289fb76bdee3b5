// The index of messages on PostgreSQL: a GIN index over the words of the search-words rule.
import { sql } from 'kysely'
import type { Db } from '../store/tables.ts'
import type { MessageSearch } from './search-queries.ts'

const quoted = (word: string): string => `'${word.replaceAll(/['\\]/g, '$&$&')}'`

interface Fence {
  lastRow: number
  /** Transactions that may have taken a lower number and not committed yet. */
  writers: ReadonlySet<string>
}

/** Several transactions insert messages at the same time, so a row can appear after one with a higher number. */
export function createPostgresMessageSearch(): MessageSearch {
  let fence: Fence | undefined
  return {
    matches(mark, terms) {
      const parts = [
        quoted(mark),
        ...terms.map(({ word, isPrefix }) => quoted(word) + (isPrefix ? ':*' : '')),
      ]
      return sql<boolean>`message_search.words @@ ${parts.join(' & ')}::tsquery`
    },
    async add(tx, rows) {
      // Words and position are lost together, and then indexed again.
      await sql`set local synchronous_commit to off`.execute(tx)
      const given = JSON.stringify(rows.map(({ rowId, words }) => ({ row_id: rowId, words })))
      await sql`insert into message_search (rowid, words)
        select messages.row_id, array_to_tsvector(given.words)
        from json_to_recordset(${given}::json) as given (row_id bigint, words text[])
        join messages on messages.row_id = given.row_id
        order by messages.row_id
        on conflict (rowid) do nothing`.execute(tx)
    },
    async settledRow(db) {
      // The number first: a transaction that has taken a lower one is then visible, or writes to the table.
      const lastRow = fence?.lastRow ?? (await lastRowOf(db))
      const writing = await writersOf(db)
      const writers = fence ? fence.writers.intersection(writing) : writing
      fence = writers.size === 0 ? undefined : { lastRow, writers }
      return fence ? undefined : lastRow
    },
  }
}

async function lastRowOf(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`select last_value as last from messages_row_id_seq`.execute(db)
  return rows[0]?.last ?? 0
}

/** The transactions that write to messages. Each has this lock from before it takes a number until it ends. */
async function writersOf(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ writer: string }>`select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'messages'::regclass
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return new Set(rows.map(({ writer }) => writer))
}
