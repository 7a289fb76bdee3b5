// The chats of a phone, the latest first: who, what was said last, and how much is unread.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { SameTexts } from '../language.tsx'
import { useLocale, useTexts } from '../language.tsx'
import type { phone as phoneEn } from '../texts/en/phone.ts'
import { phoneTexts } from '../texts/phone.ts'
import { Button } from '../ui/button.tsx'
import { Loaded } from '../ui/page-head.tsx'
import { chatsQuery, useNames, useTyping, type WorldChat, type WorldMessage } from '../world.ts'
import { Avatar, Glyph, Ticks } from './glyph.tsx'
import { ScreenHead } from './phone-view.tsx'

export function ChatList({
  number,
  onOpen,
  onNew,
}: {
  number: string
  onOpen(chat: string): void
  onNew(): void
}) {
  const t = useTexts(phoneTexts)
  const query = useInfiniteQuery(chatsQuery(number))
  return (
    <>
      <ScreenHead title={t.tabs.chats}>
        <button type="button" className="glyph-button" aria-label={t.newChat} onClick={onNew}>
          <Glyph name="plus" />
        </button>
      </ScreenHead>
      <div className="screen-body">
        <Loaded query={query}>
          {({ pages }) => {
            const chats = pages.flatMap((page) => page.chats)
            if (chats.length === 0) return <p className="screen-note">{t.noChats}</p>
            return (
              <ul className="phone-chat-list">
                {chats.map((chat) => (
                  <li key={chat.chat}>
                    <ChatRow number={number} chat={chat} onOpen={() => onOpen(chat.chat)} />
                  </li>
                ))}
              </ul>
            )
          }}
        </Loaded>
        {query.hasNextPage ? (
          <Button
            small
            kind="quiet"
            busy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t.more}
          </Button>
        ) : null}
      </div>
    </>
  )
}

function ChatRow({ number, chat, onOpen }: { number: string; chat: WorldChat; onOpen(): void }) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const locale = useLocale()
  const { last } = chat
  const typing = useTyping(number, chat.chat, last && !last.fromMe ? last.id : undefined)
  return (
    <button type="button" className="chat-row" onClick={onOpen}>
      <Avatar id={chat.chat} name={chat.name} isGroup={chat.isGroup} />
      <span className="chat-row-text">
        <span className="row apart">
          <strong>{chat.name}</strong>
          {last ? <time>{shortTime(last.timestamp, locale)}</time> : null}
        </span>
        <span className="row apart">
          {typing ? (
            <span className="preview is-typing">{typing.state === 'recording' ? t.recording : t.typing}</span>
          ) : (
            <span className="preview">
              {last?.fromMe && last.status !== 'received' ? (
                <Ticks status={last.status} label={t.ticks[last.status]} />
              ) : null}
              {chat.isGroup && last && !last.fromMe ? `${names(last.from)}: ` : null}
              {last ? previewOf(last, t) : null}
            </span>
          )}
          {chat.unread > 0 ? (
            <b className="phone-unread">
              {chat.unread}
              <span className="sr-only"> {t.unread(chat.unread)}</span>
            </b>
          ) : null}
        </span>
      </span>
    </button>
  )
}

const DAY_MS = 86_400_000

function shortTime(timestamp: number, locale: string): string {
  const date = new Date(timestamp * 1000)
  const isRecent = Date.now() - date.getTime() < DAY_MS
  return new Intl.DateTimeFormat(locale, isRecent ? { timeStyle: 'short' } : { dateStyle: 'short' }).format(
    date,
  )
}

/** One line about a message, for lists and quotes. */
export function previewOf(message: WorldMessage, t: SameTexts<typeof phoneEn>): string {
  if (message.deleted) return t.deleted
  if (!message.visible) return t.invisible
  if (message.text) return message.text
  const kind = message.media?.voiceNote ? 'voice' : message.kind
  return kind in t.kinds ? t.kinds[kind as keyof typeof t.kinds] : t.unknownKind(message.kind)
}
