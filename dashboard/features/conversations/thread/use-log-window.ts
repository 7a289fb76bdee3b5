// The window of mounted messages: it follows the reader, and jumps to a message or an edge of the conversation.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { keyOf } from '../model/message-fields.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import type { LogEdge } from './log-keys.ts'
import {
  type LogWindow,
  MOUNTED_AT_FIRST,
  movedWindow,
  nearEdge,
  windowAround,
  windowAtEnd,
} from './log-window.ts'

type Then = (log: HTMLElement) => void

export interface MountedWindow extends LogWindow {
  /** Scrolls to a loaded message and focuses it. */
  show(messageId: string): void
  /** Calls back when the oldest or the newest loaded message is mounted. */
  toEdge(edge: LogEdge, then: Then): void
}

/** By the key of its newest message, because older ones are added before it; without a key it ends with the conversation. */
interface Position {
  until?: string
  size: number
}

function positionOf(shown: readonly ThreadMessage[], { first, last }: LogWindow): Position {
  const newest = shown[last - 1]
  return { size: last - first, ...(newest && last < shown.length && { until: keyOf(newest.message) }) }
}

function windowOf(shown: readonly ThreadMessage[], { until, size }: Position): LogWindow {
  const index = until === undefined ? -1 : shown.findLastIndex(({ message }) => keyOf(message) === until)
  const last = index < 0 ? shown.length : index + 1
  return { first: Math.max(last - size, 0), last }
}

const START: Position = { size: MOUNTED_AT_FIRST }

export function useLogWindow(
  scroller: RefObject<HTMLElement | null>,
  shown: readonly ThreadMessage[],
): MountedWindow {
  const [position, setPosition] = useState(START)
  const current = useMemo(() => windowOf(shown, position), [shown, position])
  const after = useRef<Then>(undefined)
  const reach = (index: number, around: LogWindow, then: Then) => {
    if (!scroller.current) return
    if (index >= current.first && index < current.last) return then(scroller.current)
    after.current = then
    setPosition(positionOf(shown, around))
  }
  const moves: Pick<MountedWindow, 'show' | 'toEdge'> = {
    show(messageId) {
      const index = shown.findLastIndex(({ message }) => message.messageId === messageId)
      if (index >= 0) reach(index, windowAround(shown.length, index), (log) => showMessage(log, messageId))
    },
    toEdge(edge, then) {
      if (edge === 'oldest') reach(0, windowAround(shown.length, 0), then)
      else reach(shown.length - 1, windowAtEnd(shown.length), then)
    },
  }
  const latest = useRef(moves)
  useLayoutEffect(() => {
    latest.current = moves
    const then = after.current
    after.current = undefined
    if (then && scroller.current) then(scroller.current)
  })
  useFrames(scroller, () => {
    const log = scroller.current
    // A log out of sight has no height.
    if (!log || log.clientHeight === 0) return
    const above = log.scrollHeight - log.clientHeight + log.scrollTop
    const next = movedWindow(shown.length, current, nearEdge(above, -log.scrollTop))
    if (next.first !== current.first || next.last !== current.last) setPosition(positionOf(shown, next))
  })
  const show: MountedWindow['show'] = useCallback((messageId) => latest.current.show(messageId), [])
  return { ...current, show, toEdge: moves.toEdge }
}

/** Calls back in the frame after a change and after scrolling, once a frame. */
function useFrames(scroller: RefObject<HTMLElement | null>, onFrame: () => void): void {
  const latest = useRef(onFrame)
  const frame = useRef(0)
  const onNextFrame = useCallback(() => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      latest.current()
    })
  }, [])
  useEffect(() => {
    latest.current = onFrame
    onNextFrame()
  })
  useEffect(() => {
    const log = scroller.current
    log?.addEventListener('scroll', onNextFrame, { passive: true })
    return () => {
      cancelAnimationFrame(frame.current)
      frame.current = 0
      log?.removeEventListener('scroll', onNextFrame)
    }
  }, [scroller, onNextFrame])
}

// The scrolling of a conversation: the way back to its end is offered, older messages load at its top, and it can be moved to a message.

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
function showMessage(scroller: HTMLElement | null, messageId: string): void {
  const element = scroller?.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`)
  element?.scrollIntoView({ block: 'center' })
  element?.focus({ preventScroll: true })
}
