// Searching contacts by any part of their text on SQLite: a trigram index for three characters and more.
import { sql } from 'kysely'
import type { SearchDialect } from './contact-queries.ts'

/** Trigrams need three characters; for a shorter search text all rows are scanned. */
const TRIGRAM = 3

export const sqliteSearch: SearchDialect = (needle) => {
  const contains = sql<boolean>`instr(contacts.search_text, ${needle}) > 0`
  if (Array.from(needle).length < TRIGRAM) return contains
  const phrase = `"${needle.replaceAll('"', '""')}"`
  return sql<boolean>`contacts.id in (select rowid from contact_search where contact_search match ${phrase})`
}
