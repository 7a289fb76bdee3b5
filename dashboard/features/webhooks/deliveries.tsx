// The deliveries of a webhook or a destination, newest first, filtered by status. Each row expands.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { Delivery as DeliverySchema, DeliveryStatus } from '../../../src/contract/deliveries.ts'
import { type DeliveryReceiver, deliveriesQuery } from '../../gateway/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { Pages } from '../../ui/table.tsx'
import css from './deliveries.module.css'
import { DeliveryView } from './delivery-view.tsx'
import { webhookTexts } from './texts/webhook-texts.ts'

type Delivery = z.output<typeof DeliverySchema>
type Filter = DeliveryStatus | 'any'
const TONES: Record<DeliveryStatus, Tone> = {
  pending: 'plain',
  delivered: 'good',
  retrying: 'warn',
  dead: 'bad',
}

export function Deliveries({ receiver }: { receiver: DeliveryReceiver }) {
  const t = useTexts(webhookTexts)
  const [status, setStatus] = useState<Filter>('any')
  const [page, setPage] = useState(1)
  const [opened, open] = useState<number>()
  const query = useQuery(deliveriesQuery(receiver, status, page))
  return (
    <section className="stack" aria-label={t.deliveries}>
      <div className="row apart">
        <h2>{t.deliveries}</h2>
        <SelectField
          label={t.status}
          bare
          value={status}
          options={[['any', t.anyStatus], ...(Object.entries(t.statuses) as [DeliveryStatus, string][])]}
          onChange={(chosen) => {
            setStatus(chosen)
            setPage(1)
          }}
        />
      </div>
      <Loaded query={query}>
        {({ deliveries, hasMore }) =>
          deliveries.length === 0 && page === 1 ? (
            <EmptyState
              icon="events"
              title={t.noDeliveries}
              action={
                status === 'any' ? undefined : <Button onClick={() => setStatus('any')}>{t.showAll}</Button>
              }
            >
              {t.noDeliveriesText}
            </EmptyState>
          ) : (
            <div>
              <ul className={css.deliveries}>
                {deliveries.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    receiver={receiver}
                    delivery={delivery}
                    isOpen={opened === delivery.id}
                    onOpen={() => open(opened === delivery.id ? undefined : delivery.id)}
                  />
                ))}
              </ul>
              <Pages page={page} hasMore={hasMore} onPage={setPage} />
            </div>
          )
        }
      </Loaded>
    </section>
  )
}

/** A broker confirms without a status. */
function useOutcome({ attempts }: Delivery): string {
  const t = useTexts(webhookTexts)
  const last = attempts.at(-1)
  if (last === undefined) return ''
  if (last.status !== null) return t.lastAnswer(last.status)
  return last.error === null ? t.confirmed : t.noAnswer
}

interface RowProps {
  receiver: DeliveryReceiver
  delivery: Delivery
  isOpen: boolean
  onOpen(): void
}

function DeliveryRow({ receiver, delivery, isOpen, onOpen }: RowProps) {
  const t = useTexts(webhookTexts)
  const format = useFormat()
  const outcome = useOutcome(delivery)
  const panel = `delivery-${delivery.id}`
  return (
    <li>
      <button
        type="button"
        className={css.deliveryHead}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={onOpen}
      >
        <Badge tone={TONES[delivery.status]}>{t.statuses[delivery.status]}</Badge>
        <code>{delivery.event}</code>
        <span className="muted small cut">{delivery.instance.displayName}</span>
        <span className={classNames(css.deliveryOutcome, 'muted small number')}>
          {delivery.attempts.length === 0
            ? null
            : [t.tries(delivery.attempts.length), outcome].filter(Boolean).join(' · ')}
          {delivery.nextTryAt === null ? null : <> · {t.nextTry(format.brief(delivery.nextTryAt))}</>}
        </span>
        <time
          className="muted small number"
          dateTime={delivery.createdAt}
          title={format.moment(delivery.createdAt)}
        >
          {format.brief(delivery.createdAt)}
        </time>
      </button>
      {isOpen ? (
        <div id={panel} className={css.deliveryPanel}>
          <DeliveryView receiver={receiver} deliveryId={delivery.id} />
        </div>
      ) : null}
    </li>
  )
}
