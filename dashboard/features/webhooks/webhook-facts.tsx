// Short facts about a webhook: events, instance and health.

import { Link } from 'wouter'
import { Badge } from '../../ui/badge.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { webhookTexts } from './texts/webhook-texts.ts'
import type { Webhook } from './webhook.ts'
import css from './webhook-facts.module.css'

export function WebhookEvents({ webhook: { events } }: { webhook: Pick<Webhook, 'events'> }) {
  const t = useTexts(webhookTexts)
  if (events.includes('*')) return <span>{t.allEvents}</span>
  return (
    <span className={css.chips}>
      {events.map((event) => (
        <code key={event}>{event}</code>
      ))}
    </span>
  )
}

export function WebhookInstance({ webhook: { instance } }: { webhook: Pick<Webhook, 'instance'> }) {
  const t = useTexts(webhookTexts)
  if (instance === null) return <span>{t.allInstances}</span>
  return (
    <Link href={`/instances/${encodeURIComponent(instance.apiInstanceName)}`}>{instance.displayName}</Link>
  )
}

type Health = Pick<Webhook, 'enabled' | 'failingSince' | 'disabledReason' | 'disabledAt'>

export function WebhookHealth({ webhook }: { webhook: Health }) {
  const t = useTexts(webhookTexts)
  const format = useFormat()
  const { enabled, failingSince, disabledReason, disabledAt } = webhook
  if (disabledReason !== null) {
    const explain = disabledReason === 'gone' ? t.disabledGone : t.disabledFailing
    return (
      <span className="stack close">
        <span>
          <Badge tone="bad">{t.states.disabled}</Badge>
        </span>
        <span className="muted small">{explain(format.dateTime(disabledAt))}</span>
      </span>
    )
  }
  if (!enabled) return <Badge>{t.states.disabled}</Badge>
  if (failingSince === null) return <Badge tone="good">{t.states.enabled}</Badge>
  return (
    <span className="stack close">
      <span>
        <Badge tone="warn">{t.states.failing}</Badge>
      </span>
      <span className="muted small">{t.failingSince(format.dateTime(failingSince))}</span>
    </span>
  )
}
