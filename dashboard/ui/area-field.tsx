// A multi-line text field that grows with its content.

import type { TextareaHTMLAttributes } from 'react'
import { LabeledField } from './fields.tsx'

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
  return (
    <LabeledField label={label} fault={fault} bare={bare}>
      {(ids) => (
        <textarea
          rows={2}
          {...rest}
          {...ids}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={fault !== undefined}
        />
      )}
    </LabeledField>
  )
}
