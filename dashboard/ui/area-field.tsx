// A multi-line text field that grows with its content.

import { type TextareaHTMLAttributes, useId } from 'react'
import fieldsCss from './fields.module.css'
import { More } from './fields.tsx'

export interface AreaFieldProps
  extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  label: string
  fault?: string | undefined
  value: string
  onChange(value: string): void
  /** Hides the label visually; screen readers still read it. */
  bare?: boolean
}

export function AreaField({ label, fault, value, onChange, bare, ...rest }: AreaFieldProps) {
  const id = useId()
  return (
    <div className={fieldsCss.field}>
      <label htmlFor={id} className={bare ? 'sr-only' : undefined}>
        {label}
      </label>
      <textarea
        rows={2}
        {...rest}
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-more`}
      />
      <More id={`${id}-more`} hint={undefined} fault={fault} />
    </div>
  )
}
