// The tail of the log in a page: the newest events as they were when it began, those that the stream brings, older ones on request.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState } from 'react'
import { api } from '../../gateway/api.ts'
import { EVENT_NAMES, type LiveEvent, live } from '../../gateway/live.ts'
import { pollMs } from '../../gateway/queries.ts'
import { type EventTailFilter, fits } from './event-filters.tsx'
import { EMPTY_TAIL, MOST, nextTail } from './event-tail.ts'

const PAGE = 100
/** Where few events fit, looking back reads this many at once, at most this often, until it has enough or rests. */
const READ_AT_ONCE = '500'
const MOST_READS = 10
/** Events of a burst are rendered together. */
const DRAW_MS = 100

function queryOf({ instanceName, names }: EventTailFilter) {
  return {
    ...(instanceName === '' ? {} : { instanceName }),
    ...(names.length === EVENT_NAMES.length ? {} : { events: names.join(',') }),
  }
}

/** Reads older events until a page is full, the log ends, or the limit of one click is reached. */
async function lookBack(filter: EventTailFilter, from: string, signal?: AbortSignal) {
  const events: LiveEvent[] = []
  const limit = filter.names.length === EVENT_NAMES.length ? String(PAGE) : READ_AT_ONCE
  let before = from
  let hasOlder = true
  for (let reads = 0; hasOlder && events.length < PAGE && reads < MOST_READS; reads += 1) {
    const options = signal ? { signal } : {}
    const answer = await api.listEvents({ query: { ...queryOf(filter), before, limit } }, options)
    events.push(...(answer.events as LiveEvent[]))
    before = answer.next ?? before
    hasOlder = answer.hasMore
  }
  return { events, cursor: before, hasOlder, searchedTo: events.at(-1)?.timestamp }
}

export function useEventTail(filter: EventTailFilter) {
  const [tail, dispatch] = useReducer(nextTail, EMPTY_TAIL)
  const [applied, setApplied] = useState(filter)
  // The text only hides events that were read.
  if (applied.names !== filter.names || applied.instanceName !== filter.instanceName) {
    setApplied(filter)
    dispatch({ what: 'clear' })
  }
  const newest = useQuery({
    queryKey: ['events', filter.instanceName, filter.names.join(',')],
    queryFn: ({ signal }) => lookBack(filter, 'end', signal),
    refetchInterval: pollMs,
    enabled: filter.names.length > 0,
    // The next visit of the page starts with the newest events.
    gcTime: 0,
  })
  const { data } = newest
  useEffect(() => {
    if (data) dispatch({ what: 'newest', ...data })
  }, [data])
  useLiveEvents(filter, (events) => dispatch({ what: 'arrived', events }))
  const older = useMutation({
    mutationFn: () => lookBack(filter, tail.cursor ?? 'end'),
    // Pausing keeps the event that the reader looks at in place.
    onMutate: () => dispatch({ what: 'pause' }),
    onSuccess: (found) =>
      dispatch({
        what: 'older',
        ...found,
        hasOlder: found.hasOlder && tail.entries.length + found.events.length < MOST,
      }),
  })
  return {
    tail,
    newest,
    older,
    pause: () => dispatch({ what: 'pause' }),
    resume: () => dispatch({ what: 'resume' }),
  }
}

function useLiveEvents(filter: EventTailFilter, onEvents: (events: LiveEvent[]) => void): void {
  const latest = useRef(onEvents)
  useEffect(() => {
    latest.current = onEvents
  })
  useEffect(() => {
    let came: LiveEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = live.onEvent((event) => {
      if (!fits(filter, event)) return
      came.push(event)
      timer ??= setTimeout(() => {
        timer = undefined
        latest.current(came)
        came = []
      }, DRAW_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [filter])
}
