// A dialog on the browser's own element: focus stays inside, Escape closes, and the page behind is inert.
import { type ReactNode, useEffect, useId, useRef } from 'react'

export interface DialogProps {
  title: string
  onClose(): void
  children: ReactNode
}

/** Shown while it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      className="dialog"
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
