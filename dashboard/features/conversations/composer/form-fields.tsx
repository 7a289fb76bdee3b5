// Renders the fields of a form from its table, including nested lists, with their errors.

import type { KeyboardEvent } from 'react'
import { AreaField } from '../../../ui/area-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import fieldsCss from '../../../ui/fields.module.css'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { FileInput } from './file-input.tsx'
import css from './form-fields.module.css'
import { type FormDraft, isRequested, joinPath, newEntry } from './send-body.ts'
import type { ChoiceField, Field, FlagField, InputField, ListField } from './send-forms.ts'

interface FieldsProps {
  fields: readonly Field[]
  draft: FormDraft
  /** The path of these fields in the body. */
  at: string
  onChange(draft: FormDraft): void
  faultAt(path: string): string | undefined
  /** Called on Enter in a plain text form. */
  onEnter?: () => void
}

export function FormFields({ fields, draft, at, onChange, faultAt, onEnter }: FieldsProps) {
  return fields.map((field) => {
    if (field.input === 'fixed' || !isRequested(field, draft)) return null
    const path = joinPath(at, field.path)
    const value = draft[field.path]
    const set = (next: string | FormDraft[]) => onChange({ ...draft, [field.path]: next })
    const common = { key: field.path, at: path, onChange: set, fault: faultAt(path) }
    const text = typeof value === 'string' ? value : ''
    if (field.input === 'list') {
      const entries = Array.isArray(value) ? value : []
      return <EntryList {...common} key={field.path} field={field} entries={entries} faultAt={faultAt} />
    }
    if (field.input === 'choice') return <Choice {...common} key={field.path} field={field} value={text} />
    if (field.input === 'flag') return <Flag {...common} key={field.path} field={field} value={text} />
    if (field.input === 'file') {
      const fault = common.fault ?? faultAt(joinPath(at, field.id))
      return (
        <FileInput key={field.path} field={field} at={path} draft={draft} onChange={onChange} fault={fault} />
      )
    }
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
  const message = fault !== undefined && value.trim() === '' ? t.missing : fault
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
        {...(onEnter ? { rows: 1 } : {})}
        placeholder={onEnter ? name : undefined}
        value={value}
        onChange={onChange}
        fault={message}
        onKeyDown={onEnter ? sendsOn : undefined}
      />
    )
  }
  if (field.input === 'moment') {
    const hint = t.inZone(timeZone())
    const type = 'datetime-local'
    return (
      <TextField label={label} hint={hint} type={type} value={value} onChange={onChange} fault={message} />
    )
  }
  if (field.input === 'color')
    return <TextField label={name} type="color" value={value} onChange={onChange} fault={fault} />
  const mode = MODES[field.input]
  return <TextField label={label} inputMode={mode} value={value} onChange={onChange} fault={message} />
}

const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const MODES = { line: 'text', number: 'decimal', url: 'url', tel: 'tel', email: 'email' } as const

function Flag({
  field,
  value,
  onChange,
  fault,
}: Pick<InputProps, 'value' | 'onChange' | 'fault'> & { field: FlagField }) {
  const t = useTexts(conversationTexts)
  return (
    <div className={fieldsCss.field}>
      <label className={fieldsCss.check}>
        <input
          type="checkbox"
          checked={value !== ''}
          onChange={({ target }) => onChange(target.checked ? 'true' : '')}
        />
        {t.fields[field.label]}
      </label>
      {fault === undefined ? null : (
        <div className={fieldsCss.fault} role="alert">
          {fault}
        </div>
      )}
    </div>
  )
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
  entries: readonly FormDraft[]
  at: string
  onChange(entries: FormDraft[]): void
  fault: string | undefined
  faultAt(path: string): string | undefined
}

function EntryList({ field, entries, at, onChange, fault, faultAt }: EntryListProps) {
  const t = useTexts(conversationTexts)
  const name = t.fields[field.entry]
  return (
    <fieldset className={css.entries}>
      <legend>{t.fields[field.label]}</legend>
      {fault === undefined ? null : (
        <div className={fieldsCss.fault} role="alert">
          {fault}
        </div>
      )}
      {entries.map((entry, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an entry has no other identity than its position
        <fieldset key={index} className={classNames(css.entry, field.fields.length === 1 && css.single)}>
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
