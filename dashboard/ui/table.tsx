// A table of records with optional paging. On narrow screens each record is a card.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- on narrow screens
   the style sheet lays rows out as cards, and some browsers then drop the roles of a table */

import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { useTexts } from './language.tsx'
import css from './table.module.css'
import { uiTexts } from './texts/ui-texts.ts'

export interface Column<T> {
  title: string
  cell(record: T): ReactNode
  /** Aligned to the right, for figures. */
  end?: boolean
  /** The column of buttons: at the right, and in the corner of a card on narrow screens. */
  actions?: boolean
}

export interface Paging {
  page: number
  hasMore: boolean
  onPage(page: number): void
}

export interface TableProps<T> {
  /** The accessible name. */
  label: string
  columns: readonly Column<T>[]
  records: readonly T[]
  keyOf(record: T): string | number
  paging?: Paging
}

export function Table<T>({ label, columns, records, keyOf, paging }: TableProps<T>) {
  const classOf = (column: Column<T>) => (column.actions ? css.actions : column.end ? css.end : undefined)
  return (
    <div>
      {/* A wide table scrolls sideways, so it must be focusable. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={css.tableWrap} aria-label={label} tabIndex={0}>
        <table className={css.table} role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <th key={column.title} role="columnheader" scope="col" className={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {records.map((record) => (
              <tr key={keyOf(record)} role="row">
                {columns.map((column) => (
                  <td key={column.title} role="cell" data-title={column.title} className={classOf(column)}>
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

/** Buttons for the previous and the next page; nothing if there is only one page. */
export function Pages({ page, hasMore, onPage }: Paging) {
  const t = useTexts(uiTexts)
  if (page <= 1 && !hasMore) return null
  return (
    <nav className={css.tableFoot} aria-label={t.pages}>
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
