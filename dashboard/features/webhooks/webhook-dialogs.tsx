// The dialogs of a webhook: create, edit, test, new secret, delete.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../gateway/api.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { RotateDialog } from '../../ui/rotate-dialog.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { TestDialog } from './test-dialog.tsx'
import { webhookTexts } from './texts/webhook-texts.ts'
import type { Webhook } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

export type Requested =
  | { what: 'create' }
  | { what: 'edit' | 'test' | 'rotate' | 'remove'; webhook: Webhook }
  /** Shows the secret once. */
  | { what: 'secret'; webhook: Webhook }

export interface WebhookDialogsProps {
  requested: Requested | undefined
  ask(requested: Requested | undefined): void
  onRemoved?(): void
}

export function WebhookDialogs({ requested, ask, onRemoved }: WebhookDialogsProps) {
  const close = () => ask(undefined)
  const showSecret = (webhook: Webhook) => ask({ what: 'secret', webhook })
  switch (requested?.what) {
    case undefined:
      return null
    case 'create':
      return <WebhookForm onClose={close} onSecret={showSecret} />
    case 'edit':
      return <WebhookForm webhook={requested.webhook} onClose={close} onSecret={showSecret} />
    case 'test': {
      const { id, name, url } = requested.webhook
      const send = () => api.testWebhook({ params: { id: String(id) } })
      return <TestDialog name={name} url={url} send={send} onClose={close} />
    }
    case 'rotate':
      return <ReplaceDialog webhook={requested.webhook} onClose={close} onSecret={showSecret} />
    case 'secret':
      return <SecretDialog webhook={requested.webhook} onClose={close} />
    case 'remove':
      return <RemoveDialog webhook={requested.webhook} onClose={close} onRemoved={onRemoved} />
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
    <ShownOnce
      title={t.secretTitle}
      text={t.secretText}
      label={t.secret}
      secret={webhook.secret}
      action={t.understood}
      onClose={onClose}
    >
      {webhook.previousSecretExpiresAt === null ? null : (
        <p className="muted small">{t.previousUntil(format.dateTime(webhook.previousSecretExpiresAt))}</p>
      )}
    </ShownOnce>
  )
}

function ReplaceDialog({ webhook, onClose, onSecret }: Props & { onSecret(webhook: Webhook): void }) {
  const t = useTexts(webhookTexts)
  const queries = useQueryClient()
  const rotate = useMutation({
    mutationFn: (overlapHours: number) =>
      api.rotateWebhookSecret({ params: { id: String(webhook.id) }, body: { overlapHours } }),
    onSuccess(answer) {
      void queries.invalidateQueries({ queryKey: ['webhooks'] })
      onSecret(answer.webhook)
    },
  })
  return <RotateDialog title={t.rotateTitle(webhook.name)} words={t} work={rotate} onClose={onClose} />
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
