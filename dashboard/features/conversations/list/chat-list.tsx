// The chats of one instance or of all, latest first, and the groups, with a search and filters.
import { type KeyboardEvent, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { type MessageStatus, STATUS_CHAT } from '../../../../src/contract/message-values.ts'
import { Avatar } from '../../../chat/avatar.tsx'
import { chatTexts } from '../../../chat/texts/chat-texts.ts'
import { Ticks } from '../../../chat/ticks.tsx'
import { useTimes } from '../../../chat/times.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { SelectField } from '../../../ui/fields.tsx'
import { type SameTexts, useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import type { OpenChat } from '../model/chat-address.ts'
import { isMuted } from '../model/chat-choices.ts'
import { useChatTitle } from '../model/chat-title.ts'
import {
  type ListedChat,
  type ListedInstance,
  type ListFilter,
  useChats,
  useGroups,
} from '../model/conversation-queries.ts'
import { useLabels, useUsers } from '../model/people-queries.ts'
import { draftKeyOf, useAllDrafts } from '../model/use-drafts.ts'
import { FoundMessages } from '../search/found-messages.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import type { conversations as en } from '../texts/en.ts'
import { peopleTexts } from '../texts/people-texts.ts'
import css from './chat-list.module.css'
import { previewOf } from './chat-preview.ts'

interface ListProps {
  instances: readonly ListedInstance[]
  /** The instance that the reader has chosen; undefined: all. */
  chosen?: string | undefined
  open: OpenChat | undefined
  addressOfChat(open: OpenChat, messageId?: string): string
}

export function ChatList(props: ListProps) {
  const t = useTexts(conversationTexts)
  const [search, setSearch] = useState('')
  const needle = search.trim().toLowerCase()
  const [filter, setFilter] = useState(NO_FILTER)
  const names = useMemo(() => props.instances.map((one) => one.apiInstanceName), [props.instances])
  return (
    <aside className={css.chatList} aria-label={t.list}>
      <label className={css.chatSearch}>
        <span className="sr-only">{t.searchAll}</span>
        <input
          type="search"
          placeholder={t.searchAllHint}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setSearch('')
            if (event.key === 'ArrowDown') focusList(event.currentTarget)
          }}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      <ChatFilters instanceNames={names} chosen={filter} onChange={setFilter} />
      <Tabs
        label={t.list}
        tabs={[
          {
            id: 'chats',
            title: t.lists.chats,
            content: () => <Chats {...props} needle={needle} filter={filter} archived={false} />,
          },
          { id: 'groups', title: t.lists.groups, content: () => <Groups {...props} needle={needle} /> },
          {
            id: 'archived',
            title: t.lists.archived,
            content: () => <Chats {...props} needle={needle} filter={filter} archived />,
          },
          { id: 'status', title: t.lists.status, content: () => <StatusPosts {...props} needle={needle} /> },
        ]}
      />
    </aside>
  )
}

/** From the search into the list below it. */
const focusList = (box: HTMLElement) =>
  box.closest('aside')?.querySelector<HTMLElement>('[role=tabpanel] a')?.focus()

/** Settings of a chat that its row shows. */
type Mark = 'archived' | 'muted' | 'pinned' | 'unread'

interface Row extends OpenChat {
  title: string
  text: string | null
  /** What was typed in the chat and not sent. */
  draft?: string | undefined
  labels?: ListedChat['labels']
  /** Of a last message that was sent. */
  status?: MessageStatus | null
  time: string | null
  unreadCount: number
  picture: string | null
  marks: readonly Mark[]
}
const matches = ({ title, text, chat }: Row, needle: string): boolean =>
  needle === '' || [title, text ?? '', chat].some((part) => part.toLowerCase().includes(needle))

interface ChatsProps extends ListProps {
  needle: string
  filter: ChosenFilter
  archived: boolean
}

