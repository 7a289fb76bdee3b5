// Selects an instance: a select for few instances, a search field for many.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { instancesQuery } from '../../gateway/queries.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'

/** Above this number a search field replaces the select. */
const FEW = 50
const SUGGESTED = 20

export interface InstancePickerProps {
  label: string
  hint?: string | undefined
  fault?: string | undefined
  /** The unique API name; empty for all instances, if `all` provides a title for that. */
  value: string
  all?: string | undefined
  onChange(apiInstanceName: string): void
  /** Hides the label visually; screen readers still read it. */
  bare?: boolean
}

export function InstancePicker({ all, value, onChange, ...rest }: InstancePickerProps) {
  const { data } = useQuery(instancesQuery)
  const instances = data?.instances ?? []
  if (instances.length > FEW) return <TypedPicker {...rest} all={all} value={value} onChange={onChange} />
  const options = instances.map(
    ({ apiInstanceName, displayName, number }) =>
      [apiInstanceName, number === null ? displayName : `${displayName} (+${number})`] as const,
  )
  const known = value === '' || options.some(([name]) => name === value)
  return (
    <SelectField
      {...rest}
      value={value}
      options={[
        ...(all === undefined ? [] : [['', all] as const]),
        ...options,
        ...(known ? [] : [[value, value] as const]),
      ]}
      onChange={onChange}
    />
  )
}

/** The last valid choice stays until the typed text is a valid name. */
function TypedPicker({ label, hint, fault, value, all, onChange, bare }: InstancePickerProps) {
  const t = useTexts(uiTexts)
  const { data } = useQuery(instancesQuery)
  const list = useId()
  const [text, setText] = useState(value)
  const wanted = text.trim().toLowerCase()
  const found = (data?.instances ?? []).filter(({ apiInstanceName, displayName, number }) =>
    [apiInstanceName, displayName, number ?? ''].some((name) => name.toLowerCase().includes(wanted)),
  )
  return (
    <div>
      <TextField
        label={label}
        bare={bare}
        hint={hint ?? t.pickInstance}
        fault={fault ?? (found.length === 0 ? t.noMatch : undefined)}
        list={list}
        placeholder={all}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(next) => {
          setText(next)
          const isName = data?.instances.some(({ apiInstanceName }) => apiInstanceName === next)
          if (isName || (next === '' && all !== undefined)) onChange(next)
        }}
      />
      <datalist id={list}>
        {found.slice(0, SUGGESTED).map(({ apiInstanceName, displayName }) => (
          <option key={apiInstanceName} value={apiInstanceName}>
            {displayName}
          </option>
        ))}
      </datalist>
    </div>
  )
}
