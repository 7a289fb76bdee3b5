// Keeps what the reader looks at where it is on the screen while messages are added and removed around it.
import { Component, type ReactNode, type RefObject } from 'react'

/** Within this distance of the end, the log follows new messages. */
const FOLLOWS_PX = 60

interface Props {
  scroller: RefObject<HTMLElement | null>
  /** Whether the newest loaded message is mounted. */
  hasEnd: boolean
  children: ReactNode
}

interface Seen {
  /** The first visible message. */
  message: HTMLElement | undefined
  top: number
  /** At the end, the log follows new messages instead. */
  follows: boolean
  hasFocus: boolean
}

/**
 * A class, because React has no other way to measure directly before it changes the document: the reader scrolls on between a
 * render and its commit. The browser's own scroll anchoring is not in every browser.
 */
export class KeepPlace extends Component<Props> {
  override getSnapshotBeforeUpdate({ hasEnd }: Props): Seen | null {
    const log = this.props.scroller.current
    if (!log) return null
    const { top } = log.getBoundingClientRect()
    const isVisible = (message: HTMLElement) => message.getBoundingClientRect().bottom > top
    const message = [...log.querySelectorAll<HTMLElement>('article')].find(isVisible)
    return {
      message,
      top: message?.getBoundingClientRect().top ?? 0,
      follows: hasEnd && log.scrollTop > -FOLLOWS_PX,
      hasFocus: log.contains(document.activeElement),
    }
  }

  override componentDidUpdate(_props: Props, _state: unknown, seen: Seen | null): void {
    const log = this.props.scroller.current
    if (!log || !seen?.message?.isConnected) return
    const { message, top, follows, hasFocus } = seen
    const moved = message.getBoundingClientRect().top - top
    if (!follows && moved !== 0) log.scrollTop += moved
    // The message that had the focus is no longer mounted: without this, the arrow keys would stop working.
    if (hasFocus && !log.contains(document.activeElement)) message.focus({ preventScroll: true })
  }

  override render(): ReactNode {
    return this.props.children
  }
}
