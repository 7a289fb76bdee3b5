// The answer to a request for one page of a list.
import type { Page, PageQuery } from '../page.ts'

type PagedAnswer<K extends string, T> = PageQuery & { count: number; hasMore: boolean } & Record<K, T[]>

export const pagedAnswer = <K extends string, T>(
  name: K,
  { page, limit }: PageQuery,
  { items, hasMore }: Page<T>,
): PagedAnswer<K, T> => ({ count: items.length, page, limit, hasMore, [name]: items }) as PagedAnswer<K, T>
