// A webhook's fields: to make one, or to change what it has.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EventName } from '../../src/contract/events.ts'
import { api } from '../api.ts'
import { faultOf, useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { EVENT_NAMES } from '../live.ts'
import { uiTexts } from '../texts/ui.ts'
import { webhookTexts } from '../texts/webhooks.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField } from '../ui/fields.tsx'
import { InstancePicker } from '../ui/instance-picker.tsx'
import { useToasts } from '../ui/toast.tsx'
import type { Webhook } from './webhook-dialogs.tsx'

interface Fields {
  url: string
  name: string
  isAll: boolean
  events: readonly EventName[]
  instanceName: string
  enabled: boolean
  secret: string
}

export interface WebhookFormProps {
  /** The one to change; without it one is made. */
  webhook?: Webhook
  onClose(): void
  onSecret(webhook: Webhook): void
}

const fieldsOf = (webhook: Webhook | undefined): Fields => ({
  url: webhook?.url ?? '',
  name: webhook?.name ?? '',
  isAll: webhook?.events.includes('*') ?? true,
  events: webhook?.events.filter((event) => event !== '*') ?? [],
  instanceName: webhook?.instance?.apiInstanceName ?? '',
  enabled: webhook?.enabled ?? true,
  secret: '',
})

/** On update, what is left out stays: only what was changed is sent. */
function changesOf(fields: Fields, before: Webhook | undefined) {
  const events = fields.isAll ? (['*'] as const) : fields.events
  return {
    ...(before ? { id: before.id } : {}),
    ...(fields.url === before?.url ? {} : { url: fields.url.trim() }),
    ...(fields.name.trim() === '' || fields.name === before?.name ? {} : { name: fields.name.trim() }),
    events: [...events],
    ...(fields.instanceName === '' ? {} : { instanceName: fields.instanceName }),
    ...(fields.enabled === before?.enabled ? {} : { enabled: fields.enabled }),
    ...(fields.secret === '' ? {} : { secret: fields.secret }),
  }
}

export function WebhookForm({ webhook, onClose, onSecret }: WebhookFormProps) {
  const t = useTexts(webhookTexts)
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const toasts = useToasts()
  const queries = useQueryClient()
  const [fields, setFields] = useState(() => fieldsOf(webhook))
  const [tried, setTried] = useState(false)
  const change = (changed: Partial<Fields>) => setFields({ ...fields, ...changed })
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
  const noUrl = fields.url.trim() === ''
  const noEvents = !fields.isAll && fields.events.length === 0
  const named = (path: string) => faultOf(save.error, path)
  const isElsewhere = ['name', 'secret', 'instanceName'].some((path) => named(path) !== undefined)
  const refusal = save.error && !isElsewhere ? errorText(save.error) : undefined
  return (
    <Dialog title={webhook ? t.editTitle(webhook.name) : t.create} onClose={onClose}>
      <Form
        onSubmit={() => {
          setTried(true)
          if (!noUrl && !noEvents) save.mutate()
        }}
      >
        <TextField
          label={t.url}
          hint={t.urlHint}
          fault={tried && noUrl ? t.urlRequired : refusal}
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
          fault={tried && noEvents ? t.eventsRequired : undefined}
        />
        <InstancePicker
          label={t.instance}
          hint={webhook?.instance ? t.instanceKept : t.instanceHint}
          fault={named('instanceName')}
          value={fields.instanceName}
          all={webhook?.instance ? undefined : t.allInstances}
          onChange={(instanceName) => change({ instanceName })}
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
        <label className="check">
          <input
            type="checkbox"
            checked={fields.enabled}
            onChange={({ target }) => change({ enabled: target.checked })}
          />
          {t.enabledLabel}
        </label>
        <div className="row end">
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" submit busy={save.isPending}>
            {webhook ? ui.save : t.createSubmit}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

interface EventChecksProps {
  fields: Fields
  change(changed: Partial<Fields>): void
  fault: string | undefined
}

/** All of them, those to come included; or some by name. */
function EventChecks({ fields: { isAll, events }, change, fault }: EventChecksProps) {
  const t = useTexts(webhookTexts)
  return (
    <fieldset className="field">
      <legend>{t.events}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ target }) => change({ isAll: target.checked, events: [] })}
        />
        {t.allEvents}
      </label>
      <div className="event-checks">
        {EVENT_NAMES.map((name) => (
          <label key={name} className="check">
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
        <div className="fault" role="alert">
          {fault}
        </div>
      )}
    </fieldset>
  )
}
