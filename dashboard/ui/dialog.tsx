// A dialog on the browser's own element: focus stays inside, Escape closes, and the page behind is inert.
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

export interface DialogProps {
  title: string
  onClose(): void
  children: ReactNode
}

/** Shown while it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Before the element is taken out of the page: closed later, it could not give the focus back to where it came from.
  useLayoutEffect(() => {
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
