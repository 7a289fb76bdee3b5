// The chats of a phone, latest first, with last message and unread count.

import { useInfiniteQuery } from '@tanstack/react-query'
import { Avatar } from '../../chat/avatar.tsx'
import { chatTexts } from '../../chat/texts/chat-texts.ts'
import { Ticks } from '../../chat/ticks.tsx'
import { useTimes } from '../../chat/times.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { SameTexts } from '../../ui/language.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import glyphCss from './glyph.module.css'
import { Glyph } from './glyph.tsx'
import phoneCss from './phone.module.css'
import {
  chatsQuery,
  pictureOf,
  useNames,
  useTyping,
  type WorldChat,
  type WorldMessage,
} from './sandbox-queries.ts'
import { ScreenHead } from './screen-head.tsx'
import type { phone as phoneEn } from './texts/en.ts'
import { phoneTexts } from './texts/phone-texts.ts'
import { isMutedNow } from './timers.ts'

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
        <button type="button" className={glyphCss.glyphButton} aria-label={t.newChat} onClick={onNew}>
          <Glyph name="plus" />
        </button>
      </ScreenHead>
      <div className={phoneCss.screenBody}>
        <Loaded query={query}>
          {({ pages }) => {
            const chats = pages.flatMap((page) => page.chats)
            if (chats.length === 0) return <p className={phoneCss.screenNote}>{t.noChats}</p>
            return <Rows number={number} chats={chats} onOpen={onOpen} />
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

interface RowsProps {
  number: string
  chats: readonly WorldChat[]
  onOpen(chat: string): void
}

/** Pinned chats first, archived ones folded away. */
function Rows({ number, chats, onOpen }: RowsProps) {
  const t = useTexts(phoneTexts)
  const archived = chats.filter((chat) => chat.archived)
  const open = chats.filter((chat) => !chat.archived)
  const ordered = [...open.filter(({ pinned }) => pinned), ...open.filter(({ pinned }) => !pinned)]
  const list = (rows: readonly WorldChat[]) => (
    <ul className={phoneCss.phoneChatList}>
      {rows.map((chat) => (
        <li key={chat.chat}>
          <ChatRow number={number} chat={chat} onOpen={() => onOpen(chat.chat)} />
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {list(ordered)}
      {archived.length === 0 ? null : (
        <details className={classNames(phoneCss.fold, phoneCss.archived)}>
          <summary>{t.chat.archived(archived.length)}</summary>
          {list(archived)}
        </details>
      )}
    </>
  )
}

function ChatRow({ number, chat, onOpen }: { number: string; chat: WorldChat; onOpen(): void }) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const { statuses } = useTexts(chatTexts)
  const times = useTimes()
  const { last } = chat
  const typing = useTyping(number, chat.chat, last && !last.fromMe ? last.id : undefined)
  return (
    <button type="button" className={phoneCss.chatRow} onClick={onOpen}>
      <Avatar id={chat.chat} title={chat.name} picture={pictureOf(number, chat.pictureId, chat.chat)} />
      <span className={phoneCss.chatRowText}>
        <span className="row apart">
          <strong>{chat.name}</strong>
          {last ? <time>{times.short(last.timestamp * 1000)}</time> : null}
        </span>
        <span className="row apart">
          {typing ? (
            <span className={classNames(phoneCss.preview, phoneCss.isTyping)}>
              {typing.state === 'recording' ? t.recording : t.typing}
            </span>
          ) : (
            <span className={phoneCss.preview}>
              {last?.fromMe && last.status !== 'received' ? (
                <Ticks status={last.status} label={statuses[last.status]} />
              ) : null}
              {chat.isGroup && last && !last.fromMe ? `${names(last.from)}: ` : null}
              {last ? previewOf(last, t) : null}
            </span>
          )}
          <ChatSigns chat={chat} />
          {chat.unread > 0 ? (
            <b className={phoneCss.phoneUnread}>
              {chat.unread}
              <span className="sr-only"> {t.unread(chat.unread)}</span>
            </b>
          ) : null}
        </span>
      </span>
    </button>
  )
}

function ChatSigns({ chat }: { chat: WorldChat }) {
  const t = useTexts(phoneTexts)
  return (
    <span className={phoneCss.chatSigns}>
      {chat.disappearingSeconds > 0 ? <Glyph name="clock" label={t.chat.disappearing} /> : null}
      {isMutedNow(chat.mutedUntil) ? <Glyph name="mute" label={t.chat.muted} /> : null}
      {chat.pinned ? <Glyph name="tack" label={t.chat.pin} /> : null}
      {chat.markedUnread && chat.unread === 0 ? (
        <b className={phoneCss.phoneUnread}>
          <span className="sr-only">{t.chat.isMarked}</span>
        </b>
      ) : null}
    </span>
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
