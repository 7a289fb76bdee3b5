// Asks for confirmation of an action that cannot be undone or has consequences, and shows its error.
import type { ReactNode } from 'react'
import { Button, type ButtonKind } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useTexts } from './language.tsx'
import { ErrorNote } from './page-head.tsx'
import { uiTexts } from './texts/ui-texts.ts'

export interface ConfirmDialogProps {
  title: string
  text: string
  /** The text of the button. */
  action: string
  /** The look of the button. */
  kind?: ButtonKind
  /** The mutation to run. */
  work: { error: Error | null; isPending: boolean; mutate(): void }
  onClose(): void
  /** Notes below the text. */
  children?: ReactNode
}

export function ConfirmDialog({
  title,
  text,
  action,
  kind = 'danger',
  work,
  onClose,
  children,
}: ConfirmDialogProps) {
  const ui = useTexts(uiTexts)
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      {work.error ? <ErrorNote error={work.error} /> : null}
      <div className="row end">
        <Button onClick={onClose}>{ui.cancel}</Button>
        <Button kind={kind} busy={work.isPending} onClick={() => work.mutate()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
