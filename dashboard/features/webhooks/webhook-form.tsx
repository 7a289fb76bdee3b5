// The form to create or edit a webhook.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import fieldsCss from '../../ui/fields.module.css'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { faultOf, useErrorText } from '../../ui/refusals/error-text.ts'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { useToasts } from '../../ui/toast.tsx'
import { EventInputs, isEventFault } from './event-inputs.tsx'
import { webhookTexts } from './texts/webhook-texts.ts'
import type { Webhook } from './webhook.ts'
import {
  changesOf,
  chooseFormat,
  type FormatChoice,
  fieldsOf,
  missingIn,
  type WebhookFormFields,
} from './webhook-fields.ts'

export interface WebhookFormProps {
  /** The webhook to edit; undefined to create one. */
  webhook?: Webhook
  onClose(): void
  onSecret(webhook: Webhook): void
}

export function WebhookForm({ webhook, onClose, onSecret }: WebhookFormProps) {
  const t = useTexts(webhookTexts)
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const toasts = useToasts()
  const queries = useQueryClient()
  const [fields, setFields] = useState(() => fieldsOf(webhook))
  const [tried, setTried] = useState(false)
  const change = (changed: Partial<WebhookFormFields>) => setFields({ ...fields, ...changed })
  const save = useMutation({
    mutationFn: () => api.saveWebhook({ body: changesOf(fields, webhook) }),
    onSuccess(answer) {
      void queries.invalidateQueries({ queryKey: ['webhooks'] })
      if (!webhook || fields.secret !== '') onSecret(answer.webhook)
      else {
        toasts.done(t.saved)
        onClose()
      }
    },
  })
  const missing = missingIn(fields, webhook)
  const named = (path: string) => faultOf(save.error, path)
  const isElsewhere =
    isEventFault(save.error) || ['name', 'secret', 'verifyToken'].some((path) => named(path) !== undefined)
  const refusal = save.error && !isElsewhere ? errorText(save.error) : undefined
  return (
    <FormDialog
      title={webhook ? t.editTitle(webhook.name) : t.create}
      action={webhook ? ui.save : t.createSubmit}
      isPending={save.isPending}
      onSubmit={() => {
        setTried(true)
        if (!Object.values(missing).includes(true)) save.mutate()
      }}
      onClose={onClose}
    >
      <TextField
        label={t.url}
        hint={t.urlHint}
        fault={tried && missing.url ? t.urlRequired : refusal}
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        maxLength={2048}
        value={fields.url}
        onChange={(url) => change({ url })}
      />
      <TextField
        label={t.name}
        hint={t.nameHint}
        fault={named('name')}
        maxLength={128}
        value={fields.name}
        onChange={(name) => change({ name })}
      />
      <FormatFields
        fields={fields}
        change={change}
        fault={tried && missing.verifyToken ? t.verifyTokenRequired : named('verifyToken')}
      />
      <EventInputs fields={fields} change={change} error={save.error} missing={tried ? missing : {}} />
      <TextField
        label={t.ownSecret}
        hint={webhook ? t.ownSecretHintEdit : t.ownSecretHint}
        fault={named('secret')}
        type="password"
        autoComplete="new-password"
        maxLength={256}
        value={fields.secret}
        onChange={(secret) => change({ secret })}
      />
      <BatchCheck format={fields.format} isChecked={fields.batch} onChange={(batch) => change({ batch })} />
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

interface FormatFieldsProps {
  fields: WebhookFormFields
  change(changed: Partial<WebhookFormFields>): void
  fault: string | undefined
}

const FORMATS = ['switchboard', 'cloud'] as const satisfies readonly FormatChoice[]

/** The form of the deliveries. Webhooks of a dialect's client and of a bridge keep theirs. */
function FormatFields({ fields: { format, verifyToken }, change, fault }: FormatFieldsProps) {
  const t = useTexts(webhookTexts)
  if (format !== 'switchboard' && format !== 'cloud') return null
  return (
    <>
      <SelectField
        label={t.format}
        value={format}
        options={FORMATS.map((name) => [name, t.formats[name]])}
        onChange={(chosen) => change(chooseFormat(chosen))}
      />
      {format === 'cloud' ? (
        <TextField
          label={t.verifyToken}
          hint={t.verifyTokenHint}
          fault={fault}
          type="password"
          autoComplete="new-password"
          maxLength={256}
          value={verifyToken}
          onChange={(token) => change({ verifyToken: token })}
        />
      ) : null}
    </>
  )
}

interface BatchCheckProps {
  format: Webhook['format']
  isChecked: boolean
  onChange(isChecked: boolean): void
}

/** Only the format of this API has batches. */
function BatchCheck({ format, isChecked, onChange }: BatchCheckProps) {
  const t = useTexts(webhookTexts)
  if (format !== 'switchboard') return null
  return (
    <label className={fieldsCss.check}>
      <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
      {t.batchLabel}
      <span className="muted small">{t.batchHint}</span>
    </label>
  )
}
