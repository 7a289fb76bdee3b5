// One conversation: live messages, older ones on scrolling up, and the composer.

import { useQuery } from '@tanstack/react-query'
import { type RefObject, useCallback, useId, useMemo, useRef, useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { isSameDay, useTimes } from '../../chat/times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useTexts } from '../../ui/language.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { MessageDialog } from './actions/message-dialogs.tsx'
import type { RequestedDialog } from './actions/requested-dialog.ts'
import { Bubble } from './bubble.tsx'
import { isStatus, type OpenChat } from './chat-address.ts'
import type { ListedInstance } from './chat-list.tsx'
import { ChatSearch } from './chat-search.tsx'
import { ChatMenu } from './chat-settings/chat-menu.tsx'
import { useChatFacts } from './chat-settings/use-chat-facts.ts'
import { addressOfGroup, isGroup, numberOf, useChatTitle } from './chat-title.ts'
import { Composer } from './composer.tsx'
import type { Conversation } from './conversation.ts'
import { groupsQuery, useChat, useConversation } from './conversation-queries.ts'
import { DropArea } from './drop-area.tsx'
import { fileOf } from './files/message-file.ts'
import { KeptBubbles } from './kept/kept-bubbles.tsx'
import type { KeptSend } from './kept/kept-sends.ts'
import { useKeptSends } from './kept/use-kept-sends.ts'
import { moveInLog, useTabStop } from './log-keys.ts'
import { showMessage, useIsAway, useReached, useScrollPosition } from './log-scroll.ts'
import { useMarkRead, useRemoveMark } from './mark-read.ts'
import { keyOf, placedAt } from './message-fields.ts'
import { OfflineNote } from './offline-note.tsx'
import { PinnedMessages } from './pinned-messages.tsx'
import type { SendRecipient } from './send-body.ts'
import { newestUnread, shownMessages, type ThreadMessage } from './shown-messages.ts'
import { conversationTexts } from './texts/conversation-texts.ts'
import css from './thread.module.css'
import { ThreadContext } from './thread-context.ts'
import { firstUnread, isJoined, isOtherSender } from './thread-groups.ts'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import { useJump } from './use-jump.ts'
import { useNames } from './use-names.ts'
import { useThreadActions } from './use-thread-actions.ts'

const Viewer = onDemand(async () => (await import('./files/viewer.tsx')).Viewer)

interface ThreadProps {
  open: OpenChat
  instance: ListedInstance
  /** The address of the list, for narrow screens. */
  listAddress: string
  /** The message to show, from a search. */
  messageId?: string | undefined
}

interface Requested {
  dialog: RequestedDialog
  shown: ThreadMessage
}

export function Thread({ open, instance, listAddress, messageId }: ThreadProps) {
  const t = useTexts(conversationTexts)
  const { query, older } = useConversation(open)
  const scroller = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => (query.data ? shownMessages(query.data) : []), [query.data])
  const [reply, setReply] = useState<ThreadMessage>()
  const [requested, ask] = useState<Requested>()
  const [dropped, setDropped] = useState<readonly File[]>([])
  const onTaken = useCallback(() => setDropped([]), [])
  const kept = useKeptSends(open)
  const [viewed, view] = useState<ThreadMessage>()
  const nameOf = useNames(open, instance, shown)
  const { isAdmin } = useGroup(open) ?? { isAdmin: false }
  const actions = useThreadActions(open, shown, { reply: setReply, ask })
  const [isSearching, setSearching] = useState(false)
  const show = useCallback((id: string) => showMessage(scroller.current, id), [])
  const jump = useJump(messageId, {
    shown,
    canRead: query.data?.hasMore === true && !older.isPending,
    readOlder: older.mutate,
    show,
  })
  const content = useMemo(
    () => ({
      ...actions,
      nameOf,
      isAdmin,
      show,
      view,
    }),
    [actions, nameOf, isAdmin, show],
  )
  return (
    <ThreadContext value={content}>
      <DropArea label={t.messages} className={css.thread} onFiles={setDropped}>
        <ThreadHead
          open={open}
          instance={instance}
          listAddress={listAddress}
          onSearch={() => setSearching(true)}
        />
        {isSearching ? <ChatSearch open={open} onJump={jump} onClose={() => setSearching(false)} /> : null}
        <PinnedMessages shown={shown} />
        <OfflineNote />
        {query.data ? (
          <Log
            scroller={scroller}
            conversation={query.data}
            shown={shown}
            kept={kept}
            open={open}
            isReading={older.isPending}
            onOlder={() => older.mutate()}
          />
        ) : query.error ? (
          <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <ThreadSkeleton />
        )}
        {query.data === undefined ? null : (
          <ComposerFor
            open={open}
            reply={reply}
            onReplied={() => setReply(undefined)}
            dropped={dropped}
            onTaken={onTaken}
            takesFocus={messageId === undefined}
          />
        )}
      </DropArea>
      {viewed ? (
        <Viewer
          pictures={shown.filter(isViewable)}
          viewed={viewed}
          onMove={view}
          onClose={() => view(undefined)}
        />
      ) : null}
      {requested ? <MessageDialog {...requested} open={open} onClose={() => ask(undefined)} /> : null}
    </ThreadContext>
  )
}

