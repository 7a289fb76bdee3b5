// The details of one delivery: the body, and each attempt with headers and response.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { DeliveryDetail } from '../../../src/contract/deliveries.ts'
import { DELIVERY_CALLS, type DeliveryReceiver, deliveryQuery } from '../../gateway/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { readable, TextBlock } from '../../ui/text-block.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { AttemptView, headerLines } from './attempt-view.tsx'
import css from './delivery-view.module.css'
import { webhookTexts } from './texts/webhook-texts.ts'

type Detail = z.output<typeof DeliveryDetail>

export function DeliveryView({ receiver, deliveryId }: { receiver: DeliveryReceiver; deliveryId: number }) {
  const query = useQuery(deliveryQuery(receiver, deliveryId))
  return (
    <Loaded query={query}>
      {({ delivery }) => (
        <div className={css.deliveryDetail}>
          <div className="stack">
            <DeliveryFacts delivery={delivery} receiver={receiver} />
            <Attempts delivery={delivery} />
          </div>
          <BodyBlock body={delivery.body} />
        </div>
      )}
    </Loaded>
  )
}

function BodyBlock({ body }: { body: string }) {
  const t = useTexts(webhookTexts)
  return <TextBlock label={t.body} text={readable(body)} copied={body} />
}

function DeliveryFacts({
  delivery,
  receiver: { kind, id },
}: {
  delivery: Detail
  receiver: DeliveryReceiver
}) {
  const t = useTexts(webhookTexts)
  const format = useFormat()
  const toasts = useToasts()
  const queries = useQueryClient()
  const { instance } = delivery
  const replay = useMutation({
    mutationFn: () => DELIVERY_CALLS[kind].replay({ params: { id, deliveryId: String(delivery.id) } }),
    onSuccess() {
      toasts.done(t.replayed)
      void queries.invalidateQueries({ queryKey: ['deliveries'] })
    },
    onError: toasts.failed,
  })
  return (
    <>
      <Facts
        facts={[
          [t.eventId, <code key="id">{delivery.eventId}</code>],
          [
            t.columns.instance,
            <Link key="instance" href={`/instances/${encodeURIComponent(instance.apiInstanceName)}`}>
              {instance.displayName}
            </Link>,
          ],
          [t.sequence, format.number(delivery.sequence)],
          [t.happened, format.moment(delivery.createdAt)],
          ...(delivery.deliveredAt === null
            ? []
            : [[t.deliveredAt, format.moment(delivery.deliveredAt)] as const]),
        ]}
      />
      {delivery.nextTryAt === null ? null : (
        <div className="note warn">{t.nextTry(format.moment(delivery.nextTryAt))}</div>
      )}
      <div>
        <Button small busy={replay.isPending} onClick={() => replay.mutate()}>
          {t.replay}
        </Button>
      </div>
    </>
  )
}

function Attempts({ delivery: { attempts } }: { delivery: Detail }) {
  const t = useTexts(webhookTexts)
  if (attempts.length === 0) return <p className="muted">{t.noAttempts}</p>
  const newestFirst = attempts.map((attempt, index) => ({ attempt, number: index + 1 })).toReversed()
  return (
    <div className="stack">
      <h3>{t.attempts}</h3>
      {newestFirst.map(({ attempt, number }) => (
        <div key={number} className={classNames(css.attempt, 'stack close')}>
          <AttemptView attempt={attempt} title={t.attempt(number)} />
          <details>
            <summary className="small">{t.headers}</summary>
            <TextBlock label={t.headers} text={headerLines(attempt.headers)} />
          </details>
        </div>
      ))}
    </div>
  )
}
