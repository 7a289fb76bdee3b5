// A dialog with a name field and optional further fields.
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form, TextField } from './fields.tsx'
import { useTexts } from './language.tsx'
import { faultOf, useErrorText } from './refusals/error-text.ts'
import { uiTexts } from './texts/ui-texts.ts'

export interface NameDialogProps {
  title: string
  label: string
  hint?: string
  /** The message for an empty name. */
  required: string
  /** The text of the button. */
  action: string
  /** The current name, if there is one. */
  name?: string
  maxLength: number
  /** The mutation to run with the name. */
  work: { error: Error | null; isPending: boolean; mutate(name: string): void }
  /** The name of the field in the request. */
  field?: string
  onClose(): void
  /** Further fields. */
  children?: ReactNode
}

export function NameDialog({ title, action, work, field = 'name', onClose, ...props }: NameDialogProps) {
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const [name, setName] = useState(props.name ?? '')
  const [missing, setMissing] = useState(false)
  const refusal = work.error ? (faultOf(work.error, field) ?? errorText(work.error)) : undefined
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        onSubmit={() => {
          setMissing(name.trim() === '')
          if (name.trim() !== '') work.mutate(name)
        }}
      >
        <TextField
          label={props.label}
          hint={props.hint}
          fault={missing ? props.required : refusal}
          maxLength={props.maxLength}
          value={name}
          onChange={setName}
        />
        {props.children}
        <div className="row end">
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" submit busy={work.isPending}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
