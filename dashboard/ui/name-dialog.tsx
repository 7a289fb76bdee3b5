// A dialog with a name field and optional further fields.
import { type ReactNode, useState } from 'react'
import { TextField } from './fields.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useFieldFault } from './refusals/error-text.ts'

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
  const fieldFault = useFieldFault()
  const [name, setName] = useState(props.name ?? '')
  const [missing, setMissing] = useState(false)
  return (
    <FormDialog
      title={title}
      action={action}
      isPending={work.isPending}
      onSubmit={() => {
        setMissing(name.trim() === '')
        if (name.trim() !== '') work.mutate(name)
      }}
      onClose={onClose}
    >
      <TextField
        label={props.label}
        hint={props.hint}
        fault={missing ? props.required : fieldFault(work.error, field)}
        maxLength={props.maxLength}
        value={name}
        onChange={setName}
      />
      {props.children}
    </FormDialog>
  )
}
