// One delivery attempt: response, duration and error. The response is untrusted text.

import type { z } from 'zod'
import type { Delivery } from '../../../src/contract/deliveries.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { readable, TextBlock } from '../../ui/text-block.tsx'
import css from './attempt-view.module.css'
import { webhookTexts } from './texts/webhook-texts.ts'

type Attempt = z.output<typeof Delivery>['attempts'][number]

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
          {attempt.status !== null
            ? t.httpStatus(attempt.status)
            : attempt.error === null
              ? t.confirmed
              : t.noAnswer}
        </Badge>
        <span className="muted small number">
          {format.moment(attempt.at)} · {t.took(format.milliseconds(attempt.durationMs))}
        </span>
      </div>
      {attempt.error === null ? null : (
        <p className={classNames(css.attemptError, 'wrap')}>
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
