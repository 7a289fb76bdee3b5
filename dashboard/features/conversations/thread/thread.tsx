// One conversation: live messages, older ones on scrolling up, and the composer.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Avatar } from '../../../chat/avatar.tsx'
import { api } from '../../../gateway/api.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { Composer } from '../composer/composer.tsx'
import type { SendRecipient } from '../composer/send-body.ts'
import { useKeptSends } from '../composer/use-kept-sends.ts'
import { ChatMenu } from '../details/chat-menu.tsx'
import { useChatFacts } from '../details/use-chat-settings.ts'
import { fileOf } from '../message/message-file.ts'
import { FindContext, type ThreadContent, ThreadContext } from '../message/thread-context.ts'
import { isStatus, type OpenChat } from '../model/chat-address.ts'
import { addressOfGroup, isGroup, numberOf, useChatTitle } from '../model/chat-title.ts'
import {
  groupsQuery,
  type ListedInstance,
  rereadConversation,
  showStar,
  useChat,
  useChats,
  useConversation,
} from '../model/conversation-queries.ts'
import { senderOf } from '../model/message-fields.ts'
import { shownMessages, type ThreadMessage } from '../model/shown-messages.ts'
import { ChatSearch } from '../search/chat-search.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { Log, type LogHandle } from './log.tsx'
import { useRemoveMark } from './mark-read.ts'
import { MessageDialog, type RequestedDialog } from './message-dialogs.tsx'
import css from './thread.module.css'
import { DropArea, OfflineNote, PinnedMessages, ThreadSkeleton } from './thread-parts.tsx'

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

// Moves the conversation to a message, and reads older pages until it is there.

/** A message that is further back is not reached. */
const MOST_PAGES_TO_JUMP = 60

interface Jumping {
  shown: readonly ThreadMessage[]
  canRead: boolean
  readOlder(): void
  show(messageId: string): void
}

/** `requested` comes from the address of the page; the returned function moves to another message. */
function useJump(requested: string | undefined, jumping: Jumping): (messageId: string) => void {
  const wanted = useRef<{ messageId: string; pages: number }>(undefined)
  const latest = useRef(jumping)
  const attempt = useCallback(() => {
    const target = wanted.current
    const { shown, canRead, readOlder, show } = latest.current
    if (target === undefined) return
    if (shown.some(({ message }) => message.messageId === target.messageId)) {
      wanted.current = undefined
      show(target.messageId)
    } else if (canRead && target.pages < MOST_PAGES_TO_JUMP) {
      target.pages += 1
      readOlder()
    }
  }, [])
  const jump = useCallback(
    (messageId: string) => {
      wanted.current = { messageId, pages: 0 }
      attempt()
    },
    [attempt],
  )
  useEffect(() => {
    latest.current = jumping
    attempt()
  })
  useEffect(() => {
    if (requested !== undefined) jump(requested)
  }, [requested, jump])
  return jump
}

// The names of people in a conversation: from the list of chats, and from the messages they wrote.

const digitsOf = (id: string): string => id.split('@')[0] ?? id

/** The name of a person by jid or number. The function changes only with the names. */
function useNames(
  open: OpenChat,
  { number }: ListedInstance,
  shown: readonly ThreadMessage[],
): (id: string) => string | undefined {
  const t = useTexts(conversationTexts)
  const { read } = useChats([open.instanceName], 1)
  const names = new Map<string, string>()
  for (const { message } of shown) {
    const { jid, lid, pushName } = senderOf(message.content) ?? {}
    if (jid !== undefined && pushName != null) names.set(digitsOf(jid), pushName)
    if (lid != null && pushName != null) names.set(digitsOf(lid), pushName)
  }
  for (const { remoteJid, contactName, name, pushName } of read.flatMap(({ chats }) => chats)) {
    const known = contactName ?? name ?? pushName
    if (known !== null) names.set(digitsOf(remoteJid), known)
  }
  if (number !== null) names.set(number, t.you)
  // The names as one text: the function changes only with them.
  const entries = JSON.stringify([...names])
  return useMemo(() => {
    const known = new Map(JSON.parse(entries) as [string, string][])
    return (id: string) => known.get(digitsOf(id))
  }, [entries])
}

// What can be done with the messages of an open chat. Dialogs ask first; reactions, stars and replies happen at once.

interface ActionHandlers {
  reply(shown: ThreadMessage): void
  ask(requested: { dialog: RequestedDialog; shown: ThreadMessage }): void
}

/** Never changes, so that no message is drawn again because of it. */
function useThreadActions(open: OpenChat, handlers: ActionHandlers): Pick<ThreadContent, 'act' | 'react'> {
  const ui = useTexts(uiTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onError: toasts.failed,
    onSettled: () => rereadConversation(queries, open),
  })
  const { instanceName } = open
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      toasts.done(ui.copied)
    } catch (error) {
      toasts.failed(error)
    }
  }
  const act: ThreadContent['act'] = (choice, message) => {
    const params = { messageId: message.message.messageId }
    if (choice === 'reply') handlers.reply(message)
    else if (choice === 'copy') void copy(message.text ?? '')
    else if (choice === 'unpin')
      change.mutate(() => api.pinMessage({ params, body: { instanceName, seconds: null } }))
    else if (choice === 'star' || choice === 'unstar')
      change.mutate(async () => {
        const body = { instanceName, starred: choice === 'star' }
        showStar(queries, open, (await api.starMessage({ params, body })).message)
      })
    else handlers.ask({ dialog: choice, shown: message })
  }
  const react: ThreadContent['react'] = (message, emoji) => {
    const params = { messageId: message.message.messageId }
    change.mutate(() => api.reactToMessage({ params, body: { instanceName, emoji } }))
  }
  const latest = useRef({ act, react })
  useEffect(() => {
    latest.current = { act, react }
  })
  return useMemo(
    () => ({
      act: (...given) => latest.current.act(...given),
      react: (...given) => latest.current.react(...given),
    }),
    [],
  )
}
