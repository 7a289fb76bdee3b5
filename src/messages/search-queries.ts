// Messages by the words that they contain, and the index of these words (decision 0164).
import type { RawBuilder } from 'kysely'
import type { Db, Transactional } from '../store/tables.ts'
import { isMatching, LISTED_AT, type MessageFilter, type MessageRow } from './message-queries.ts'
import { indexedWords, type SearchTerm } from './rules-search-words.ts'

export interface IndexedRow {
  rowId: number
  words: readonly string[]
}

/** What differs between the engines. */
export interface MessageSearch {
  /** Rows of the index that have the mark and all terms. */
  matches(mark: string, terms: readonly SearchTerm[]): RawBuilder<boolean>
  /** Messages that are gone, and those that an edit has indexed before, are left out. */
  add(tx: Db, rows: readonly IndexedRow[]): Promise<void>
  /** No message up to this row can appear any more; undefined: not known at the moment. */
  settledRow(db: Db): Promise<number | undefined>
}

/** Of more matches, those that were stored last are listed: a word of most messages must not read all of them. */
const MOST_FOUND = 2000

/** In the order of the list of messages. */
export function findByWords(
  db: Db,
  matches: RawBuilder<boolean>,
  filter: MessageFilter,
): Promise<MessageRow[]> {
  const found = db
    .selectFrom('message_search')
    // The index first: SQLite keeps the order of a cross join.
    .crossJoin('messages')
    .select('messages.row_id as found_row')
    .where(matches)
    .whereRef('messages.row_id', '=', 'message_search.rowid')
    .where(isMatching(filter))
    .orderBy('message_search.rowid', 'desc')
    .limit(MOST_FOUND)
  return db
    .selectFrom(found.as('found'))
    .crossJoin('messages')
    .innerJoin('instances', 'instances.id', 'messages.instance_id')
    .selectAll('messages')
    .select('instances.api_name')
    .whereRef('messages.row_id', '=', 'found.found_row')
    .orderBy(LISTED_AT, 'desc')
    .orderBy('messages.row_id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()
}

interface SearchStore extends Transactional {
  readonly messageSearch: MessageSearch
}

/** After a change of the content: the message is found by its new words alone. */
export async function indexChanged(
  tx: Db,
  search: MessageSearch,
  message: { row_id: number; account_id: number; instance_id: number; content: string },
): Promise<void> {
  await tx.deleteFrom('message_search').where('rowid', '=', message.row_id).execute()
  const words = indexedWords(message)
  if (words.length > 0) await search.add(tx, [{ rowId: message.row_id, words }])
}

const positionOf = async (db: Db): Promise<number> =>
  (await db.selectFrom('search_progress').select('position').executeTakeFirst())?.position ?? 0

/** Never back: two nodes may index at the same time for a moment. */
async function savePosition(tx: Db, position: number): Promise<void> {
  await tx
    .insertInto('search_progress')
    .values({ id: 1, position })
    .onConflict((oc) =>
      oc.column('id').doUpdateSet({ position }).where('search_progress.position', '<', position),
    )
    .execute()
}

/** Indexes the next messages in the order of their rows. Returns how many rows were read; undefined: the next ones are not known yet. */
export async function indexNext(
  store: SearchStore,
  { limit, silent }: { limit: number; silent: readonly string[] },
): Promise<number | undefined> {
  const settled = await store.messageSearch.settledRow(store.db)
  if (settled === undefined) return undefined
  const position = await positionOf(store.db)
  const rows = await store.db
    .selectFrom('messages')
    .select(['row_id', 'account_id', 'instance_id', 'kind', 'content'])
    .where('row_id', '>', position)
    .where('row_id', '<=', settled)
    .orderBy('row_id')
    .limit(limit)
    .execute()
  const last = rows.at(-1)
  if (!last) return 0
  const indexed = rows
    .filter(({ kind }) => !silent.includes(kind))
    .map((row): IndexedRow => ({ rowId: row.row_id, words: indexedWords(row) }))
    .filter(({ words }) => words.length > 0)
  await store.transaction(async (tx) => {
    if (indexed.length > 0) await store.messageSearch.add(tx, indexed)
    await savePosition(tx, last.row_id)
  })
  return rows.length
}
