// An open chat: messages by day, typing indicator and composer. Incoming messages are marked as read.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useMemo, useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { useTimes } from '../../chat/times.ts'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import bubbleCss from './bubble.module.css'
import { Bubble } from './bubble.tsx'
import { Composer } from './composer.tsx'
import { GroupSheet } from './group-sheet.tsx'
import phoneCss from './phone.module.css'
import { chatMessagesQuery, groupsQuery, useNames, useTyping, type WorldMessage } from './sandbox-queries.ts'
import { ScreenHead } from './screen-head.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

export interface ChatViewProps {
  number: string
  /** A number or the id of a group. */
  chat: string
  readsByItself: boolean
  onBack(): void
}

export function ChatView({ number, chat, readsByItself, onBack }: ChatViewProps) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const isGroup = chat.endsWith('@g.us')
  const group = useQuery({ ...groupsQuery, enabled: isGroup }).data?.groups.find(({ jid }) => jid === chat)
  const query = useInfiniteQuery(chatMessagesQuery(number, chat))
  const messages = useMemo(
    () => (query.data?.pages ?? []).toReversed().flatMap((page) => page.messages),
    [query.data],
  )
  const [answered, answer] = useState<WorldMessage>()
  const [showsGroup, showGroup] = useState(false)
  useReading(number, chat, messages, readsByItself)
  const name = isGroup ? (group?.subject ?? chat) : names(chat)
  return (
    <>
      <ScreenHead title={name} onBack={onBack}>
        {group ? (
          <Button kind="quiet" small onClick={() => showGroup(true)}>
            {t.memberCount(group.members.length)}
          </Button>
        ) : (
          <Avatar id={chat} title={name} />
        )}
      </ScreenHead>
      {/* It scrolls, so it must be focusable. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={bubbleCss.bubbles} role="log" aria-label={name} tabIndex={0}>
        <div>
          {query.hasNextPage ? (
            <Button small busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t.earlier}
            </Button>
          ) : null}
          <Loaded query={query}>
            {() => <Bubbles number={number} messages={messages} isGroup={isGroup} onAnswer={answer} />}
          </Loaded>
          <TypingSign number={number} chat={chat} messages={messages} />
        </div>
      </div>
      <Composer number={number} chat={chat} answered={answered} onAnswered={() => answer(undefined)} />
      {showsGroup && group ? (
        <GroupSheet number={number} group={group} onClose={() => showGroup(false)} onLeft={onBack} />
      ) : null}
    </>
  )
}

/** Marks the chat as read once per new message. */
function useReading(
  number: string,
  chat: string,
  messages: readonly WorldMessage[],
  readsByItself: boolean,
): void {
  const unread = messages.findLast(({ fromMe, status }) => !fromMe && status === 'received')?.id
  useEffect(() => {
    if (unread === undefined || !readsByItself) return
    // If the network refuses, the chat stays unread until the next message.
    api.sandboxRead({ params: { number }, body: { chat } }).catch(() => undefined)
  }, [number, chat, unread, readsByItself])
}

interface BubblesProps {
  number: string
  messages: readonly WorldMessage[]
  isGroup: boolean
  onAnswer(message: WorldMessage): void
}

function Bubbles({ number, messages, isGroup, onAnswer }: BubblesProps) {
  const t = useTexts(phoneTexts)
  const times = useTimes()
  // Reactions, votes, edits and deletions are shown on their target message.
  const shown = messages.filter(({ target }) => target === undefined)
  if (shown.length === 0) return <p className={phoneCss.screenNote}>{t.noMessages}</p>
  return shown.map((message, index) => {
    const day = times.day(message.timestamp * 1000)
    const before = shown[index - 1]
    const isNewDay = before === undefined || times.day(before.timestamp * 1000) !== day
    return (
      <Fragment key={message.seq}>
        {isNewDay ? <div className={bubbleCss.phoneDay}>{day}</div> : null}
        <Bubble
          number={number}
          message={message}
          showsAuthor={isGroup && !message.fromMe && (isNewDay || before?.from !== message.from)}
          onAnswer={() => onAnswer(message)}
        />
      </Fragment>
    )
  })
}

function TypingSign({
  number,
  chat,
  messages,
}: {
  number: string
  chat: string
  messages: readonly WorldMessage[]
}) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const typing = useTyping(number, chat, messages.findLast(({ fromMe }) => !fromMe)?.id)
  if (!typing) return null
  return (
    <div className={classNames(bubbleCss.phoneBubble, bubbleCss.typing)}>
      <span className="sr-only">
        {typing.state === 'recording' ? t.recording : t.someoneTyping(names(typing.from))}
      </span>
      <i className={typing.state === 'recording' ? bubbleCss.recording : undefined} aria-hidden="true">
        <b />
        <b />
        <b />
      </i>
    </div>
  )
}
