// Searching contacts by any part of their text on PostgreSQL: `like` on a trigram index, wildcards taken literally.
import { sql } from 'kysely'
import type { SearchDialect } from './contact-queries.ts'

export const postgresSearch: SearchDialect = (needle) => {
  const literal = needle.replaceAll(/[\\%_]/g, '\\$&')
  return sql<boolean>`contacts.search_text like ${`%${literal}%`}`
}
