// Form fields with label, hint and error message.

import { type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react'
import css from './fields.module.css'

interface Common {
  label: string
  hint?: string | undefined
  fault?: string | undefined
}

interface Labeled extends Common {
  /** Hides the label visually; screen readers still read it. */
  bare?: boolean | undefined
}

interface LabeledFieldProps extends Labeled {
  /** Renders the control, with the ids that connect it to its label and to its hint. */
  children(ids: { id: string; 'aria-describedby': string }): ReactNode
}

/** A control with its label above, and its hint and error below. */
export function LabeledField({ label, hint, fault, bare, children }: LabeledFieldProps) {
  const id = useId()
  return (
    <div className={css.field}>
      <label htmlFor={id} className={bare ? 'sr-only' : undefined}>
        {label}
      </label>
      {children({ id, 'aria-describedby': `${id}-more` })}
      <More id={`${id}-more`} hint={hint} fault={fault} />
    </div>
  )
}

export interface TextFieldProps
  extends Labeled,
    Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  value: string
  onChange(value: string): void
}

export function TextField({ label, hint, fault, value, onChange, bare, ...rest }: TextFieldProps) {
  return (
    <LabeledField label={label} hint={hint} fault={fault} bare={bare}>
      {(ids) => (
        <input
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

export interface SelectFieldProps<V extends string> extends Labeled {
  value: V
  options: readonly (readonly [value: V, title: string])[]
  onChange(value: V): void
}

export function SelectField<V extends string>({
  label,
  hint,
  fault,
  value,
  options,
  onChange,
  bare,
}: SelectFieldProps<V>) {
  return (
    <LabeledField label={label} hint={hint} fault={fault} bare={bare}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          onChange={(event) => onChange(event.target.value as V)}
          aria-invalid={fault !== undefined}
        >
          {options.map(([option, title]) => (
            <option key={option} value={option}>
              {title}
            </option>
          ))}
        </select>
      )}
    </LabeledField>
  )
}

export interface ChecksProps<V extends string> extends Common {
  options: readonly (readonly [value: V, title: string])[]
  chosen: readonly V[]
  onChange(chosen: V[]): void
}

export function Checks<V extends string>({ label, hint, fault, options, chosen, onChange }: ChecksProps<V>) {
  const id = useId()
  return (
    <fieldset className={css.field} aria-describedby={`${id}-more`}>
      <legend>{label}</legend>
      <div className="row">
        {options.map(([value, title]) => (
          <label key={value} className={css.check}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
              }
            />
            {title}
          </label>
        ))}
      </div>
      <More id={`${id}-more`} hint={hint} fault={fault} />
    </fieldset>
  )
}

const More = ({ id, hint, fault }: { id: string; hint: string | undefined; fault: string | undefined }) => (
  <div id={id}>
    {hint === undefined ? null : <div className={css.hint}>{hint}</div>}
    {fault === undefined ? null : (
      <div className={css.fault} role="alert">
        {fault}
      </div>
    )}
  </div>
)

/** A form that is submitted by script. A submit that finds faults leads to the first of them, which may be out of sight. */
export function Form({ onSubmit, children }: { onSubmit(): void; children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null)
  /** Faults may come with the answer of the server. Once the reader types again, the focus stays there. */
  const isAwaited = useRef(false)
  useEffect(() => {
    if (isAwaited.current && form.current) isAwaited.current = !showFirstFault(form.current)
  })
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      onInput={() => void (isAwaited.current = false)}
      onSubmit={(event) => {
        event.preventDefault()
        isAwaited.current = true
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

/** False: there is none. */
function showFirstFault(form: HTMLFormElement): boolean {
  const fault = form.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')
  if (!fault) return false
  // The message of a group of fields stands below them.
  const field = fault.matches('[role="alert"]')
    ? fault.closest('fieldset')?.querySelector<HTMLElement>('input, select, textarea, button')
    : fault
  field?.focus({ preventScroll: true })
  const shown = field ?? fault
  shown.scrollIntoView({ block: 'center' })
  return true
}
