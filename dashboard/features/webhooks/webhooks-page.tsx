// All webhooks of the account with URL, events and health.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { webhooksQuery } from '../../gateway/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Loaded, PageHead } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { webhookTexts } from './texts/webhook-texts.ts'
import type { Webhook } from './webhook.ts'
import { type Requested, WebhookDialogs } from './webhook-dialogs.tsx'
import { WebhookEvents, WebhookHealth, WebhookInstance } from './webhook-facts.tsx'
import css from './webhooks-page.module.css'

export function WebhooksPage() {
  const t = useTexts(webhookTexts)
  const query = useQuery(webhooksQuery)
  const [requested, ask] = useState<Requested>()
  const isEmpty = query.data?.webhooks.length === 0
  const create = (
    <Button kind="primary" onClick={() => ask({ what: 'create' })}>
      {t.create}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title} lead={t.lead} actions={isEmpty ? undefined : create} />
      <Loaded query={query}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <EmptyState icon="webhooks" title={t.empty} action={create}>
              {t.emptyText}
            </EmptyState>
          ) : (
            <WebhookTable webhooks={webhooks} ask={ask} />
          )
        }
      </Loaded>
      <WebhookDialogs requested={requested} ask={ask} />
    </>
  )
}

function WebhookTable({ webhooks, ask }: { webhooks: readonly Webhook[]; ask(requested: Requested): void }) {
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
            <div className={css.webhookName}>
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
          actions: true,
          cell: (webhook) => (
            <Menu
              label={t.actionsFor(webhook.name)}
              items={[
                { title: t.test, onChoose: () => ask({ what: 'test', webhook }) },
                // A bridge is changed on the page of its instance.
                ...(webhook.format === 'chatwoot'
                  ? []
                  : [
                      { title: t.edit, onChoose: () => ask({ what: 'edit', webhook }) },
                      { title: t.rotate, onChoose: () => ask({ what: 'rotate', webhook }) },
                      { title: t.remove, danger: true, onChoose: () => ask({ what: 'remove', webhook }) },
                    ]),
              ]}
            />
          ),
        },
      ]}
    />
  )
}
