// The event log as it grows: filtered, held still, looked back on; each event opens to what it carries.

import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { LiveEvent } from '../../gateway/live.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import cardCss from '../../ui/card.module.css'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { ErrorNote, PageHead } from '../../ui/page-head.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import { WindowList } from '../../ui/window-list.tsx'
import { ALL_EVENTS, EventFilters, type EventTailFilter, withText } from './event-filters.tsx'
import { eventSummary } from './event-summary.ts'
import css from './events-page.module.css'
import { eventTexts } from './texts/event-texts.ts'
import { useEventTail } from './use-event-tail.ts'

const keyOf = (event: LiveEvent): string => event.id

export function EventsPage() {
  const t = useTexts(eventTexts)
  const [filter, setFilter] = useState<EventTailFilter>(ALL_EVENTS)
  const [chosen, choose] = useState<LiveEvent>()
  const { tail, newest, older, pause, resume } = useEventTail(filter)
  const shown = useMemo(() => withText(tail.entries, filter.text), [tail.entries, filter.text])
  const isFiltered = filter !== ALL_EVENTS
  const hasNothing = shown.length === 0 && (tail.isRead || filter.names.length === 0)
  return (
    <>
      <PageHead
        title={t.title}
        lead={t.lead}
        actions={
          <PauseButton isPaused={tail.isPaused} waiting={tail.waiting.length} {...{ pause, resume }} />
        }
      />
      <EventFilters filter={filter} onChange={setFilter} />
      {newest.error ? <ErrorNote error={newest.error} onRetry={() => void newest.refetch()} /> : null}
      {older.error ? <ErrorNote error={older.error} onRetry={() => older.mutate()} /> : null}
      {hasNothing ? (
        <>
          <NoEvents isFiltered={isFiltered} onClear={() => setFilter(ALL_EVENTS)} />
          <Foot tail={tail} shown={shown.length} older={older} />
        </>
      ) : (
        <div className={classNames(css.events, chosen && css.withEvent)}>
          <div className={css.eventsList}>
            <WindowList
              label={t.list}
              records={shown}
              keyOf={keyOf}
              chosen={chosen?.id}
              onChoose={(event) => choose(event)}
              row={(event) => <EventRow event={event} />}
            />
            <Foot tail={tail} shown={shown.length} older={older} />
          </div>
          <EventView event={chosen} onClose={() => choose(undefined)} />
        </div>
      )}
    </>
  )
}

function NoEvents({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const t = useTexts(eventTexts)
  if (isFiltered) {
    return (
      <EmptyState
        icon="events"
        title={t.nothingFits}
        action={<Button onClick={onClear}>{t.clearFilters}</Button>}
      >
        {t.nothingFitsText}
      </EmptyState>
    )
  }
  const actions = (
    <>
      <ButtonLink kind="primary" href="/conversations">
        {t.toConversations}
      </ButtonLink>
      <ButtonLink href="/instances">{t.toInstances}</ButtonLink>
    </>
  )
  return (
    <EmptyState icon="events" title={t.empty} action={actions}>
      {t.emptyText}
    </EmptyState>
  )
}

function EventRow({ event }: { event: LiveEvent }) {
  const format = useFormat()
  return (
    <div className={css.eventRow}>
      <time className="muted small number" dateTime={event.timestamp} title={format.moment(event.timestamp)}>
        {format.clock(event.timestamp)}
      </time>
      <code className={css.eventName} data-part={event.event.split('.')[0]}>
        {event.event}
      </code>
      <span className="cut">{eventSummary(event)}</span>
      <span className={classNames(css.eventInstance, 'muted small cut')}>{event.instance.instanceName}</span>
    </div>
  )
}

interface PauseProps {
  isPaused: boolean
  waiting: number
  pause(): void
  resume(): void
}

function PauseButton({ isPaused, waiting, pause, resume }: PauseProps) {
  const t = useTexts(eventTexts)
  const format = useFormat()
  if (!isPaused) return <Button onClick={pause}>{t.pause}</Button>
  return (
    <Button kind="primary" onClick={resume}>
      {waiting === 0 ? t.resume : t.resumeWith(format.number(waiting))}
    </Button>
  )
}

interface FootProps extends Pick<ReturnType<typeof useEventTail>, 'tail' | 'older'> {
  /** How many of the entries fit the text. */
  shown: number
}

function Foot({ tail, older, shown }: FootProps) {
  const t = useTexts(eventTexts)
  const format = useFormat()
  return (
    <div className={classNames(css.eventsFoot, 'row apart')}>
      <span className="muted small number">
        {t.count(format.number(shown))} · {tail.isPaused ? t.paused : t.following}
        {shown > 0 ? ` · ${t.choose}` : null}
        {older.data?.searchedTo === undefined
          ? null
          : ` · ${t.searchedTo(format.moment(older.data.searchedTo))}`}
      </span>
      {tail.hasOlder ? (
        <Button small busy={older.isPending} onClick={() => older.mutate()}>
          {t.older}
        </Button>
      ) : tail.isRead ? (
        <span className="muted small">{t.noOlder}</span>
      ) : null}
    </div>
  )
}

function EventView({ event, onClose }: { event: LiveEvent | undefined; onClose(): void }) {
  const t = useTexts(eventTexts)
  const format = useFormat()
  if (!event) return null
  const text = JSON.stringify(event, undefined, 2)
  return (
    <section className={classNames(cardCss.card, css.eventView)} aria-label={event.event}>
      <header>
        <h2>
          <code>{event.event}</code>
        </h2>
        <Button kind="quiet" small onClick={onClose}>
          {t.close}
        </Button>
      </header>
      <p className="muted small">
        {format.moment(event.timestamp)} · {t.sequence(format.number(event.sequence))} ·{' '}
        <Link href={`/instances/${encodeURIComponent(event.instance.apiInstanceName)}`}>
          {event.instance.instanceName}
        </Link>
      </p>
      <TextBlock label={t.body} text={text} copied={JSON.stringify(event)} />
    </section>
  )
}
