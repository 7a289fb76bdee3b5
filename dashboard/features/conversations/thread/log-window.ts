// Which of the loaded messages are mounted. A conversation has thousands of them, and the browser lays out all that are mounted
// whenever one changes.

/** Indexes of the loaded messages, oldest first: `first` is mounted, `last` is not. */
export interface LogWindow {
  first: number
  last: number
}
export type Edge = 'older' | 'newer'

/** More than any screen shows, so that a reader who turns round finds what was just read. */
export const MOST_MOUNTED = 240
/** At the end and around a message to which the reader jumps; the rest is mounted step by step. */
export const MOUNTED_AT_FIRST = 60
/** Few enough for one frame. */
const STEP = 15
/** Within this distance of an edge, the window moves towards it. */
const NEAR_PX = 1500

/** Which edge the reader is near, from the pixels out of sight above and below. */
export function nearEdge(above: number, below: number): Edge | undefined {
  if (Math.min(above, below) >= NEAR_PX) return undefined
  return above < below ? 'older' : 'newer'
}

/** One step towards the edge. At a limit, or without an edge, a window with room grows at its other side. */
export function movedWindow(count: number, { first, last }: LogWindow, near: Edge | undefined): LogWindow {
  const grown = Math.min(STEP, Math.max(MOST_MOUNTED - (last - first), 0))
  if (near === 'older' && first > 0) {
    const start = Math.max(first - STEP, 0)
    return { first: start, last: Math.min(last, start + MOST_MOUNTED) }
  }
  if (near === 'newer' && last < count) {
    const end = Math.min(last + STEP, count)
    return { first: Math.max(first, end - MOST_MOUNTED), last: end }
  }
  if (first > 0) return { first: Math.max(first - grown, 0), last }
  return { first, last: Math.min(last + grown, count) }
}

/** The window at the end of the conversation. */
export const windowAtEnd = (count: number): LogWindow => ({
  first: Math.max(count - MOUNTED_AT_FIRST, 0),
  last: count,
})

/** The window around a message. */
export function windowAround(count: number, index: number): LogWindow {
  const first = Math.max(index - MOUNTED_AT_FIRST / 2, 0)
  return { first, last: Math.min(first + MOUNTED_AT_FIRST, count) }
}
