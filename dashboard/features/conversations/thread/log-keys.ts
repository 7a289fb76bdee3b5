// The keyboard in a conversation: it is one stop of the Tab key, up and down move between its messages, left and right between what
// is in one, Enter opens the actions, and Escape leads back to the composer.
import { type KeyboardEvent, type RefObject, useEffect } from 'react'

const INSIDE = 'a[href], button, audio, video, summary, input, select, textarea, [tabindex]'
/** A panel that is open has its own order. */
const isInPanel = (element: Element): boolean => element.closest('[popover]') !== null

export type LogEdge = 'oldest' | 'newest'

const STEPS: Partial<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
}
const EDGES: Partial<Record<string, LogEdge>> = { Home: 'oldest', End: 'newest' }

/** These use the arrow keys themselves. */
const TAKES_ARROWS = 'input, select, textarea, audio, video'

const messagesIn = (log: HTMLElement): HTMLElement[] => [...log.querySelectorAll<HTMLElement>('article')]
const controlsIn = (message: HTMLElement): HTMLElement[] =>
  [...message.querySelectorAll<HTMLElement>(INSIDE)].filter(
    (element) => !isInPanel(element) && !element.matches(':disabled'),
  )

/** Lists that scroll sideways stay in the order of the Tab key: without it a keyboard could not scroll them. */
const SCROLLS = 'ul'

/** Takes the controls of messages out of the order of the Tab key. */
function leaveOrder(root: Element): void {
  if (!root.closest('article') && root.querySelector('article') === null) return
  for (const element of [root, ...root.querySelectorAll(INSIDE)])
    if (element.matches(INSIDE) && !isInPanel(element) && !element.matches(`article, ${SCROLLS}`))
      (element as HTMLElement).tabIndex = -1
}

/** One message is the stop of the Tab key: the one that had the focus last, otherwise the newest. */
export function useTabStop(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const log = scroller.current
    if (!log) return
    const ended = new AbortController()
    const messages = log.getElementsByTagName('article')
    let stop: HTMLElement | undefined
    let hasHadFocus = false
    const choose = (message: HTMLElement | null) => {
      if (stop === message || !message) return
      if (stop) stop.tabIndex = -1
      message.tabIndex = 0
      stop = message
    }
    const chooseNewest = () => {
      if (!hasHadFocus || !stop?.isConnected) choose(messages.item(messages.length - 1))
    }
    // Players, menus and messages are drawn later as well. Only what is new is visited: a conversation has thousands of messages.
    const observer = new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof Element) leaveOrder(node)
      chooseNewest()
    })
    observer.observe(log, { childList: true, subtree: true })
    leaveOrder(log)
    chooseNewest()
    const follow = ({ target }: FocusEvent) => {
      hasHadFocus = true
      choose((target as HTMLElement).closest('article'))
    }
    log.addEventListener('focusin', follow, { signal: ended.signal })
    return () => {
      observer.disconnect()
      ended.abort()
    }
  }, [scroller])
}

export const focusEdge = (log: HTMLElement, edge: LogEdge): void =>
  messagesIn(log)
    .at(edge === 'oldest' ? 0 : -1)
    ?.focus()

interface Leads {
  /** For Escape in a message. */
  onLeave(): void
  /** For Home and End: not every message is mounted. */
  onEdge(edge: LogEdge): void
}

export function moveInLog(event: KeyboardEvent<HTMLElement>, leads: Leads): void {
  const target = event.target as HTMLElement
  const message = target.closest<HTMLElement>('article')
  if (!message || isInPanel(target) || event.defaultPrevented) return
  // The browser closes the open menu, and leaves the focus on its button.
  if (event.key === 'Escape' && message.querySelector(':popover-open')) return
  const handled = handle(event, { target, message, ...leads })
  if (handled) event.preventDefault()
}

interface KeyTarget extends Leads {
  target: HTMLElement
  message: HTMLElement
}

function handle(
  { key, currentTarget }: KeyboardEvent<HTMLElement>,
  { target, message, onLeave, onEdge }: KeyTarget,
): boolean {
  if (key === 'Escape') {
    if (target === message) onLeave()
    else message.focus()
    return true
  }
  if (target === message && (key === 'Enter' || key === 'ContextMenu')) return openActions(message)
  if (target.matches(TAKES_ARROWS)) return false
  if (key === 'ArrowRight' || key === 'ArrowLeft')
    return moveInside(message, target, key === 'ArrowRight' ? 1 : -1)
  const edge = EDGES[key]
  if (edge) {
    onEdge(edge)
    return true
  }
  const step = STEPS[key]
  if (!step) return false
  const messages = messagesIn(currentTarget)
  messages[step(messages.indexOf(message), messages.length)]?.focus()
  return true
}

function openActions(message: HTMLElement): boolean {
  const button = message.querySelector<HTMLElement>('button[popovertarget]')
  button?.focus()
  button?.click()
  return button !== null
}

/** To the left of the first control is the message itself. */
function moveInside(message: HTMLElement, from: HTMLElement, by: number): boolean {
  const stops = [message, ...controlsIn(message)]
  stops[Math.max(0, Math.min(stops.indexOf(from) + by, stops.length - 1))]?.focus()
  return true
}
