// All destinations of the account with type, events and health.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { destinationsQuery } from '../../../gateway/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Loaded, PageHead } from '../../../ui/page-head.tsx'
import { Table } from '../../../ui/table.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { webhookTexts } from '../texts/webhook-texts.ts'
import { WebhookEvents, WebhookHealth, WebhookInstance } from '../webhook-facts.tsx'
import type { Destination } from './destination.ts'
import { DestinationDialogs, type RequestedDestination, useTurn } from './destination-dialogs.tsx'
import { destinationTexts } from './texts/destination-texts.ts'

export function DestinationsPage() {
  const t = useTexts(destinationTexts)
  const query = useQuery(destinationsQuery)
  const [requested, ask] = useState<RequestedDestination>()
  const create = (
    <Button kind="primary" onClick={() => ask({ what: 'create' })}>
      {t.create}
    </Button>
  )
  const isEmpty = query.data?.destinations.length === 0
  return (
    <>
      <PageHead title={t.title} lead={t.lead} actions={isEmpty ? undefined : create} />
      <Loaded query={query}>
        {({ destinations }) =>
          destinations.length === 0 ? (
            <EmptyState icon="destinations" title={t.empty} action={create}>
              {t.emptyText}
            </EmptyState>
          ) : (
            <DestinationTable destinations={destinations} ask={ask} />
          )
        }
      </Loaded>
      <DestinationDialogs requested={requested} onClose={() => ask(undefined)} />
    </>
  )
}

interface TableProps {
  destinations: readonly Destination[]
  ask(requested: RequestedDestination): void
}

function DestinationTable({ destinations, ask }: TableProps) {
  const t = useTexts(destinationTexts)
  const ui = useTexts(uiTexts)
  const { columns } = useTexts(webhookTexts)
  const turn = useTurn()
  return (
    <Table
      label={t.title}
      records={destinations}
      keyOf={(destination) => destination.id}
      columns={[
        {
          title: columns.name,
          cell: ({ id, name, url, type, topic }) => (
            <div>
              <div>
                <Link className="name-link" href={`/destinations/${id}`}>
                  {name}
                </Link>{' '}
                <span className="muted small">{t.types[type]}</span>
              </div>
              <div className="muted mono wrap">{[url, topic].filter(Boolean).join(' · ')}</div>
            </div>
          ),
        },
        { title: columns.events, cell: (destination) => <WebhookEvents webhook={destination} /> },
        { title: columns.instance, cell: (destination) => <WebhookInstance webhook={destination} /> },
        { title: columns.health, cell: (destination) => <WebhookHealth webhook={destination} /> },
        {
          title: ui.actions,
          actions: true,
          cell: (destination) => (
            <Menu
              label={t.actionsFor(destination.name)}
              items={[
                { title: t.test, onChoose: () => ask({ what: 'test', destination }) },
                { title: t.edit, onChoose: () => ask({ what: 'edit', destination }) },
                {
                  title: destination.enabled ? t.pause : t.resume,
                  onChoose: () => turn.mutate({ id: destination.id, enabled: !destination.enabled }),
                },
                { title: t.remove, danger: true, onChoose: () => ask({ what: 'remove', destination }) },
              ]}
            />
          ),
        },
      ]}
    />
  )
}
