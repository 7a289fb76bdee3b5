// What can be done with a webhook, each in a dialog: made, edited, tried out, given a new secret, deleted.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { Webhook as WebhookSchema } from '../../src/contract/webhooks.ts'
import { api } from '../api.ts'
import { faultOf, useErrorText } from '../errors.ts'
import { useFormat, useTexts } from '../language.tsx'
import { uiTexts } from '../texts/ui.ts'
import { webhookTexts } from '../texts/webhooks.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField } from '../ui/fields.tsx'
import { useToasts } from '../ui/toast.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookTest } from './webhook-test.tsx'

export type Webhook = z.output<typeof WebhookSchema>
export type Asked =
  | { what: 'create' }
  | { what: 'edit' | 'test' | 'rotate' | 'remove'; webhook: Webhook }
  /** The secret as it is shown once. */
  | { what: 'secret'; webhook: Webhook }

export interface WebhookDialogsProps {
  asked: Asked | undefined
  ask(asked: Asked | undefined): void
  onRemoved?(): void
}

export function WebhookDialogs({ asked, ask, onRemoved }: WebhookDialogsProps) {
  const close = () => ask(undefined)
  const showSecret = (webhook: Webhook) => ask({ what: 'secret', webhook })
  switch (asked?.what) {
    case undefined:
      return null
    case 'create':
      return <WebhookForm onClose={close} onSecret={showSecret} />
    case 'edit':
      return <WebhookForm webhook={asked.webhook} onClose={close} onSecret={showSecret} />
    case 'test':
      return <WebhookTest webhook={asked.webhook} onClose={close} />
    case 'rotate':
      return <RotateDialog webhook={asked.webhook} onClose={close} onSecret={showSecret} />
    case 'secret':
      return <SecretDialog webhook={asked.webhook} onClose={close} />
    case 'remove':
      return <RemoveDialog webhook={asked.webhook} onClose={close} onRemoved={onRemoved} />
  }
}

interface Props {
  webhook: Webhook
  onClose(): void
}

function SecretDialog({ webhook, onClose }: Props) {
  const t = useTexts(webhookTexts)
  const format = useFormat()
  return (
    <Dialog title={t.secretTitle} onClose={onClose}>
      <p>{t.secretText}</p>
      <CopyField label={t.secret} value={webhook.secret} />
      {webhook.previousSecretExpiresAt === null ? null : (
        <p className="muted small">{t.previousUntil(format.dateTime(webhook.previousSecretExpiresAt))}</p>
      )}
      <div className="row end">
        <Button kind="primary" onClick={onClose}>
          {t.understood}
        </Button>
      </div>
    </Dialog>
  )
}

function RotateDialog({ webhook, onClose, onSecret }: Props & { onSecret(webhook: Webhook): void }) {
  const t = useTexts(webhookTexts)
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [hours, setHours] = useState('24')
  const rotate = useMutation({
    mutationFn: () =>
      api.rotateWebhookSecret({
        params: { id: String(webhook.id) },
        body: { overlapHours: hours.trim() === '' ? Number.NaN : Number(hours) },
      }),
    onSuccess(answer) {
      void queries.invalidateQueries({ queryKey: ['webhooks'] })
      onSecret(answer.webhook)
    },
  })
  const fault = rotate.error ? (faultOf(rotate.error, 'overlapHours') ?? errorText(rotate.error)) : undefined
  return (
    <Dialog title={t.rotateTitle(webhook.name)} onClose={onClose}>
      <p>{t.rotateText}</p>
      <Form onSubmit={() => rotate.mutate()}>
        <TextField
          label={t.overlap}
          hint={t.overlapHint}
          fault={fault}
          type="number"
          min={0}
          max={168}
          value={hours}
          onChange={setHours}
        />
        <div className="row end">
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" submit busy={rotate.isPending}>
            {t.rotate}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function RemoveDialog({
  webhook,
  onClose,
  onRemoved,
}: Props & { onRemoved: WebhookDialogsProps['onRemoved'] }) {
  const t = useTexts(webhookTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook({ params: { id: String(webhook.id) } }),
    onSuccess() {
      toasts.done(t.removed)
      onClose()
      onRemoved?.()
      void queries.invalidateQueries({ queryKey: ['webhooks'], exact: true })
    },
  })
  return (
    <ConfirmDialog
      title={t.removeTitle(webhook.name)}
      text={t.removeText}
      action={t.remove}
      work={remove}
      onClose={onClose}
    />
  )
}
