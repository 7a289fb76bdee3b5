// An open chat: messages by day, typing indicator and composer. Incoming messages are marked as read.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useMemo, useRef, useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { useTimes } from '../../chat/times.ts'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useTexts } from '../../ui/language.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import bubbleCss from './bubble.module.css'
import { Bubble } from './bubble.tsx'
import { previewOf } from './chat-list.tsx'
import { Composer } from './composer.tsx'
import glyphCss from './glyph.module.css'
import { Glyph } from './glyph.tsx'
import { GlyphButton } from './glyph-button.tsx'
import phoneCss from './phone.module.css'
import {
  chatMessagesQuery,
  chatsQuery,
  phoneGroupsQuery,
  pictureOf,
  useAct,
  useNames,
  useTyping,
  type WorldChat,
  type WorldGroup,
  type WorldMessage,
} from './sandbox-queries.ts'
import { ScreenHead } from './screen-head.tsx'
import { phoneTexts } from './texts/phone-texts.ts'
import { isPinnedNow } from './timers.ts'

const GroupSheet = onDemand(async () => (await import('./group-sheet.tsx')).GroupSheet)
const PersonSheet = onDemand(async () => (await import('./person-sheet.tsx')).PersonSheet)

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
  const group = useGroup(number, chat)
  const row = useChat(number, chat)
  const query = useInfiniteQuery(chatMessagesQuery(number, chat))
  const messages = useMemo(
    () => (query.data?.pages ?? []).toReversed().flatMap((page) => page.messages),
    [query.data],
  )
  const [answered, answer] = useState<WorldMessage>()
  const [showsInfo, showInfo] = useState(false)
  const isAdmin =
    group?.members.some((member) => member.number === number && member.role !== 'member') ?? false
  useReading(number, chat, messages, readsByItself)
  const name = row?.name ?? group?.subject ?? names(chat)
  return (
    <>
      <ScreenHead title={name} onBack={onBack}>
        {group ? (
          <Button kind="quiet" small onClick={() => showInfo(true)}>
            {t.memberCount(group.members.length)}
          </Button>
        ) : isGroup ? null : (
          <PersonButtons number={number} chat={chat} name={name} row={row} onInfo={() => showInfo(true)} />
        )}
      </ScreenHead>
      <PinnedLine messages={messages} />
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
            {() => (
              <Bubbles
                number={number}
                messages={messages}
                isGroup={isGroup}
                isAdmin={isAdmin}
                onAnswer={answer}
              />
            )}
          </Loaded>
          <TypingSign number={number} chat={chat} messages={messages} />
        </div>
      </div>
      {group?.announcement && !isAdmin ? (
        <p className={phoneCss.screenNote}>{t.chat.onlyAdmins}</p>
      ) : (
        <Composer number={number} chat={chat} answered={answered} onAnswered={() => answer(undefined)} />
      )}
      {showsInfo && group ? (
        <GroupSheet number={number} group={group} row={row} onClose={() => showInfo(false)} onLeft={onBack} />
      ) : null}
      {showsInfo && !isGroup ? (
        <PersonSheet number={number} chat={chat} row={row} onClose={() => showInfo(false)} onLeft={onBack} />
      ) : null}
    </>
  )
}

/** The group as this phone shows it. */
function useGroup(number: string, chat: string): WorldGroup | undefined {
  const query = useQuery({ ...phoneGroupsQuery(number), enabled: chat.endsWith('@g.us') })
  return query.data?.groups.find(({ jid }) => jid === chat)
}

/** The row of the chat in the list of chats; undefined before its first message. */
function useChat(number: string, chat: string): WorldChat | undefined {
  const { data } = useInfiniteQuery(chatsQuery(number))
  return data?.pages.flatMap((page) => page.chats).find((each) => each.chat === chat)
}

interface PersonButtonsProps {
  number: string
  chat: string
  name: string
  row: WorldChat | undefined
  onInfo(): void
}

function PersonButtons({ number, chat, name, row, onInfo }: PersonButtonsProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const call = (video: boolean) =>
    act(api.sandboxPlaceCall({ params: { number }, body: { to: chat, video } }))
  return (
    <>
      <GlyphButton name="call" label={t.call.voice} onClick={() => call(false)} />
      <GlyphButton name="video" label={t.call.video} onClick={() => call(true)} />
      <button type="button" className={glyphCss.glyphButton} onClick={onInfo}>
        <span className="sr-only">{t.chat.info}</span>
        <Avatar id={chat} title={name} picture={pictureOf(number, row?.pictureId, chat)} />
      </button>
    </>
  )
}

/** The latest pinned message, above the chat. Choosing it scrolls to the message. */
function PinnedLine({ messages }: { messages: readonly WorldMessage[] }) {
  const t = useTexts(phoneTexts)
  const line = useRef<HTMLButtonElement>(null)
  const pinned = messages.findLast(isPinnedNow)
  if (!pinned || pinned.deleted) return null
  const show = () =>
    line.current?.parentElement
      ?.querySelector(`[data-message="${CSS.escape(pinned.id)}"]`)
      ?.scrollIntoView({ block: 'center' })
  return (
    <button ref={line} type="button" className={bubbleCss.pinnedLine} onClick={show}>
      <Glyph name="tack" label={t.act.pinned} />
      <span className="cut">{previewOf(pinned, t)}</span>
    </button>
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
  isAdmin: boolean
  onAnswer(message: WorldMessage): void
}

function Bubbles({ number, messages, isGroup, isAdmin, onAnswer }: BubblesProps) {
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
          isAdmin={isAdmin}
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
