// Choosing an instance: from a list while there are few, by typing where there are many.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTexts } from '../language.tsx'
import { instancesQuery } from '../queries.ts'
import { uiTexts } from '../texts/ui.ts'
import { SelectField, TextField } from './fields.tsx'

/** More than these nobody reads through. */
const FEW = 50
const SUGGESTED = 20

export interface InstancePickerProps {
  label: string
  hint?: string | undefined
  fault?: string | undefined
  /** The unique API name; empty for all of them, where `all` says how that is called. */
  value: string
  all?: string | undefined
  onChange(apiInstanceName: string): void
  /** The label is read out but not shown. */
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

/** The text is a name only once it is one; until then the last choice holds. */
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