/** Pinned chats first, then the latest. A search among the chats also finds archived ones. */
function Chats({ instances, needle, filter, archived, ...rest }: ChatsProps) {
  const t = useTexts(conversationTexts)
  const ui = useTexts(uiTexts)
  const titleOf = useChatTitle()
  const [pages, setPages] = useState(1)
  const names = useMemo(() => instances.map((instance) => instance.apiInstanceName), [instances])
  const shelf = archived ? 'archived' : needle === '' ? 'current' : 'all'
  const { read, isPending, error } = useChats(names, pages, shelf, useFilterOf(names, filter))
  const drafts = useAllDrafts()
  const isFiltered = filter.label !== '' || filter.user !== ''
  const { groups } = useGroups(names)
  const subjects = new Map(groups.map(({ group }) => [group.groupJid, group.subject]))
  const contacts = contactNamesOf(read.flatMap(({ chats }) => chats))
  const rows = read
    .flatMap(({ instanceName, chats }) =>
      chats.map((chat) =>
        rowOf(instanceName, chat, {
          title: titleOf(chat.remoteJid, chat, subjects.get(chat.remoteJid)),
          ...previewOf(chat, t, (phone) => contacts.get(phone)),
          marks: marksOf(chat, archived),
          draft: drafts[draftKeyOf({ instanceName, chat: chat.remoteJid })],
          labels: chat.labels,
        }),
      ),
    )
    .toSorted((a, b) => isPinned(b) - isPinned(a) || (b.time ?? '').localeCompare(a.time ?? ''))
  const found = rows.filter((row) => matches(row, needle))
  if (error && rows.length === 0) return <ErrorNote error={error} />
  if (isPending && rows.length === 0) return <p className={classNames(css.chatNote, 'muted')}>{ui.loading}</p>
  return (
    <>
      {rows.length > 0 || isFiltered ? null : archived ? <EmptyArchive t={t} /> : <EmptyChats t={t} />}
      {(rows.length > 0 || isFiltered) && found.length === 0 ? (
        <p className={classNames(css.chatNote, 'muted')}>{t.noMatch}</p>
      ) : null}
      <Rows rows={found} instances={instances} {...rest} />
      {archived || needle === '' ? null : (
        <FoundMessages
          instanceName={rest.chosen}
          search={needle}
          titleOf={(open) => rows.find(isRowOf(open))?.title ?? titleOf(open.chat)}
          addressOfChat={rest.addressOfChat}
        />
      )}
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

/** By number. */
const contactNamesOf = (chats: readonly ListedChat[]): ReadonlyMap<string, string> =>
  new Map(
    chats.flatMap(({ phone, contactName }) =>
      phone === null || contactName === null ? [] : [[phone, contactName] as const],
    ),
  )

const isRowOf = (open: OpenChat) => (row: Row) =>
  row.chat === open.chat && row.instanceName === open.instanceName

const isPinned = ({ marks }: Row): number => (marks.includes('pinned') ? 1 : 0)

/** All chats of the archive are archived: only rows of other lists say so. */
const marksOf = (chat: ListedChat, inArchive: boolean): Mark[] => [
  ...(chat.archived && !inArchive ? (['archived'] as const) : []),
  ...(isMuted(chat) ? (['muted'] as const) : []),
  ...(chat.pinned ? (['pinned'] as const) : []),
  ...(chat.unread && chat.unreadCount === 0 ? (['unread'] as const) : []),
]

const rowOf = (
  instanceName: string,
  chat: ListedChat,
  shown: Pick<Row, 'title' | 'text' | 'status' | 'marks' | 'draft' | 'labels'>,
): Row => ({
  instanceName,
  chat: chat.remoteJid,
  time: chat.lastMessageTimestamp,
  unreadCount: chat.unreadCount,
  picture: chat.profilePictureUrl,
  ...shown,
  // A contact to whom no one has written yet.
  text: shown.text ?? numberBelow(chat, shown.title),
})

const numberBelow = ({ phone }: ListedChat, title: string): string | null =>
  phone === null || title === `+${phone}` ? null : `+${phone}`

const EmptyArchive = ({ t }: { t: SameTexts<typeof en> }) => (
  <div className={classNames(css.chatNote, 'stack close')}>
    <strong>{t.noArchived}</strong>
    <span className="muted small">{t.noArchivedText}</span>
  </div>
)

const EmptyChats = ({ t }: { t: SameTexts<typeof en> }) => (
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
      marks: [],
    }),
  )
  if (rows.length === 0)
    return <p className={classNames(css.chatNote, 'muted')}>{isPending ? ui.loading : t.noGroup}</p>
  return <Rows rows={rows.filter((row) => matches(row, needle))} instances={instances} {...rest} />
}

/** One row per instance: its own posts and those of other people. */
function StatusPosts({ instances, needle, ...rest }: ListProps & { needle: string }) {
  const t = useTexts(conversationTexts)
  const rows = instances.map(
    ({ apiInstanceName, displayName }): Row => ({
      instanceName: apiInstanceName,
      chat: STATUS_CHAT,
      title: displayName,
      text: t.status,
      time: null,
      unreadCount: 0,
      picture: null,
      marks: [],
    }),
  )
  const found = rows.filter((row) => matches(row, needle))
  if (found.length === 0) return <p className={classNames(css.chatNote, 'muted')}>{t.noMatch}</p>
  // The instance is the title of each row, and not repeated below it.
  return <Rows rows={found} instances={[]} {...rest} />
}

const GLYPHS: Record<Exclude<Mark, 'unread'>, string> = {
  archived: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  muted: 'M11 5 7 9H4v6h3l4 4zM15 9.5l5 5M20 9.5l-5 5',
  pinned: 'M8 3h8M9 3v6l-3 4h12l-3-4V3M12 13v8',
}

