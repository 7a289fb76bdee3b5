// A dialog on the native element: it keeps the focus inside, closes on Escape and makes the page behind inert.

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import css from './dialog.module.css'

export interface DialogProps {
  title: string
  /** At the edge of the window over its whole height, for a panel with much content. */
  side?: boolean
  onClose(): void
  children: ReactNode
}

/** Open while it is rendered. */
export function Dialog({ title, side, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // A layout effect closes the dialog before its element is removed, so that the browser can restore the focus.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      className={classNames(css.dialog, side && css.side)}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div>
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
