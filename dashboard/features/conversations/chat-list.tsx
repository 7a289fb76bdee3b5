// The chats of one instance or of all, latest first, and the groups, with a search.

import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { Avatar } from '../../chat/avatar.tsx'
import { useTimes } from '../../chat/times.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { SameTexts } from '../../ui/language.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import type { OpenChat } from './chat-address.ts'
import css from './chat-list.module.css'
import { useChatTitle } from './chat-title.ts'
import { type Chat, useChats, useGroups } from './conversation-queries.ts'
import { conversationTexts } from './texts/conversation-texts.ts'

export interface ListedInstance {
  apiInstanceName: string
  displayName: string
}
interface ListProps {
  instances: readonly ListedInstance[]
  open: OpenChat | undefined
  addressOfChat(open: OpenChat): string
}

export function ChatList(props: ListProps) {
  const t = useTexts(conversationTexts)
  const [search, setSearch] = useState('')
  const needle = search.trim().toLowerCase()
  return (
    <aside className={css.chatList} aria-label={t.list}>
      <label className={css.chatSearch}>
        <span className="sr-only">{t.search}</span>
        <input
          type="search"
          placeholder={t.searchHint}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      <Tabs
        label={t.list}
        tabs={[
          { id: 'chats', title: t.lists.chats, content: () => <Chats {...props} needle={needle} /> },
          { id: 'groups', title: t.lists.groups, content: () => <Groups {...props} needle={needle} /> },
        ]}
      />
    </aside>
  )
}

interface Row extends OpenChat {
  title: string
  text: string | null
  time: string | null
  unreadCount: number
  picture: string | null
}
const matches = ({ title, text, chat }: Row, needle: string): boolean =>
  needle === '' || [title, text ?? '', chat].some((part) => part.toLowerCase().includes(needle))

function Chats({ instances, needle, ...rest }: ListProps & { needle: string }) {
  const t = useTexts(conversationTexts)
  const ui = useTexts(uiTexts)
  const titleOf = useChatTitle()
  const [pages, setPages] = useState(1)
  const names = useMemo(() => instances.map((instance) => instance.apiInstanceName), [instances])
  const { read, isPending, error } = useChats(names, pages)
  const { groups } = useGroups(names)
  const subjects = new Map(groups.map(({ group }) => [group.groupJid, group.subject]))
  const rows = read
    .flatMap(({ instanceName, chats }) =>
      chats.map((chat) =>
        rowOf(instanceName, chat, titleOf(chat.remoteJid, chat, subjects.get(chat.remoteJid))),
      ),
    )
    .toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))
  const found = rows.filter((row) => matches(row, needle))
  if (error && rows.length === 0) return <ErrorNote error={error} />
  if (isPending && rows.length === 0) return <p className={classNames(css.chatNote, 'muted')}>{ui.loading}</p>
  return (
    <>
      {rows.length === 0 ? <EmptyChats t={t} /> : null}
      {rows.length > 0 && found.length === 0 ? (
        <p className={classNames(css.chatNote, 'muted')}>{t.noMatch}</p>
      ) : null}
      <Rows rows={found} instances={instances} {...rest} />
      {read.some(({ hasMore }) => hasMore) ? (
        <div className={css.chatNote}>
          <Button small onClick={() => setPages(pages + 1)}>
            {t.moreChats}
          </Button>
        </div>
      ) : null}
    </>
  )
}

const rowOf = (instanceName: string, chat: Chat, title: string): Row => ({
  instanceName,
  chat: chat.remoteJid,
  title,
  text: chat.lastMessageText,
  time: chat.lastMessageTimestamp,
  unreadCount: chat.unreadCount,
  picture: chat.profilePictureUrl,
})

const EmptyChats = ({ t }: { t: SameTexts<(typeof conversationTexts)['en']> }) => (
  <div className={classNames(css.chatNote, 'stack close')}>
    <strong>{t.noChat}</strong>
    <span className="muted small">{t.noChatText}</span>
  </div>
)

function Groups({ instances, needle, ...rest }: ListProps & { needle: string }) {
  const t = useTexts(conversationTexts)
  const ui = useTexts(uiTexts)
  const names = useMemo(() => instances.map((instance) => instance.apiInstanceName), [instances])
  const { groups, isPending } = useGroups(names)
  const rows = groups.map(
    ({ group, instanceName }): Row => ({
      instanceName,
      chat: group.groupJid,
      title: group.subject,
      text: t.members(group.size),
      time: null,
      unreadCount: 0,
      picture: group.profilePictureUrl,
    }),
  )
  if (rows.length === 0)
    return <p className={classNames(css.chatNote, 'muted')}>{isPending ? ui.loading : t.noGroup}</p>
  return <Rows rows={rows.filter((row) => matches(row, needle))} instances={instances} {...rest} />
}

function Rows({ rows, instances, open, addressOfChat }: ListProps & { rows: readonly Row[] }) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const nameOf = (name: string) => instances.find((one) => one.apiInstanceName === name)?.displayName
  return (
    <ul className={css.chats}>
      {rows.map((row) => (
        <li key={`${row.instanceName} ${row.chat}`}>
          <Link
            href={addressOfChat(row)}
            aria-current={
              row.chat === open?.chat && row.instanceName === open.instanceName ? 'true' : undefined
            }
          >
            <Avatar id={row.chat} title={row.title} picture={row.picture} />
            <span className={css.chatTitle}>{row.title}</span>
            {row.time === null ? null : <time dateTime={row.time}>{times.short(row.time)}</time>}
            <span className={css.chatLast}>{row.text}</span>
            {row.unreadCount > 0 ? (
              <span className={css.unread}>
                <span aria-hidden="true">{row.unreadCount}</span>
                <span className="sr-only">{t.unread(row.unreadCount)}</span>
              </span>
            ) : null}
            {instances.length > 1 ? <span className={css.chatOf}>{nameOf(row.instanceName)}</span> : null}
          </Link>
        </li>
      ))}
    </ul>
  )
}
