// The page of one destination: its health, its settings and its deliveries.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { destinationQuery } from '../../../gateway/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Facts } from '../../../ui/card.tsx'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Loaded, PageHead } from '../../../ui/page-head.tsx'
import { Deliveries } from '../deliveries.tsx'
import { ReplayDialog } from '../replay-dialog.tsx'
import { webhookTexts } from '../texts/webhook-texts.ts'
import { WebhookEvents, WebhookHealth, WebhookInstance } from '../webhook-facts.tsx'
import { WebhookFilter } from '../webhook-filter.tsx'
import type { Destination } from './destination.ts'
import { DestinationDialogs, type RequestedDestination, useTurn } from './destination-dialogs.tsx'
import { destinationTexts } from './texts/destination-texts.ts'

const receiverOf = ({ id }: Destination) => ({ kind: 'destination', id: String(id) }) as const

export function DestinationPage({ params }: { params: Record<string, string> }) {
  const t = useTexts(destinationTexts)
  const query = useQuery(destinationQuery(params.id ?? ''))
  return (
    <>
      <Link className="small" href="/destinations">
        ← {t.back}
      </Link>
      <Loaded query={query}>{({ destination }) => <DestinationView destination={destination} />}</Loaded>
    </>
  )
}

function DestinationView({ destination }: { destination: Destination }) {
  const t = useTexts(destinationTexts)
  const w = useTexts(webhookTexts)
  const format = useFormat()
  const { topic, exchange, username } = destination
  const optional = [
    [t.fields.exchange.label, exchange],
    [t.fields.topic.label, topic],
    [destination.type === 'sqs' ? t.accessKey : t.username, username],
  ] as const
  return (
    <>
      <PageHead
        title={destination.name}
        lead={<span className="mono wrap">{destination.url}</span>}
        actions={<Actions destination={destination} />}
      />
      <Card title={w.details}>
        <Facts
          facts={[
            [w.columns.health, <WebhookHealth key="health" webhook={destination} />],
            [t.type, t.types[destination.type]],
            ...optional.flatMap(([label, value]) =>
              value ? [[label, <code key={label}>{value}</code>] as const] : [],
            ),
            [w.columns.events, <WebhookEvents key="events" webhook={destination} />],
            [w.columns.instance, <WebhookInstance key="instance" webhook={destination} />],
            [w.filter.title, <WebhookFilter key="filter" webhook={destination} />],
            [w.created, format.dateTime(destination.createdAt)],
          ]}
        />
      </Card>
      <Deliveries receiver={receiverOf(destination)} />
    </>
  )
}

function Actions({ destination }: { destination: Destination }) {
  const t = useTexts(destinationTexts)
  const w = useTexts(webhookTexts)
  const [, go] = useLocation()
  const [requested, ask] = useState<RequestedDestination>()
  const [replaying, setReplaying] = useState(false)
  const turn = useTurn()
  const { id, name, enabled } = destination
  return (
    <>
      <Button onClick={() => ask({ what: 'test', destination })}>{t.test}</Button>
      <Button onClick={() => setReplaying(true)}>{w.replaySince}</Button>
      <Button busy={turn.isPending} onClick={() => turn.mutate({ id, enabled: !enabled })}>
        {enabled ? t.pause : t.resume}
      </Button>
      <Menu
        label={t.actionsFor(name)}
        items={[
          { title: t.edit, onChoose: () => ask({ what: 'edit', destination }) },
          { title: t.remove, danger: true, onChoose: () => ask({ what: 'remove', destination }) },
        ]}
      />
      <DestinationDialogs
        requested={requested}
        onClose={() => ask(undefined)}
        onRemoved={() => go('/destinations')}
      />
      {replaying ? (
        <ReplayDialog receiver={receiverOf(destination)} onClose={() => setReplaying(false)} />
      ) : null}
    </>
  )
}