function Marks({ row: { marks, unreadCount } }: { row: Row }) {
  const t = useTexts(conversationTexts)
  if (marks.length === 0 && unreadCount === 0) return null
  return (
    <span className={css.marks}>
      {marks.map((mark) => (
        <span key={mark} className={mark === 'unread' ? css.unreadMark : undefined}>
          {mark === 'unread' ? null : (
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={GLYPHS[mark]} />
            </svg>
          )}
          <span className="sr-only">{t.marks[mark]}</span>
        </span>
      ))}
      {unreadCount > 0 ? (
        <span className={css.unread}>
          <span aria-hidden="true">{unreadCount}</span>
          <span className="sr-only">{t.unread(unreadCount)}</span>
        </span>
      ) : null}
    </span>
  )
}

/** The draft, or the last message with its tick. The open chat shows its draft in the composer. */
function Last({ row, isOpen }: { row: Row; isOpen: boolean }) {
  const t = useTexts(peopleTexts)
  const statusTexts = useTexts(chatTexts)
  if (row.draft !== undefined && !isOpen)
    return (
      <span className={css.chatLast}>
        <span className={css.chatDraft}>{t.draft}</span> {row.draft}
      </span>
    )
  return (
    <span className={css.chatLast}>
      {row.status ? <Ticks status={row.status} label={statusTexts.statuses[row.status]} /> : null}
      {row.text}
    </span>
  )
}

function Rows({ rows, instances, open, addressOfChat }: ListProps & { rows: readonly Row[] }) {
  const times = useTimes()
  const isOpen = (row: Row) => open !== undefined && isRowOf(open)(row)
  // The Tab key stops at one row; arrows lead to the others.
  const stop = Math.max(rows.findIndex(isOpen), 0)
  const nameOf = (name: string) => instances.find((one) => one.apiInstanceName === name)?.displayName
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between its links
    <ul className={css.chats} onKeyDown={moveInList}>
      {rows.map((row, index) => (
        <li key={`${row.instanceName} ${row.chat}`}>
          <Link
            href={addressOfChat(row)}
            tabIndex={index === stop ? 0 : -1}
            aria-current={isOpen(row) ? 'true' : undefined}
          >
            <Avatar id={row.chat} title={row.title} picture={row.picture} />
            <span className={css.chatTitle}>{row.title}</span>
            {row.time === null ? null : <time dateTime={row.time}>{times.short(row.time)}</time>}
            <Last row={row} isOpen={isOpen(row)} />
            <Marks row={row} />
            {row.labels && row.labels.length > 0 ? (
              <span className={css.chatLabels}>
                {row.labels.map((label) => (
                  <span key={label.id}>{label.name}</span>
                ))}
              </span>
            ) : null}
            {instances.length > 1 ? <span className={css.chatOf}>{nameOf(row.instanceName)}</span> : null}
          </Link>
        </li>
      ))}
    </ul>
  )
}

// Filters of the list of chats: by label and by the user who answers. A filter without a choice is not shown.

/** An empty text does not restrict the list. */
interface ChosenFilter {
  /** By name, because each instance has its own ids. */
  label: string
  /** The id of a user, or `none`. */
  user: string
}
const NO_FILTER: ChosenFilter = { label: '', user: '' }

interface FilterProps {
  instanceNames: readonly string[]
  chosen: ChosenFilter
  onChange(chosen: ChosenFilter): void
}

function ChatFilters({ instanceNames, chosen, onChange }: FilterProps) {
  const t = useTexts(peopleTexts)
  const users = useUsers()
  const names = new Set(useLabels(instanceNames).flatMap(({ labels }) => labels.map(({ name }) => name)))
  if (names.size === 0 && users.length === 0) return null
  return (
    <div className={css.filters}>
      {names.size === 0 ? null : (
        <SelectField
          bare
          label={t.filterLabel}
          value={chosen.label}
          options={[['', t.allLabels] as const, ...[...names].sort().map((name) => [name, name] as const)]}
          onChange={(label) => onChange({ ...chosen, label })}
        />
      )}
      {users.length === 0 ? null : (
        <SelectField
          bare
          label={t.filterUser}
          value={chosen.user}
          options={[
            ['', t.everyone] as const,
            ['none', t.noOne] as const,
            ...users.map(({ id, name }) => [String(id), name] as const),
          ]}
          onChange={(user) => onChange({ ...chosen, user })}
        />
      )}
    </div>
  )
}

/** The filter of each instance; undefined: it has no such label, and so no such chat. */
function useFilterOf(
  instanceNames: readonly string[],
  { label, user }: ChosenFilter,
): (instanceName: string) => ListFilter | undefined {
  const read = useLabels(label === '' ? [] : instanceNames)
  const assigned = user === '' ? {} : { assignedTo: user }
  return (instanceName) => {
    if (label === '') return assigned
    const labels = read.find((one) => one.instanceName === instanceName)?.labels ?? []
    const id = labels.find(({ name }) => name === label)?.id
    return id === undefined ? undefined : { ...assigned, label: id }
  }
}

// Arrow keys in a list of links: the list is one stop of the Tab key.

const STEPS: Partial<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_index, count) => count - 1,
}

export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const index = links.indexOf(document.activeElement as HTMLElement)
  if (!step || index < 0) return
  event.preventDefault()
  links[step(index, links.length)]?.focus()
}
