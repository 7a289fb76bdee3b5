// Pages of a list. A query reads one row more than the page shows: that row shows whether there is another page.

export interface PageQuery {
  /** From 1. */
  page: number
  limit: number
}

export interface Page<T> {
  items: T[]
  hasMore: boolean
}

/** The rows that a query has to read for the page. */
export const rowsToRead = ({ page, limit }: PageQuery): { limit: number; offset: number } => ({
  limit: limit + 1,
  offset: (page - 1) * limit,
})

/** The page from the rows that were read, the extra row removed. */
export const page = <T>(rows: readonly T[], { limit }: Pick<PageQuery, 'limit'>): Page<T> => ({
  items: rows.slice(0, limit),
  hasMore: rows.length > limit,
})
