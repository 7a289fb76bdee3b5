// All destinations of the account with type, events and health.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../gateway/api.ts'
import { destinationsQuery } from '../../../gateway/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Loaded, PageHead } from '../../../ui/page-head.tsx'
import { Table } from '../../../ui/table.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { TestDialog } from '../test-dialog.tsx'
import { webhookTexts } from '../texts/webhook-texts.ts'
import { WebhookEvents, WebhookHealth, WebhookInstance } from '../webhook-facts.tsx'
import type { Destination } from './destination.ts'
import { DestinationForm } from './destination-form.tsx'
import { destinationTexts } from './texts/destination-texts.ts'

type Requested = { what: 'create' } | { what: 'edit' | 'test' | 'remove'; destination: Destination }

export function DestinationsPage() {
  const t = useTexts(destinationTexts)
  const query = useQuery(destinationsQuery)
  const [requested, ask] = useState<Requested>()
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
      <Dialogs requested={requested} onClose={() => ask(undefined)} />
    </>
  )
}

interface TableProps {
  destinations: readonly Destination[]
  ask(requested: Requested): void
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
          cell: ({ name, url, type, topic }) => (
            <div>
              <div>
                {name} <span className="muted small">{t.types[type]}</span>
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

/** Pauses or resumes a destination. */
function useTurn() {
  const t = useTexts(destinationTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { id: number; enabled: boolean }) => api.saveDestination({ body }),
    onSuccess(_answer, { enabled }) {
      toasts.done(enabled ? t.resumed : t.paused)
      void queries.invalidateQueries({ queryKey: ['destinations'] })
    },
    onError: toasts.failed,
  })
}

function Dialogs({ requested, onClose }: { requested: Requested | undefined; onClose(): void }) {
  switch (requested?.what) {
    case undefined:
      return null
    case 'create':
      return <DestinationForm onClose={onClose} />
    case 'edit':
      return <DestinationForm destination={requested.destination} onClose={onClose} />
    case 'test': {
      const { id, name, url } = requested.destination
      const send = () => api.testDestination({ params: { id: String(id) } })
      return <TestDialog name={name} url={url} send={send} onClose={onClose} />
    }
    case 'remove':
      return <RemoveDialog destination={requested.destination} onClose={onClose} />
  }
}

function RemoveDialog({ destination, onClose }: { destination: Destination; onClose(): void }) {
  const t = useTexts(destinationTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.deleteDestination({ params: { id: String(destination.id) } }),
    onSuccess() {
      toasts.done(t.removed)
      onClose()
      void queries.invalidateQueries({ queryKey: ['destinations'] })
    },
  })
  return (
    <ConfirmDialog
      title={t.removeTitle(destination.name)}
      text={t.removeText}
      action={t.remove}
      work={remove}
      onClose={onClose}
    />
  )
}
