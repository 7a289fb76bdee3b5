// A setting of a phone that is on or off.

import { useId } from 'react'
import { classNames } from '../../ui/class-names.ts'
import css from './switch-row.module.css'

export interface SwitchRowProps {
  title: string
  text?: string
  on: boolean
  /** A fault is red while it is on. */
  isFault?: boolean
  disabled?: boolean
  onChange(on: boolean): void
}

export function SwitchRow({ title, text, on, isFault, disabled, onChange }: SwitchRowProps) {
  const id = useId()
  return (
    <div className={css.settingRow}>
      <label htmlFor={id}>
        <strong>{title}</strong>
        {text === undefined ? null : <small>{text}</small>}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={classNames(css.switch, isFault && css.fault)}
        aria-label={title}
        checked={on}
        aria-checked={on}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
    </div>
  )
}
