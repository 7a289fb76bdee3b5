// A virtual list: only visible rows are in the document. All rows have the same height; the arrow keys move the selection.

import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import css from './window-list.module.css'

/** Must equal the height of `.windowRow` in the style sheet. */
const ROW_PX = 44
/** Extra rows above and below the visible ones, so that scrolling shows no gaps. */
const SPARE = 6

export interface WindowListProps<T> {
  label: string
  records: readonly T[]
  keyOf(record: T): string
  row(record: T): ReactNode
  chosen: string | undefined
  onChoose(record: T): void
}

export function WindowList<T>({ label, records, keyOf, row, chosen, onChoose }: WindowListProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const [top, setTop] = useState(0)
  const [heightPx, setHeightPx] = useState(600)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(() => setHeightPx(element.clientHeight))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  const firstKey = useRef<string>(undefined)
  useLayoutEffect(() => {
    // New rows at the top must not move the rows that the reader looks at.
    const before = firstKey.current
    const [first] = records
    firstKey.current = first === undefined ? undefined : keyOf(first)
    const element = box.current
    if (!element || before === undefined || element.scrollTop === 0) return
    const shift = records.findIndex((record) => keyOf(record) === before)
    if (shift > 0) element.scrollTop += shift * ROW_PX
  }, [records, keyOf])
  const first = Math.max(0, Math.floor(top / ROW_PX) - SPARE)
  const last = Math.min(records.length, Math.ceil((top + heightPx) / ROW_PX) + SPARE)
  const position = records.findIndex((record) => keyOf(record) === chosen)
  function move(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
    const step = steps[event.key]
    if (step === undefined || records.length === 0) return
    event.preventDefault()
    const index = position < 0 ? 0 : Math.min(records.length - 1, Math.max(0, position + step))
    const next = records[index]
    if (next === undefined) return
    onChoose(next)
    const element = box.current
    if (!element) return
    if (index * ROW_PX < element.scrollTop) element.scrollTop = index * ROW_PX
    const bottom = (index + 1) * ROW_PX - element.clientHeight
    if (bottom > element.scrollTop) element.scrollTop = bottom
  }
  return (
    <div
      ref={box}
      className={css.windowList}
      role="listbox"
      aria-label={label}
      aria-activedescendant={position >= first && position < last ? `${prefix}-${chosen}` : undefined}
      tabIndex={0}
      onKeyDown={move}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <div className={css.windowAll} style={{ height: `${records.length * ROW_PX}px` }}>
        {records.slice(first, last).map((record, offset) => (
          // The list box has the focus and handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={keyOf(record)}
            id={`${prefix}-${keyOf(record)}`}
            className={css.windowRow}
            role="option"
            aria-selected={keyOf(record) === chosen}
            aria-setsize={records.length}
            aria-posinset={first + offset + 1}
            style={{ transform: `translateY(${(first + offset) * ROW_PX}px)` }}
            onClick={() => onChoose(record)}
          >
            {row(record)}
          </div>
        ))}
      </div>
    </div>
  )
}
