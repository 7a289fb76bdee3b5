// The index of messages on SQLite: FTS5 over the words of the search-words rule.
import { sql } from 'kysely'
import type { MessageSearch } from './search-queries.ts'

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

export const sqliteMessageSearch: MessageSearch = {
  matches(mark, terms) {
    const parts = [quoted(mark), ...terms.map(({ word, isPrefix }) => quoted(word) + (isPrefix ? '*' : ''))]
    return sql<boolean>`message_search match ${parts.join(' AND ')}`
  },
  async add(tx, rows) {
    const given = JSON.stringify(rows.map(({ rowId, words }) => [rowId, words.join(' ')]))
    await sql`insert into message_search (rowid, words)
      select given.value ->> 0, given.value ->> 1 from json_each(${given}) as given
      join messages on messages.row_id = given.value ->> 0
      where not exists (select 1 from message_search_docsize where id = messages.row_id)`.execute(tx)
  },
  // There is one writer: rows appear in their order.
  settledRow: async () => Number.MAX_SAFE_INTEGER,
}
