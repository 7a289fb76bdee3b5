// The form to create or edit a destination.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DESTINATION_TYPES, DESTINATIONS } from '../../../../src/contract/destination-types.ts'
import { api } from '../../../gateway/api.ts'
import fieldsCss from '../../../ui/fields.module.css'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { faultOf, useErrorText } from '../../../ui/refusals/error-text.ts'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { EventInputs, isEventFault, missingEvents } from '../event-inputs.tsx'
import type { Destination } from './destination.ts'
import { changesOf, type DestinationFormFields, fieldsOf, hasField } from './destination-fields.ts'
import { destinationTexts } from './texts/destination-texts.ts'

export interface DestinationFormProps {
  /** The destination to edit; undefined to create one. */
  destination?: Destination
  onClose(): void
}

const NAMED = ['name', 'username', 'password', 'topic', 'exchange', 'region', 'maxLength', 'instanceName']

export function DestinationForm({ destination, onClose }: DestinationFormProps) {
  const t = useTexts(destinationTexts)
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const toasts = useToasts()
  const queries = useQueryClient()
  const [fields, setFields] = useState(() => fieldsOf(destination))
  const [tried, setTried] = useState(false)
  const change = (changed: Partial<DestinationFormFields>) => setFields({ ...fields, ...changed })
  const save = useMutation({
    mutationFn: () => api.saveDestination({ body: changesOf(fields, destination) }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['destinations'] })
      toasts.done(t.saved)
      onClose()
    },
  })
  const missing = { url: fields.url.trim() === '', ...missingEvents(fields) }
  const named = (path: string) => faultOf(save.error, path)
  const isElsewhere = isEventFault(save.error) || NAMED.some((path) => named(path) !== undefined)
  const refusal = save.error && !isElsewhere ? errorText(save.error) : undefined
  return (
    <FormDialog
      title={destination ? t.editTitle(destination.name) : t.create}
      action={destination ? ui.save : t.createSubmit}
      isPending={save.isPending}
      onSubmit={() => {
        setTried(true)
        if (!Object.values(missing).includes(true)) save.mutate()
      }}
      onClose={onClose}
    >
      {destination ? null : (
        <SelectField
          label={t.type}
          value={fields.type}
          options={DESTINATION_TYPES.map((type) => [type, t.types[type]] as const)}
          onChange={(type) => change({ type })}
        />
      )}
      <TextField
        label={t.url}
        hint={t.urlHint}
        fault={tried && missing.url ? t.urlRequired : refusal}
        placeholder={`${DESTINATIONS[fields.type].secure.scheme}://`}
        autoComplete="off"
        maxLength={2048}
        value={fields.url}
        onChange={(url) => change({ url })}
      />
      <BrokerFields fields={fields} change={change} named={named} hasPassword={destination?.hasPassword} />
      <TextField
        label={t.name}
        hint={t.nameHint}
        fault={named('name')}
        maxLength={128}
        value={fields.name}
        onChange={(name) => change({ name })}
      />
      <EventInputs fields={fields} change={change} error={save.error} missing={tried ? missing : {}} />
      <label className={fieldsCss.check}>
        <input
          type="checkbox"
          checked={fields.enabled}
          onChange={({ target }) => change({ enabled: target.checked })}
        />
        {t.enabledLabel}
      </label>
    </FormDialog>
  )
}

interface BrokerFieldsProps {
  fields: DestinationFormFields
  change(changed: Partial<DestinationFormFields>): void
  named(path: string): string | undefined
  hasPassword: boolean | undefined
}

/** The login, and what only the chosen type has. */
function BrokerFields({ fields, change, named, hasPassword = false }: BrokerFieldsProps) {
  const t = useTexts(destinationTexts)
  const { type } = fields
  const text = (name: 'exchange' | 'topic' | 'region' | 'maxLength', placeholder?: string) =>
    hasField(type, name) ? (
      <TextField
        label={t.fields[name].label}
        hint={t.fields[name].hint}
        fault={named(name)}
        placeholder={placeholder}
        autoComplete="off"
        {...(name === 'maxLength' ? { inputMode: 'numeric' as const } : {})}
        value={fields[name]}
        onChange={(value) => change({ [name]: value })}
      />
    ) : null
  return (
    <>
      <TextField
        label={type === 'sqs' ? t.accessKey : t.username}
        fault={named('username')}
        autoComplete="off"
        maxLength={128}
        value={fields.username}
        onChange={(username) => change({ username })}
      />
      <TextField
        label={type === 'sqs' ? t.secretKey : t.password}
        hint={hasPassword ? t.passwordKept : t.passwordHint}
        fault={named('password')}
        type="password"
        autoComplete="new-password"
        maxLength={512}
        value={fields.password}
        onChange={(password) => change({ password })}
      />
      {text('exchange')}
      {text('topic', DESTINATIONS[type].usualTopic ?? undefined)}
      {text('maxLength')}
      {text('region')}
      {hasField(type, 'homeAssistant') ? (
        <label className={fieldsCss.check}>
          <input
            type="checkbox"
            checked={fields.homeAssistant}
            onChange={({ target }) => change({ homeAssistant: target.checked })}
          />
          {t.homeAssistant}
        </label>
      ) : null}
    </>
  )
}
