// The health of webhooks and destinations: their state now, and their attempts in the range.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { getStatistics } from '../../../src/contract/statistics.ts'
import { destinationsQuery, webhooksQuery } from '../../gateway/queries.ts'
import { Card } from '../../ui/card.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Table } from '../../ui/table.tsx'
import { webhookTexts } from '../webhooks/texts/webhook-texts.ts'
import { WebhookHealth } from '../webhooks/webhook-facts.tsx'
import css from './overview.module.css'
import { overviewTexts } from './texts/overview-texts.ts'

type Counts = z.output<(typeof getStatistics)['answer']>['webhooks']
type Count = Omit<Counts[number], 'id'>

export function WebhooksCard({ counts }: { counts: Counts }) {
  const t = useTexts(overviewTexts)
  const { columns } = useTexts(webhookTexts)
  const format = useFormat()
  const webhooks = useQuery(webhooksQuery).data?.webhooks ?? []
  const destinations = useQuery(destinationsQuery).data?.destinations ?? []
  const countOf = new Map<number, Count>(counts.map(({ id, ...count }) => [id, count]))
  const records = [
    ...webhooks.map((record) => ({ record, href: `/webhooks/${record.id}` })),
    ...destinations.map((record) => ({ record, href: `/destinations/${record.id}` })),
  ]
  const figure = (id: number, kind: keyof Count) => format.number(countOf.get(id)?.[kind] ?? 0)
  return (
    <div className={css.wide}>
      <Card title={t.webhooks}>
        {records.length === 0 ? (
          <p className="muted small">{t.noWebhooks}</p>
        ) : (
          <Table
            label={t.webhooks}
            records={records}
            keyOf={({ record }) => record.id}
            columns={[
              {
                title: columns.name,
                cell: ({ record, href }) => (
                  <Link className="name-link wrap" href={href}>
                    {record.name}
                  </Link>
                ),
              },
              { title: columns.health, cell: ({ record }) => <WebhookHealth webhook={record} /> },
              { title: t.kinds.delivered, end: true, cell: ({ record }) => figure(record.id, 'delivered') },
              { title: t.kinds.retried, end: true, cell: ({ record }) => figure(record.id, 'retried') },
              { title: t.kinds.dead, end: true, cell: ({ record }) => figure(record.id, 'dead') },
              {
                title: t.averageTime,
                end: true,
                cell({ record }) {
                  const count = countOf.get(record.id)
                  return count ? format.milliseconds(count.averageMs) : '–'
                },
              },
            ]}
          />
        )}
      </Card>
    </div>
  )
}