const isViewable = ({ message, deletedBy }: ThreadMessage): boolean =>
  deletedBy === null && message.type === 'image' && fileOf(message)?.isReadable === true

/** The group of the chat; undefined for a chat with a person. */
function useGroup({ instanceName, chat }: OpenChat) {
  const { data } = useQuery({ ...groupsQuery(instanceName), enabled: isGroup(chat) })
  return data?.groups.find(({ groupJid }) => groupJid === chat)
}

type HeadProps = Omit<ThreadProps, 'messageId'> & { onSearch(): void }

function ThreadHead({ open, instance, listAddress, onSearch }: HeadProps) {
  const t = useTexts(conversationTexts)
  const titleOf = useChatTitle()
  const factsOf = useChatFacts()
  const chat = useChat(open)
  useRemoveMark(open, chat)
  const group = useGroup(open)
  const title = titleOf(open.chat, chat, group?.subject)
  const number = chat?.phone ?? numberOf(open.chat)
  const who = group ? t.members(group.size) : number === undefined ? open.chat : `+${number}`
  const about = isStatus(open.chat) ? t.statusAbout : who
  const facts = [about, instance.displayName, ...factsOf(chat)].filter((fact) => fact !== title)
  return (
    <header className={css.threadHead}>
      <span className={css.threadBack}>
        <ButtonLink kind="quiet" small href={listAddress} label={t.back}>
          ←
        </ButtonLink>
      </span>
      <Avatar
        id={open.chat}
        title={title}
        picture={chat?.profilePictureUrl ?? group?.profilePictureUrl ?? null}
      />
      <div className={css.threadTitle}>
        <h2 className="cut">{title}</h2>
        <p className="muted small cut">{facts.join(' · ')}</p>
      </div>
      <Button kind="quiet" small aria-label={t.searchChat} onClick={onSearch}>
        <Icon name="search" />
      </Button>
      {chat ? <ChatMenu open={open} chat={chat} title={title} listAddress={listAddress} /> : null}
      {!chat && isGroup(open.chat) ? (
        <ButtonLink small href={addressOfGroup(open)}>
          {t.groupSettings}
        </ButtonLink>
      ) : null}
    </header>
  )
}

interface ComposerForProps {
  open: OpenChat
  reply: ThreadMessage | undefined
  onReplied(): void
  dropped: readonly File[]
  onTaken(): void
  takesFocus: boolean
}

function ComposerFor({ open, ...props }: ComposerForProps) {
  const to = recipientOf(open.chat)
  return <Composer key={`${open.instanceName} ${open.chat}`} open={open} to={to} {...props} />
}

/** A person by the chat, because the number may be hidden. */
function recipientOf(chat: string): SendRecipient['to'] {
  if (isStatus(chat)) return {}
  return isGroup(chat) ? { groupJid: chat } : { chat }
}

interface LogProps {
  scroller: RefObject<HTMLDivElement | null>
  conversation: Conversation
  shown: readonly ThreadMessage[]
  /** Those that wait for the gateway. */
  kept: readonly KeptSend[]
  open: OpenChat
  isReading: boolean
  onOlder(): void
}

function Log({ scroller, conversation, shown, kept, open, isReading, onOlder }: LogProps) {
  const t = useTexts(conversationTexts)
  // Status posts cannot be marked as read.
  useMarkRead(open, isStatus(open.chat) ? undefined : newestUnread(conversation))
  const top = useRef<HTMLDivElement>(null)
  useScrollPosition(scroller, shown)
  useTabStop(scroller)
  const help = useId()
  const isAway = useIsAway(scroller)
  // As it was when the reader opened the chat, which marks the messages as read.
  const [unreadFrom] = useState(() => firstUnread(shown))
  useReached(top, scroller, conversation.hasMore && !isReading, onOlder)
  const log = (
    // column-reverse keeps the scroll position at the end for new messages, and in place when older ones load.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its messages have the focus, and their keys are common
    <div
      className={css.log}
      role="log"
      aria-label={t.messages}
      aria-describedby={help}
      ref={scroller}
      onKeyDown={(event) => moveInLog(event, () => focusComposer(scroller.current))}
    >
      <span id={help} hidden>
        {t.messageKeys}
      </span>
      <div className={css.logInside}>
        <div className={css.logTop} ref={top}>
          {conversation.hasMore ? (
            <Button small busy={isReading} tabIndex={-1} onClick={onOlder}>
              {t.older}
            </Button>
          ) : (
            <span className="muted small">{shown.length + kept.length === 0 ? t.nothing : t.beginning}</span>
          )}
        </div>
        <Messages shown={shown} open={open} unreadFrom={unreadFrom} />
        <KeptBubbles kept={kept} />
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
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
        >
          ↓
        </button>
      ) : null}
    </div>
  )
}

const focusComposer = (log: HTMLElement | null): void =>
  log?.closest('section')?.querySelector<HTMLElement>('form textarea')?.focus()

interface MessagesProps {
  shown: readonly ThreadMessage[]
  open: OpenChat
  unreadFrom: string | undefined
}

function Messages({ shown, open, unreadFrom }: MessagesProps) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const hasSenders = isGroup(open.chat) || isStatus(open.chat)
  return shown.map((one, index) => {
    const before = shown[index - 1]
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
