// The messages of the open conversation: those near the reader are mounted, older ones load on scrolling up.

import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { isSameDay, useTimes } from '../../../chat/times.ts'
import { Button } from '../../../ui/button.tsx'
import { useTexts } from '../../../ui/language.tsx'
import type { KeptSend } from '../composer/kept-sends.ts'
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
import { Bubble } from './bubble.tsx'
import { KeepPlace } from './keep-place.tsx'
import { KeptBubbles } from './kept-bubbles.tsx'
import { focusEdge, moveInLog, useTabStop } from './log-keys.ts'
import { useIsAway, useReached } from './log-scroll.ts'
import type { LogWindow } from './log-window.ts'
import { useMarkRead } from './mark-read.ts'
import css from './thread.module.css'
import { type MountedWindow, useLogWindow } from './use-log-window.ts'

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
