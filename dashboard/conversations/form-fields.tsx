// The fields of a form as its table has them, entries of lists within each other; each with the fault that is about it.
import type { KeyboardEvent } from 'react'
import { useTexts } from '../language.tsx'
import { conversationTexts } from '../texts/conversations.ts'
import { AreaField } from '../ui/area-field.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { type Draft, isAsked, joinPath, newEntry } from './send-body.ts'
import type { ChoiceField, Field, InputField, ListField } from './send-forms.ts'

interface FieldsProps {
  fields: readonly Field[]
  draft: Draft
  /** Where in the body these fields stand. */
  at: string
  onChange(draft: Draft): void
  faultAt(path: string): string | undefined
  /** In a form of one text, the key that sends it. */
  onEnter?: () => void
}

export function FormFields({ fields, draft, at, onChange, faultAt, onEnter }: FieldsProps) {
  return fields.map((field) => {
    if (field.input === 'fixed' || !isAsked(field, draft)) return null
    const path = joinPath(at, field.path)
    const value = draft[field.path]
    const set = (next: string | Draft[]) => onChange({ ...draft, [field.path]: next })
    const common = { key: field.path, at: path, onChange: set, fault: faultAt(path) }
    const text = typeof value === 'string' ? value : ''
    if (field.input === 'list') {
      const entries = Array.isArray(value) ? value : []
      return <EntryList {...common} key={field.path} field={field} entries={entries} faultAt={faultAt} />
    }
    if (field.input === 'choice') return <Choice {...common} key={field.path} field={field} value={text} />
    return <Input {...common} key={field.path} field={field} value={text} {...(onEnter ? { onEnter } : {})} />
  })
}

interface InputProps {
  field: InputField
  value: string
  onChange(value: string): void
  fault: string | undefined
  onEnter?: () => void
}

function Input({ field, value, onChange, fault, onEnter }: InputProps) {
  const t = useTexts(conversationTexts)
  const name = t.fields[field.label]
  const label = field.required ? name : `${name} (${t.optional})`
  const said = fault !== undefined && value.trim() === '' ? t.missing : fault
  const sendsOn = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onEnter?.()
  }
  if (field.input === 'lines') {
    return (
      <AreaField
        label={label}
        bare={onEnter !== undefined}
        placeholder={onEnter ? name : undefined}
        value={value}
        onChange={onChange}
        fault={said}
        onKeyDown={onEnter ? sendsOn : undefined}
      />
    )
  }
  const mode = ({ line: 'text', number: 'decimal', url: 'url', tel: 'tel' } as const)[field.input]
  return <TextField label={label} inputMode={mode} value={value} onChange={onChange} fault={said} />
}

function Choice({
  field,
  value,
  onChange,
  fault,
}: {
  field: ChoiceField
  value: string
  onChange(value: string): void
  fault: string | undefined
}) {
  const t = useTexts(conversationTexts)
  return (
    <SelectField
      label={t.fields[field.label]}
      value={value}
      options={field.choices.map((choice) => [choice, t.choices[choice]] as const)}
      onChange={onChange}
      fault={fault}
    />
  )
}

interface EntryListProps {
  field: ListField
  entries: readonly Draft[]
  at: string
  onChange(entries: Draft[]): void
  fault: string | undefined
  faultAt(path: string): string | undefined
}

function EntryList({ field, entries, at, onChange, fault, faultAt }: EntryListProps) {
  const t = useTexts(conversationTexts)
  const name = t.fields[field.entry]
  return (
    <fieldset className="entries">
      <legend>{t.fields[field.label]}</legend>
      {fault === undefined ? null : (
        <div className="fault" role="alert">
          {fault}
        </div>
      )}
      {entries.map((entry, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an entry is its place
        <fieldset className={field.fields.length > 1 ? 'entry' : 'entry single'} key={index}>
          <legend>{`${name} ${index + 1}`}</legend>
          <FormFields
            fields={field.fields}
            draft={entry}
            at={joinPath(at, index)}
            onChange={(next) => onChange(entries.with(index, next))}
            faultAt={faultAt}
          />
          {entries.length > field.min ? (
            <Button
              kind="quiet"
              small
              aria-label={t.takeOut(`${name} ${index + 1}`)}
              onClick={() => onChange(entries.toSpliced(index, 1))}
            >
              ✕
            </Button>
          ) : null}
        </fieldset>
      ))}
      {entries.length < field.max ? (
        <div>
          <Button small onClick={() => onChange([...entries, newEntry(field, entries)])}>
            {t.add(name)}
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}
