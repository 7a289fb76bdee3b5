// A button that opens a panel on top of the page, with the browser's own popover: Escape and a click outside close it.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import css from './popover.module.css'

const GAP_PX = 4
const EDGE_PX = 8

export interface PopoverProps {
  /** The accessible name of the button. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  /** The class of the button. */
  className?: string | undefined
  /** With the left edges of both in line, for a button at the left of its row. */
  atLeft?: boolean
  /** The content of the panel while it is open, given the id of the panel. */
  children(id: string): ReactNode
}

export function Popover({ label, trigger, className, atLeft = false, children }: PopoverProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  // Its content may be loaded on demand, and then it grows.
  useEffect(() => {
    if (!isOpen || !panel.current) return
    const observer = new ResizeObserver(() => placeBeside(button.current, panel.current, atLeft))
    observer.observe(panel.current)
    return () => observer.disconnect()
  }, [isOpen, atLeft])
  return (
    <span className={css.popover}>
      <button ref={button} type="button" className={className} popoverTarget={id} aria-label={label}>
        {trigger}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={css.panel}
        // The content is removed only after the browser has given the focus back to the button.
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') setOpen(true)
        }}
        onToggle={({ newState }) => {
          setOpen(newState === 'open')
          placeBeside(button.current, panel.current, atLeft)
        }}
      >
        {isOpen ? children(id) : null}
      </div>
    </span>
  )
}

/** Below the button and aligned with its right edge, or above and to the right where there is no room. */
function placeBeside(button: HTMLElement | null, panel: HTMLElement | null, atLeft: boolean): void {
  if (!button || !panel) return
  const box = button.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const { offsetWidth, offsetHeight } = panel
  const below = box.bottom + GAP_PX
  const fitsBelow = below + offsetHeight <= clientHeight - EDGE_PX
  const top = fitsBelow ? below : Math.max(EDGE_PX, box.top - GAP_PX - offsetHeight)
  const left = !atLeft && box.right - offsetWidth >= EDGE_PX ? box.right - offsetWidth : box.left
  panel.style.top = `${top}px`
  panel.style.left = `${Math.max(EDGE_PX, Math.min(left, clientWidth - offsetWidth - EDGE_PX))}px`
}
