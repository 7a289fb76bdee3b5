// A dialog with a form: its fields, and the buttons that cancel and submit it.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './fields.tsx'
import { useTexts } from './language.tsx'
import { uiTexts } from './texts/ui-texts.ts'

export interface FormDialogProps {
  title: string
  /** Above the form. */
  intro?: ReactNode
  /** The text of the button that submits. */
  action: string
  isPending: boolean
  /** Nothing can be submitted with the current fields. */
  isBlocked?: boolean
  /** The text of the button that closes the dialog; "Cancel" if absent. */
  dismiss?: string
  onSubmit(): void
  onClose(): void
  children: ReactNode
}

export function FormDialog({
  title,
  intro,
  action,
  isPending,
  onSubmit,
  onClose,
  ...props
}: FormDialogProps) {
  const ui = useTexts(uiTexts)
  return (
    <Dialog title={title} onClose={onClose}>
      {intro}
      <Form onSubmit={onSubmit}>
        {props.children}
        <div className="row end">
          <Button onClick={onClose}>{props.dismiss ?? ui.cancel}</Button>
          <Button kind="primary" submit busy={isPending} disabled={props.isBlocked}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
