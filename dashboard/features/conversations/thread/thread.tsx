// One conversation: live messages, older ones on scrolling up, and the composer.

import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { Avatar } from '../../../chat/avatar.tsx'
import { useCan } from '../../../gateway/sign-in.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { Composer } from '../composer/composer.tsx'
import type { SendRecipient } from '../composer/send-body.ts'
import { useKeptSends } from '../composer/use-kept-sends.ts'
import { ChatMenu } from '../details/chat-menu.tsx'
import { useChatFacts } from '../details/use-chat-settings.ts'
import { fileOf } from '../message/message-file.ts'
import { FindContext, ThreadContext } from '../message/thread-context.ts'
import { isStatus, type OpenChat } from '../model/chat-address.ts'
import { addressOfGroup, isGroup, numberOf, useChatTitle } from '../model/chat-title.ts'
import { groupsQuery, type ListedInstance, useChat, useConversation } from '../model/conversation-queries.ts'
import { shownMessages, type ThreadMessage } from '../model/shown-messages.ts'
import { ChatSearch } from '../search/chat-search.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { DropArea } from './drop-area.tsx'
import { Log, type LogHandle } from './log.tsx'
import { useRemoveMark } from './mark-read.ts'
import { MessageDialog } from './message-dialogs.tsx'
import { OfflineNote } from './offline-note.tsx'
import { PinnedMessages } from './pinned-messages.tsx'
import type { RequestedDialog } from './requested-dialog.ts'
import css from './thread.module.css'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import { useJump } from './use-jump.ts'
import { useNames } from './use-names.ts'
import { useThreadActions } from './use-thread-actions.ts'

const Viewer = onDemand(async () => (await import('../message/viewer.tsx')).Viewer)

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
  const shown = useMemo(() => (query.data ? shownMessages(query.data) : []), [query.data])
  const [reply, setReply] = useState<ThreadMessage>()
  const [requested, ask] = useState<Requested>()
  const [dropped, setDropped] = useState<readonly File[]>([])
  const onTaken = useCallback(() => setDropped([]), [])
  const kept = useKeptSends(open)
  const [viewed, view] = useState<ThreadMessage>()
  const nameOf = useNames(open, instance, shown)
  const { isAdmin } = useGroup(open) ?? { isAdmin: false }
  const actions = useThreadActions(open, { reply: setReply, ask })
  const can = useCan()
  const mayWrite = can(isStatus(open.chat) ? 'sendStatus' : 'sendText')
  const [isSearching, setSearching] = useState(false)
  // The log has the state of what is mounted: nothing else is drawn again when it moves.
  const log = useRef<LogHandle>(null)
  const show = useCallback((id: string) => log.current?.show(id), [])
  const jump = useJump(messageId, {
    shown,
    canRead: query.data?.hasMore === true && !older.isPending,
    readOlder: older.mutate,
    show,
  })
  const find = useCallback((id: string) => shown.findLast(({ message }) => message.messageId === id), [shown])
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
          <FindContext value={find}>
            <Log
              ref={log}
              conversation={query.data}
              shown={shown}
              kept={kept}
              open={open}
              isReading={older.isPending}
              onOlder={() => older.mutate()}
            />
          </FindContext>
        ) : query.error ? (
          <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <ThreadSkeleton />
        )}
        {query.data === undefined || !mayWrite ? null : (
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
