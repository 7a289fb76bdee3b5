// All webhooks of the account: where events go, which ones, and whether they arrive.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../language.tsx'
import { webhooksQuery } from '../queries.ts'
import { uiTexts } from '../texts/ui.ts'
import { webhookTexts } from '../texts/webhooks.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Menu } from '../ui/menu.tsx'
import { Loaded, PageHead } from '../ui/page-head.tsx'
import { Table } from '../ui/table.tsx'
import { type Asked, type Webhook, WebhookDialogs } from './webhook-dialogs.tsx'
import { WebhookEvents, WebhookHealth, WebhookInstance } from './webhook-facts.tsx'

export function WebhooksPage() {
  const t = useTexts(webhookTexts)
  const query = useQuery(webhooksQuery)
  const [asked, ask] = useState<Asked>()
  const create = (
    <Button kind="primary" onClick={() => ask({ what: 'create' })}>
      {t.create}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title} lead={t.lead} actions={create} />
      <Loaded query={query}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <EmptyState title={t.empty}>{t.emptyText}</EmptyState>
          ) : (
            <WebhookTable webhooks={webhooks} ask={ask} />
          )
        }
      </Loaded>
      <WebhookDialogs asked={asked} ask={ask} />
    </>
  )
}

function WebhookTable({ webhooks, ask }: { webhooks: readonly Webhook[]; ask(asked: Asked): void }) {
  const t = useTexts(webhookTexts)
  const ui = useTexts(uiTexts)
  return (
    <Table
      label={t.title}
      records={webhooks}
      keyOf={(webhook) => webhook.id}
      columns={[
        {
          title: t.columns.name,
          cell: (webhook) => (
            <div className="webhook-name">
              <Link className="name-link" href={`/webhooks/${webhook.id}`}>
                {webhook.name}
              </Link>
              <div className="muted mono wrap">{webhook.url}</div>
            </div>
          ),
        },
        { title: t.columns.events, cell: (webhook) => <WebhookEvents webhook={webhook} /> },
        { title: t.columns.instance, cell: (webhook) => <WebhookInstance webhook={webhook} /> },
        { title: t.columns.health, cell: (webhook) => <WebhookHealth webhook={webhook} /> },
        {
          title: ui.actions,
          end: true,
          cell: (webhook) => (
            <Menu
              label={t.actionsFor(webhook.name)}
              items={[
                { title: t.test, onChoose: () => ask({ what: 'test', webhook }) },
                { title: t.edit, onChoose: () => ask({ what: 'edit', webhook }) },
                { title: t.rotate, onChoose: () => ask({ what: 'rotate', webhook }) },
                { title: t.remove, danger: true, onChoose: () => ask({ what: 'remove', webhook }) },
              ]}
            />
          ),
        },
      ]}
    />
  )
}
