// The scrolling of a conversation: the way back to its end is offered, older messages load at its top, and it can be moved to a message.
import { type RefObject, useEffect, useRef, useState } from 'react'

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
