// The chats of one instance or of all, latest first, and the groups; with a search over what is listed.
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { SameTexts } from '../language.tsx'
import { useTexts } from '../language.tsx'
import { conversationTexts } from '../texts/conversations.ts'
import { uiTexts } from '../texts/ui.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNote } from '../ui/page-head.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Avatar, useChatTitle } from './names.tsx'
import type { OpenChat } from './place.ts'
import { type Chat, useChats, useGroups } from './reading.ts'
import { useTimes } from './times.ts'

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
    <aside className="chat-list" aria-label={t.list}>
      <label className="chat-search">
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
  if (isPending && rows.length === 0) return <p className="chat-note muted">{ui.loading}</p>
  return (
    <>
      {rows.length === 0 ? <EmptyChats t={t} /> : null}
      {rows.length > 0 && found.length === 0 ? <p className="chat-note muted">{t.noMatch}</p> : null}
      <Rows rows={found} instances={instances} {...rest} />
      {read.some(({ hasMore }) => hasMore) ? (
        <div className="chat-note">
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
})

const EmptyChats = ({ t }: { t: SameTexts<(typeof conversationTexts)['en']> }) => (
  <div className="chat-note stack close">
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
    }),
  )
  if (rows.length === 0) return <p className="chat-note muted">{isPending ? ui.loading : t.noGroup}</p>
  return <Rows rows={rows.filter((row) => matches(row, needle))} instances={instances} {...rest} />
}

function Rows({ rows, instances, open, addressOfChat }: ListProps & { rows: readonly Row[] }) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const nameOf = (name: string) => instances.find((one) => one.apiInstanceName === name)?.displayName
  return (
    <ul className="chats">
      {rows.map((row) => (
        <li key={`${row.instanceName} ${row.chat}`}>
          <Link
            href={addressOfChat(row)}
            aria-current={
              row.chat === open?.chat && row.instanceName === open.instanceName ? 'true' : undefined
            }
          >
            <Avatar id={row.chat} title={row.title} />
            <span className="chat-title">{row.title}</span>
            {row.time === null ? null : <time dateTime={row.time}>{times.short(row.time)}</time>}
            <span className="chat-last">{row.text}</span>
            {row.unreadCount > 0 ? (
              <span className="unread">
                <span aria-hidden="true">{row.unreadCount}</span>
                <span className="sr-only">{t.unread(row.unreadCount)}</span>
              </span>
            ) : null}
            {instances.length > 1 ? <span className="chat-of">{nameOf(row.instanceName)}</span> : null}
          </Link>
        </li>
      ))}
    </ul>
  )
}
