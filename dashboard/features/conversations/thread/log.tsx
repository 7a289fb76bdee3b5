// The messages of the open conversation: those near the reader are mounted, older ones load on scrolling up.
import {
  Component,
  type ReactNode,
  type Ref,
  type RefObject,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { isSameDay, useTimes } from '../../../chat/times.ts'
import { ApiError } from '../../../gateway/api.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { useTexts } from '../../../ui/language.tsx'
import { useErrorText } from '../../../ui/refusals/error-text.ts'
import type { KeptSend } from '../composer/kept-sends.ts'
import { keptSends } from '../composer/use-kept-sends.ts'
import { MessageText } from '../message/message-parts.tsx'
import { isStatus, type OpenChat } from '../model/chat-address.ts'
import { isGroup } from '../model/chat-title.ts'
import type { Conversation } from '../model/conversation.ts'
import { keyOf, placedAt } from '../model/message-fields.ts'
import {
  firstUnread,
  isJoined,
  isOtherSender,
  newestUnread,
  type ThreadMessage,
} from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import bubbleCss from './bubble.module.css'
import { Bubble } from './bubble.tsx'
import { focusEdge, moveInLog, useTabStop } from './log-keys.ts'
import type { LogWindow } from './log-window.ts'
import { useMarkRead } from './mark-read.ts'
import css from './thread.module.css'
import { type MountedWindow, useIsAway, useLogWindow, useReached } from './use-log-window.ts'

export type LogHandle = Pick<MountedWindow, 'show'>

interface LogProps {
  ref: Ref<LogHandle>
  conversation: Conversation
  shown: readonly ThreadMessage[]
  /** Those that wait for the gateway. */
  kept: readonly KeptSend[]
  open: OpenChat
  isReading: boolean
  onOlder(): void
}

export function Log({ ref, conversation, shown, kept, ...rest }: LogProps) {
  const { open, isReading, onOlder } = rest
  const scroller = useRef<HTMLDivElement>(null)
  const mounted = useLogWindow(scroller, shown)
  const { show } = mounted
  useImperativeHandle(ref, () => ({ show }), [show])
  const t = useTexts(conversationTexts)
  // Status posts cannot be marked as read.
  useMarkRead(open, isStatus(open.chat) ? undefined : newestUnread(conversation))
  const top = useRef<HTMLDivElement>(null)
  useTabStop(scroller)
  const help = useId()
  const hasEnd = mounted.last === shown.length
  const isAway = useIsAway(scroller) || !hasEnd
  // As it was when the reader opened the chat, which marks the messages as read.
  const [unreadFrom] = useState(() => firstUnread(shown))
  const hasStart = mounted.first === 0
  useReached(top, scroller, hasStart && conversation.hasMore && !isReading, onOlder)
  const log = (
    // column-reverse keeps the scroll position at the end for new messages, and in place when older ones load.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its messages have the focus, and their keys are common
    <div
      className={css.log}
      role="log"
      aria-label={t.messages}
      aria-describedby={help}
      ref={scroller}
      onKeyDown={(event) =>
        moveInLog(event, {
          onLeave: () => focusComposer(scroller.current),
          onEdge: (edge) => mounted.toEdge(edge, (log) => focusEdge(log, edge)),
        })
      }
    >
      <span id={help} hidden>
        {t.messageKeys}
      </span>
      <div className={css.logInside}>
        <KeepPlace scroller={scroller} hasEnd={hasEnd}>
          {hasStart ? (
            <LogTop
              ref={top}
              hasMore={conversation.hasMore}
              isReading={isReading}
              isEmpty={shown.length + kept.length === 0}
              onOlder={onOlder}
            />
          ) : null}
          <Messages shown={shown} mounted={mounted} open={open} unreadFrom={unreadFrom} />
          {hasEnd ? <KeptBubbles kept={kept} /> : null}
        </KeepPlace>
      </div>
    </div>
  )
  return (
    <div className={css.logFrame}>
      {log}
      {isAway ? (
        <button
          type="button"
          className={css.toEnd}
          aria-label={t.toEnd}
          onClick={() => mounted.toEdge('newest', (log) => log.scrollTo({ top: 0 }))}
        >
          ↓
        </button>
      ) : null}
    </div>
  )
}

interface LogTopProps {
  ref: Ref<HTMLDivElement>
  hasMore: boolean
  isReading: boolean
  isEmpty: boolean
  onOlder(): void
}

/** Above the oldest loaded message. */
function LogTop({ ref, hasMore, isReading, isEmpty, onOlder }: LogTopProps) {
  const t = useTexts(conversationTexts)
  return (
    <div className={css.logTop} ref={ref}>
      {hasMore ? (
        <Button small busy={isReading} tabIndex={-1} onClick={onOlder}>
          {t.older}
        </Button>
      ) : (
        <span className="muted small">{isEmpty ? t.nothing : t.beginning}</span>
      )}
    </div>
  )
}

const focusComposer = (log: HTMLElement | null): void =>
  log?.closest('section')?.querySelector<HTMLElement>('form textarea')?.focus()

interface MessagesProps {
  shown: readonly ThreadMessage[]
  mounted: LogWindow
  open: OpenChat
  unreadFrom: string | undefined
}

function Messages({ shown, mounted: { first, last }, open, unreadFrom }: MessagesProps) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const hasSenders = isGroup(open.chat) || isStatus(open.chat)
  // One flat list: React finds what is inside a list of lists by position, and would make every message anew when older ones load.
  return shown.slice(first, last).flatMap((one, index) => {
    const before = shown[first + index - 1]
    const isNewDay = before === undefined || !isSameDay(placedAt(before.message), placedAt(one.message))
    return [
      isNewDay ? (
        <div className={css.day} key={`day ${keyOf(one.message)}`}>
          <span>{times.day(placedAt(one.message))}</span>
        </div>
      ) : null,
      keyOf(one.message) === unreadFrom ? (
        <div className={css.unreadLine} key="unread">
          <span>{t.newMessages}</span>
        </div>
      ) : null,
      <Bubble
        key={keyOf(one.message)}
        isJoined={!isNewDay && keyOf(one.message) !== unreadFrom && isJoined(before, one)}
        shown={one}
        open={open}
        namesSender={
          hasSenders && one.message.direction === 'incoming' && (isNewDay || isOtherSender(before, one))
        }
      />,
    ]
  })
}

