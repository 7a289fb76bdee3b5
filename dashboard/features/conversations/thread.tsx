// One conversation: live messages, older ones on scrolling up, and the composer.

import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { useTimes } from '../../chat/times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { Bubble } from './bubble.tsx'
import type { OpenChat } from './chat-address.ts'
import type { ListedInstance } from './chat-list.tsx'
import { isGroup, numberOf, useChatTitle } from './chat-title.ts'
import { Composer } from './composer.tsx'
import {
  type Conversation,
  keyOf,
  newestUnread,
  type ShownMessage,
  senderOf,
  shownMessages,
} from './conversation.ts'
import { groupsQuery, useChats, useConversation } from './conversation-queries.ts'
import { useMarkRead } from './mark-read.ts'
import { conversationTexts } from './texts/conversation-texts.ts'
import css from './thread.module.css'

interface ThreadProps {
  open: OpenChat
  instance: ListedInstance
  /** The address of the list, for narrow screens. */
  listAddress: string
}

export function Thread({ open, instance, listAddress }: ThreadProps) {
  const t = useTexts(conversationTexts)
  const { query, older } = useConversation(open)
  return (
    <section className={css.thread} aria-label={t.messages}>
      <ThreadHead open={open} instance={instance} listAddress={listAddress} />
      <Loaded query={query}>
        {(conversation) => (
          <Log
            conversation={conversation}
            open={open}
            isReading={older.isPending}
            onOlder={() => older.mutate()}
          />
        )}
      </Loaded>
      {query.data === undefined ? null : <ComposerFor open={open} />}
    </section>
  )
}

function ThreadHead({ open, instance, listAddress }: ThreadProps) {
  const t = useTexts(conversationTexts)
  const titleOf = useChatTitle()
  const { read } = useChats([open.instanceName], 1)
  const chat = read[0]?.chats.find((one) => one.remoteJid === open.chat)
  const groups = useQuery({ ...groupsQuery(open.instanceName), enabled: isGroup(open.chat) })
  const group = groups.data?.groups.find((one) => one.groupJid === open.chat)
  const title = titleOf(open.chat, chat, group?.subject)
  const number = chat?.phone ?? numberOf(open.chat)
  const who = group ? t.members(group.size) : number === undefined ? open.chat : `+${number}`
  const facts = [who, instance.displayName].filter((fact) => fact !== title)
  return (
    <header className={css.threadHead}>
      <span className={css.threadBack}>
        <ButtonLink kind="quiet" small href={listAddress} label={t.back}>
          ←
        </ButtonLink>
      </span>
      <Avatar id={open.chat} title={title} picture={chat?.profilePictureUrl ?? group?.profilePictureUrl} />
      <div>
        <h2 className="wrap">{title}</h2>
        <p className="muted small wrap">{facts.join(' · ')}</p>
      </div>
    </header>
  )
}

function ComposerFor({ open }: { open: OpenChat }) {
  const t = useTexts(conversationTexts)
  const number = numberOf(open.chat)
  const to = isGroup(open.chat) ? { groupJid: open.chat } : number === undefined ? undefined : { number }
  if (!to) return <p className={classNames(css.threadNote, 'note warn')}>{t.cannotWrite}</p>
  return <Composer key={`${open.instanceName} ${open.chat}`} open={open} to={to} />
}

interface LogProps {
  conversation: Conversation
  open: OpenChat
  isReading: boolean
  onOlder(): void
}

function Log({ conversation, open, isReading, onOlder }: LogProps) {
  const t = useTexts(conversationTexts)
  const shown = useMemo(() => shownMessages(conversation), [conversation])
  useMarkRead(open, newestUnread(conversation))
  const scroller = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  useHeldPlace(scroller, shown)
  useReached(top, scroller, conversation.hasMore && !isReading, onOlder)
  return (
    // column-reverse keeps the scroll position at the end for new messages, and in place when older ones load.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard
    <div className={css.log} role="log" aria-label={t.messages} tabIndex={0} ref={scroller}>
      <div className={css.logInside}>
        <div className={css.logTop} ref={top}>
          {conversation.hasMore ? (
            <Button small busy={isReading} onClick={onOlder}>
              {t.older}
            </Button>
          ) : (
            <span className="muted small">{shown.length === 0 ? t.nothing : t.beginning}</span>
          )}
        </div>
        <Messages shown={shown} open={open} />
      </div>
    </div>
  )
}

/** Within this distance of the end, the log follows new messages. */
const FOLLOWS_PX = 60

/** Keeps the scroll position of a reader who scrolled up when new messages arrive. */
function useHeldPlace(scroller: RefObject<HTMLElement | null>, shown: readonly ShownMessage[]): void {
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

/** Calls back when the element becomes visible in its scroller. */
function useReached(
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
      ([entry]) => {
        if (entry?.isIntersecting) call.current()
      },
      { root: scroller.current, rootMargin: '300px 0px 0px 0px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, scroller, isWanted])
}

function Messages({ shown, open }: { shown: readonly ShownMessage[]; open: OpenChat }) {
  const times = useTimes()
  const inGroup = isGroup(open.chat)
  return shown.map((one, index) => {
    const before = shown[index - 1]
    const day = times.day(one.message.createdAt)
    const isNewDay = before === undefined || times.day(before.message.createdAt) !== day
    return [
      isNewDay ? (
        <div className={css.day} key={`day ${keyOf(one.message)}`}>
          <span>{day}</span>
        </div>
      ) : null,
      <Bubble
        key={keyOf(one.message)}
        shown={one}
        open={open}
        namesSender={
          inGroup && one.message.direction === 'incoming' && (isNewDay || isOtherSender(before, one))
        }
      />,
    ]
  })
}

const isOtherSender = (before: ShownMessage, one: ShownMessage): boolean =>
  before.message.direction !== one.message.direction ||
  senderOf(before.message.content)?.jid !== senderOf(one.message.content)?.jid
