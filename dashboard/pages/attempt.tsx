// One try to deliver: what the receiver answered, how long it took, why it does not count. A stranger wrote the answer.
import type { z } from 'zod'
import type { Delivery } from '../../src/contract/deliveries.ts'
import { useFormat, useTexts } from '../language.tsx'
import { webhookTexts } from '../texts/webhooks.ts'
import { Badge } from '../ui/badge.tsx'
import { readable, TextBlock } from '../ui/text-block.tsx'

export type Attempt = z.output<typeof Delivery>['attempts'][number]

export const headerLines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

export function AttemptView({ attempt, title }: { attempt: Attempt; title?: string }) {
  const t = useTexts(webhookTexts)
  const format = useFormat()
  return (
    <div className="stack close">
      <div className="row">
        {title === undefined ? null : <strong>{title}</strong>}
        <Badge tone={attempt.error === null ? 'good' : 'bad'}>
          {attempt.status === null ? t.noAnswer : t.httpStatus(attempt.status)}
        </Badge>
        <span className="muted small number">
          {format.moment(attempt.at)} · {t.took(format.milliseconds(attempt.durationMs))}
        </span>
      </div>
      {attempt.error === null ? null : (
        <p className="attempt-error wrap">
          <span className="muted">{t.error}:</span> {attempt.error}
        </p>
      )}
      {attempt.answer === null ? null : attempt.answer === '' ? (
        <p className="muted small">{t.emptyAnswer}</p>
      ) : (
        <TextBlock label={t.answer} text={readable(attempt.answer)} copied={attempt.answer} />
      )}
    </div>
  )
}
