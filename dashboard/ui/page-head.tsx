// The head of a page (title, lead, actions), and the placeholders for loading and errors.

import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Button } from './button.tsx'
import { useTexts } from './language.tsx'
import css from './page-head.module.css'
import { useErrorText } from './refusals/error-text.ts'
import { showTitle } from './show-title.ts'
import { uiTexts } from './texts/ui-texts.ts'

export function PageHead({ title, lead, actions }: { title: string; lead?: ReactNode; actions?: ReactNode }) {
  useEffect(() => {
    showTitle({ page: title })
  }, [title])
  return (
    <div className={css.pageHead}>
      <div className="stack close">
        <h1>{title}</h1>
        {lead === undefined ? null : <p>{lead}</p>}
      </div>
      {actions === undefined ? null : <div className="row">{actions}</div>}
    </div>
  )
}

/** Shows the data of a query or its error. Old data stays visible during a refetch. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children(data: T): ReactNode }) {
  const t = useTexts(uiTexts)
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
  return <p className="muted">{t.loading}</p>
}

export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useTexts(uiTexts)
  const text = useErrorText()
  return (
    <div className="note bad row apart" role="alert">
      <span>{text(error)}</span>
      {onRetry ? (
        <Button small onClick={onRetry}>
          {t.retry}
        </Button>
      ) : null}
    </div>
  )
}
