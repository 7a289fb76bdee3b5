// Asks for a name, and for whatever else belongs to what is made or renamed.
import { type ReactNode, useState } from 'react'
import { faultOf, useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form, TextField } from './fields.tsx'

export interface NameDialogProps {
  title: string
  label: string
  hint?: string
  /** What is said where there is none. */
  required: string
  /** What the button says. */
  action: string
  /** The name as it is, where there is one. */
  name?: string
  maxLength: number
  /** The mutation that does it, given the name. */
  work: { error: Error | null; isPending: boolean; mutate(name: string): void }
  /** What the request calls the name. */
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