// Keeps what the reader looks at where it is on the screen while messages are added and removed around it.

/** Within this distance of the end, the log follows new messages. */
const FOLLOWS_PX = 60

interface KeepPlaceProps {
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
class KeepPlace extends Component<KeepPlaceProps> {
  override getSnapshotBeforeUpdate({ hasEnd }: KeepPlaceProps): Seen | null {
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

  override componentDidUpdate(_props: KeepPlaceProps, _state: unknown, seen: Seen | null): void {
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

// Messages that wait for the gateway, at the end of the conversation.

const KeptBubbles = ({ kept }: { kept: readonly KeptSend[] }) =>
  kept.map((send) => <KeptBubble key={send.key} send={send} />)

function KeptBubble({ send }: { send: KeptSend }) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const errorText = useErrorText()
  const { key, text, at, refusal } = send
  const isLate = keptSends.isLate(send)
  return (
    <article
      className={classNames(bubbleCss.bubble, bubbleCss.outgoing)}
      data-status={refusal === undefined ? 'kept' : 'failed'}
      data-kept={key}
      tabIndex={-1}
    >
      <MessageText text={text === '' ? t.keptFile : text} />
      {refusal === undefined ? null : (
        <p className={bubbleCss.bubbleFailure}>
          {t.failed(errorText(new ApiError(400, refusal as ApiError['reason'], refusal)))}
        </p>
      )}
      <div className={bubbleCss.bubbleFoot}>
        <time dateTime={new Date(at).toISOString()}>{times.time(new Date(at).toISOString())}</time>
        {refusal === undefined ? <span>{isLate ? t.keptLong : t.kept}</span> : null}
        {isLate || refusal !== undefined ? (
          <Button kind="quiet" small onClick={() => void keptSends.renew(key)}>
            {t.sendAgain}
          </Button>
        ) : null}
        <Button kind="quiet" small onClick={() => keptSends.discard(key)}>
          {t.discard}
        </Button>
      </div>
    </article>
  )
}
