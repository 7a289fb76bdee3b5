// A table of records, with pages where the list has them.
import type { ReactNode } from 'react'
import { useTexts } from '../language.tsx'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'

export interface Column<T> {
  title: string
  cell(record: T): ReactNode
  /** Right-aligned, for figures and buttons. */
  end?: boolean
}

export interface Paging {
  page: number
  hasMore: boolean
  onPage(page: number): void
}

export interface TableProps<T> {
  /** Read out to whoever cannot see the heading above. */
  label: string
  columns: readonly Column<T>[]
  records: readonly T[]
  keyOf(record: T): string | number
  paging?: Paging
}

export function Table<T>({ label, columns, records, keyOf, paging }: TableProps<T>) {
  const place = (column: Column<T>) => (column.end ? 'end' : undefined)
  return (
    <div>
      {/* Scrolls sideways on narrow screens, and so must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="table-wrap" aria-label={label} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" className={place(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <tr key={keyOf(record)}>
                {columns.map((column) => (
                  <td key={column.title} className={place(column)}>
                    {column.cell(record)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {paging ? <Pages {...paging} /> : null}
    </div>
  )
}

/** The way through the pages of a list; nothing where there is but one. */
export function Pages({ page, hasMore, onPage }: Paging) {
  const t = useTexts(uiTexts)
  if (page <= 1 && !hasMore) return null
  return (
    <nav className="table-foot" aria-label={t.pages}>
      <Button small disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t.previous}
      </Button>
      <span className="muted small number">{t.page(page)}</span>
      <Button small disabled={!hasMore} onClick={() => onPage(page + 1)}>
        {t.next}
      </Button>
    </nav>
  )
}
