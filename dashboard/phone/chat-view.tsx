// An open chat: bubbles by day, who is typing, and the line to write in. What comes in while it is open is read.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useMemo, useState } from 'react'
import { api } from '../api.ts'
import { useLocale, useTexts } from '../language.tsx'
import { phoneTexts } from '../texts/phone.ts'
import { Button } from '../ui/button.tsx'
import { Loaded } from '../ui/page-head.tsx'
import { chatMessagesQuery, groupsQuery, useNames, useTyping, type WorldMessage } from '../world.ts'
import { Bubble } from './bubble.tsx'
import { Composer } from './composer.tsx'
import { Avatar } from './glyph.tsx'
import { GroupSheet } from './group-sheet.tsx'
import { ScreenHead } from './phone-view.tsx'

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
          <Avatar id={chat} name={name} />
        )}
      </ScreenHead>
      {/* It scrolls from its end, and so must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="bubbles" role="log" aria-label={name} tabIndex={0}>
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

/** Marks what is unread as read once, whenever something new is. */
function useReading(
  number: string,
  chat: string,
  messages: readonly WorldMessage[],
  readsByItself: boolean,
): void {
  const unread = messages.findLast(({ fromMe, status }) => !fromMe && status === 'received')?.id
  useEffect(() => {
    if (unread === undefined || !readsByItself) return
    // The chat stays unread where the network refuses, and the next message tries again.
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
  const locale = useLocale()
  const days = useMemo(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }), [locale])
  // Reactions, votes, edits and deletions are entries too; the message that they are about shows them.
  const shown = messages.filter(({ target }) => target === undefined)
  if (shown.length === 0) return <p className="screen-note">{t.noMessages}</p>
  return shown.map((message, index) => {
    const day = days.format(message.timestamp * 1000)
    const before = shown[index - 1]
    const isNewDay = before === undefined || days.format(before.timestamp * 1000) !== day
    return (
      <Fragment key={message.seq}>
        {isNewDay ? <div className="phone-day">{day}</div> : null}
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
    <div className="phone-bubble typing">
      <span className="sr-only">
        {typing.state === 'recording' ? t.recording : t.someoneTyping(names(typing.from))}
      </span>
      <i className={typing.state} aria-hidden="true">
        <b />
        <b />
        <b />
      </i>
    </div>
  )
}
