// A button that opens a list of further actions, on the browser's own popover.
import { useId, useRef } from 'react'

export interface MenuItem {
  title: string
  danger?: boolean
  onChoose(): void
}

export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  function place() {
    const box = button.current?.getBoundingClientRect()
    if (!box || !list.current) return
    list.current.style.top = `${box.bottom + 4}px`
    list.current.style.right = `${Math.max(8, document.documentElement.clientWidth - box.right)}px`
  }
  return (
    <span className="menu">
      <button
        ref={button}
        type="button"
        className="button quiet small"
        popoverTarget={id}
        aria-label={label}
        onClick={place}
      >
        ⋯
      </button>
      <div ref={list} id={id} popover="auto">
        {items.map((item) => (
          <button
            key={item.title}
            type="button"
            className={item.danger ? 'danger' : undefined}
            onClick={() => {
              list.current?.hidePopover()
              item.onChoose()
            }}
          >
            {item.title}
          </button>
        ))}
      </div>
    </span>
  )
}
