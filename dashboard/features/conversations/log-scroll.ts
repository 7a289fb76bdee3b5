// The scrolling of a conversation: its place is kept, older messages load at its top, and it can be moved to a message.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { keyOf } from './message-fields.ts'
import type { ThreadMessage } from './shown-messages.ts'

/** Within this distance of the end, the log follows new messages. */
const FOLLOWS_PX = 60

/** Keeps the scroll position of a reader who scrolled up when new messages arrive. */
export function useScrollPosition(
  scroller: RefObject<HTMLElement | null>,
  shown: readonly ThreadMessage[],
): void {
  const before = useRef({ height: 0, last: '' })
  useLayoutEffect(() => {
    const log = scroller.current
    const last = shown.at(-1)
    if (!log || !last) return
    const isNew = before.current.last !== '' && before.current.last !== keyOf(last.message)
    if (isNew && log.scrollTop < -FOLLOWS_PX) log.scrollBy(0, before.current.height - log.scrollHeight)
    before.current = { height: log.scrollHeight, last: keyOf(last.message) }
  }, [scroller, shown])
}

/** Further than this from the end, the reader is offered the way back. */
const AWAY_PX = 400

export function useIsAway(scroller: RefObject<HTMLElement | null>): boolean {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const log = scroller.current
    if (!log) return
    const update = () => setAway(log.scrollTop < -AWAY_PX)
    log.addEventListener('scroll', update, { passive: true })
    return () => log.removeEventListener('scroll', update)
  }, [scroller])
  return isAway
}

/** Calls back when the element becomes visible in its scroller. */
export function useReached(
  element: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  isWanted: boolean,
  onReached: () => void,
): void {
  const call = useRef(onReached)
  useEffect(() => {
    call.current = onReached
  })
  useEffect(() => {
    if (!isWanted || !element.current) return
    const observer = new IntersectionObserver(
      // A page that is busy receives several at once: the last one is the current state.
      (entries) => {
        if (entries.at(-1)?.isIntersecting) call.current()
      },
      { root: scroller.current, rootMargin: '300px 0px 0px 0px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, scroller, isWanted])
}

/** Scrolls to a loaded message and focuses it, which marks it. */
export function showMessage(scroller: HTMLElement | null, messageId: string): void {
  const element = scroller?.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`)
  element?.scrollIntoView({ block: 'center' })
  element?.focus({ preventScroll: true })
}
