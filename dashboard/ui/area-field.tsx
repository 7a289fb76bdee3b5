// A field for text of several lines; it grows with what is written.
import { type TextareaHTMLAttributes, useId } from 'react'
import { More } from './fields.tsx'

export interface AreaFieldProps
  extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  label: string
  fault?: string | undefined
  value: string
  onChange(value: string): void
  /** The label is read out but not shown. */
  bare?: boolean
}

export function AreaField({ label, fault, value, onChange, bare, ...rest }: AreaFieldProps) {
  const id = useId()
  return (
    <div className="field">
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
