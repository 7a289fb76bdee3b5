// The head of a page: its name, a sentence, and what can be done here; and what stands there while it loads or fails.
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'

export function PageHead({ title, lead, actions }: { title: string; lead?: ReactNode; actions?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Switchboard`
  }, [title])
  return (
    <div className="page-head">
      <div className="stack close">
        <h1>{title}</h1>
        {lead === undefined ? null : <p>{lead}</p>}
      </div>
      {actions === undefined ? null : <div className="row">{actions}</div>}
    </div>
  )
}

/** Shows what a query read, or why it could not. What was read once stays while it is read anew. */
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
