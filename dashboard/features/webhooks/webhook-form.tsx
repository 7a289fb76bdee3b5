// The form to create or edit a webhook.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { EVENT_NAMES } from '../../gateway/live.ts'
import fieldsCss from '../../ui/fields.module.css'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { faultOf, useErrorText } from '../../ui/refusals/error-text.ts'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { useToasts } from '../../ui/toast.tsx'
import { InstancePicker } from '../instances/instance-picker.tsx'
import { webhookTexts } from './texts/webhook-texts.ts'
import type { Webhook } from './webhook.ts'
import { changesOf, fieldsOf, missingIn, type WebhookFormFields } from './webhook-fields.ts'
import { FilterInputs, fromFaultOf } from './webhook-filter.tsx'
import css from './webhook-form.module.css'

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
  const missing = missingIn(fields)
  const named = (path: string) => faultOf(save.error, path)
  const fromFault = fromFaultOf(save.error)
  const isElsewhere =
    fromFault !== undefined || ['name', 'secret', 'instanceName'].some((path) => named(path) !== undefined)
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
      <EventChecks
        fields={fields}
        change={change}
        fault={tried && missing.events ? t.eventsRequired : undefined}
      />
      <InstancePicker
        label={t.instance}
        hint={t.instanceHint}
        fault={named('instanceName')}
        value={fields.instanceName}
        all={t.allInstances}
        onChange={(instanceName) => change({ instanceName })}
      />
      <FilterInputs
        fields={fields}
        change={change}
        faults={{
          from: fromFault,
          directions: tried && missing.directions ? t.filter.directionsRequired : undefined,
        }}
      />
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

interface EventChecksProps {
  fields: WebhookFormFields
  change(changed: Partial<WebhookFormFields>): void
  fault: string | undefined
}

/** All events, including future ones, or a selection by name. */
function EventChecks({ fields: { isAll, events }, change, fault }: EventChecksProps) {
  const t = useTexts(webhookTexts)
  return (
    <fieldset className={fieldsCss.field}>
      <legend>{t.events}</legend>
      <label className={fieldsCss.check}>
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ target }) => change({ isAll: target.checked, events: [] })}
        />
        {t.allEvents}
      </label>
      <div className={css.eventChecks}>
        {EVENT_NAMES.map((name) => (
          <label key={name} className={fieldsCss.check}>
            <input
              type="checkbox"
              checked={isAll || events.includes(name)}
              disabled={isAll}
              onChange={({ target }) =>
                change({
                  events: target.checked ? [...events, name] : events.filter((other) => other !== name),
                })
              }
            />
            <code>{name}</code>
            <span className="muted small">{t.eventNames[name]}</span>
          </label>
        ))}
      </div>
      {fault === undefined ? null : (
        <div className={fieldsCss.fault} role="alert">
          {fault}
        </div>
      )}
    </fieldset>
  )
}
