// The page of one webhook: its health, its settings and its deliveries.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api } from '../../gateway/api.ts'
import { webhookQuery } from '../../gateway/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Loaded, PageHead } from '../../ui/page-head.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { Deliveries } from './deliveries.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { webhookTexts } from './texts/webhook-texts.ts'
import type { Webhook } from './webhook.ts'
import { type Requested, WebhookDialogs } from './webhook-dialogs.tsx'
import { WebhookEvents, WebhookHealth, WebhookInstance } from './webhook-facts.tsx'
import { WebhookFilter } from './webhook-filter.tsx'

export function WebhookPage({ params }: { params: Record<string, string> }) {
  const t = useTexts(webhookTexts)
  const id = params.id ?? ''
  const query = useQuery(webhookQuery(id))
  return (
    <>
      <Link className="small" href="/webhooks">
        ← {t.back}
      </Link>
      <Loaded query={query}>{({ webhook }) => <WebhookView webhook={webhook} />}</Loaded>
    </>
  )
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts)
  const format = useFormat()
  const { previousSecretExpiresAt } = webhook
  return (
    <>
      <PageHead
        title={webhook.name}
        lead={<span className="mono wrap">{webhook.url}</span>}
        actions={<Actions webhook={webhook} />}
      />
      <Card title={t.details}>
        <Facts
          facts={[
            [t.columns.health, <WebhookHealth key="health" webhook={webhook} />],
            [t.columns.events, <WebhookEvents key="events" webhook={webhook} />],
            [t.columns.instance, <WebhookInstance key="instance" webhook={webhook} />],
            [t.format, t.formats[webhook.format]],
            [t.filter.title, <WebhookFilter key="filter" webhook={webhook} />],
            [
              t.secret,
              <span key="secret">
                <span className="mono">{webhook.secret}</span>
                {previousSecretExpiresAt === null ? null : (
                  <span className="muted small">
                    {' '}
                    {t.previousUntil(format.dateTime(previousSecretExpiresAt))}
                  </span>
                )}
              </span>,
            ],
            [t.created, format.dateTime(webhook.createdAt)],
          ]}
        />
      </Card>
      <Deliveries receiver={{ kind: 'webhook', id: String(webhook.id) }} />
    </>
  )
}

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [, go] = useLocation()
  const [requested, ask] = useState<Requested>()
  const [replaying, setReplaying] = useState(false)
  // It is changed on the page of its instance.
  const isBridge = webhook.format === 'chatwoot'
  const turn = useMutation({
    mutationFn: (enabled: boolean) => api.saveWebhook({ body: { id: webhook.id, enabled } }),
    onSuccess(_answer, enabled) {
      toasts.done(enabled ? t.enabled : t.disabled)
      void queries.invalidateQueries({ queryKey: ['webhooks'] })
    },
    onError: toasts.failed,
  })
  return (
    <>
      <Button onClick={() => ask({ what: 'test', webhook })}>{t.test}</Button>
      <Menu
        label={t.actionsFor(webhook.name)}
        items={[
          { title: t.replaySince, onChoose: () => setReplaying(true) },
          {
            title: webhook.enabled ? t.disable : t.enable,
            onChoose: () => turn.mutate(!webhook.enabled),
          },
          ...(isBridge
            ? []
            : [
                { title: t.edit, onChoose: () => ask({ what: 'edit', webhook }) },
                { title: t.rotate, onChoose: () => ask({ what: 'rotate', webhook }) },
                { title: t.remove, danger: true, onChoose: () => ask({ what: 'remove', webhook }) },
              ]),
        ]}
      />
      <WebhookDialogs requested={requested} ask={ask} onRemoved={() => go('/webhooks')} />
      {replaying ? (
        <ReplayDialog
          receiver={{ kind: 'webhook', id: String(webhook.id) }}
          onClose={() => setReplaying(false)}
        />
      ) : null}
    </>
  )
}
