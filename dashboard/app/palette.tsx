// The palette: one field that jumps to a chat, a page or an action. The focus stays in the field; arrows choose, Enter goes, Escape closes.

import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { addressOfSelection } from '../features/conversations/model/chat-address.ts'
import { useChatTitle } from '../features/conversations/model/chat-title.ts'
import { useChats, useGroups } from '../features/conversations/model/conversation-queries.ts'
import { instancesQuery } from '../gateway/queries.ts'
import { useCan, useSigning } from '../gateway/sign-in.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useTexts } from '../ui/language.tsx'
import { THEMES, useTheme } from '../ui/theme.ts'
import { mayOpen } from './page-needs.ts'
import { PAGES } from './pages.ts'
import css from './palette.module.css'
import { type Candidate, matching } from './palette-match.ts'
import { shellTexts } from './texts/shell-texts.ts'

/** As on the page of conversations: an account with more instances chooses one there. */
const MOST_INSTANCES = 20

interface Entry extends Candidate {
  id: string
  kind: 'chats' | 'pages' | 'actions'
  act(): void
}

interface PaletteProps {
  sandbox: boolean
  onClose(): void
}

export function Palette({ sandbox, onClose }: PaletteProps) {
  const t = useTexts(shellTexts)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useId()
  const entries = [...useChatEntries(), ...usePageEntries(sandbox), ...useActionEntries()]
  const found = matching(typed, entries)
  const index = Math.min(chosen, found.length - 1)
  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.act()
  }
  const keys: Partial<Record<string, () => void>> = {
    ArrowDown: () => setChosen((index + 1) % Math.max(found.length, 1)),
    ArrowUp: () => setChosen((index - 1 + found.length) % Math.max(found.length, 1)),
    Enter: () => choose(found[index]),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.nativeEvent.isComposing ? undefined : keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <Dialog title={t.palette.title} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={t.palette.title}
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${list}-${index}` : undefined}
        placeholder={t.palette.hint}
        maxLength={100}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setTyped(target.value)
          setChosen(0)
        }}
      />
      <div className={css.found} role="listbox" id={list} aria-label={t.palette.found}>
        {found.map((entry, at) => (
          <Option
            key={entry.id}
            id={`${list}-${at}`}
            entry={entry}
            isChosen={at === index}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      <p className={found.length === 0 ? 'muted' : 'sr-only'} role="status">
        {found.length === 0 ? t.palette.nothing : ''}
      </p>
    </Dialog>
  )
}

interface OptionProps {
  id: string
  entry: Entry
  isChosen: boolean
  onChoose(): void
}

function Option({ id, entry, isChosen, onChoose }: OptionProps) {
  const t = useTexts(shellTexts)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the field above the list
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className={css.option}
      onClick={onChoose}
    >
      <span className="cut">{entry.title}</span>
      <span className="muted small cut">
        {entry.detail === '' ? t.palette.kinds[entry.kind] : entry.detail}
      </span>
    </div>
  )
}

function useChatEntries(): Entry[] {
  const [, go] = useLocation()
  const titleOf = useChatTitle()
  const { data } = useQuery(instancesQuery)
  const instances = (data?.instances ?? []).slice(0, MOST_INSTANCES)
  const names = instances.map(({ apiInstanceName }) => apiInstanceName)
  const { read } = useChats(names, 1)
  const { groups } = useGroups(names)
  const subjects = new Map(groups.map(({ group }) => [group.groupJid, group.subject]))
  return read
    .flatMap(({ instanceName, chats }) => chats.map((chat) => ({ instanceName, chat })))
    .toSorted((a, b) => (b.chat.lastMessageTimestamp ?? '').localeCompare(a.chat.lastMessageTimestamp ?? ''))
    .map(({ instanceName, chat }): Entry => {
      const instance = instances.find(({ apiInstanceName }) => apiInstanceName === instanceName)
      const number = chat.phone === null ? '' : `+${chat.phone}`
      return {
        id: `${instanceName} ${chat.remoteJid}`,
        kind: 'chats',
        title: titleOf(chat.remoteJid, chat, subjects.get(chat.remoteJid)),
        detail: [number, instance?.displayName ?? ''].filter(Boolean).join(' · '),
        act: () =>
          go(addressOfSelection({ instanceName: undefined, open: { instanceName, chat: chat.remoteJid } })),
      }
    })
}

/** Those of the navigation, and of lists that have no entry there. */
function usePageEntries(sandbox: boolean): Entry[] {
  const t = useTexts(shellTexts)
  const [, go] = useLocation()
  const can = useCan()
  return PAGES.filter(
    ({ path, name, sandboxOnly }) =>
      path !== '/' &&
      !path.includes(':') &&
      !path.endsWith('/group') &&
      (sandbox || !sandboxOnly) &&
      mayOpen(can, name),
  ).map(({ path, name }) => ({
    id: path,
    kind: 'pages',
    title: t.pages[name],
    detail: '',
    act: () => go(path),
  }))
}

function useActionEntries(): Entry[] {
  const t = useTexts(shellTexts)
  const [, go] = useLocation()
  const [, setTheme] = useTheme()
  const { signOut } = useSigning()
  const can = useCan()
  const hasInbox = mayOpen(can, 'conversations')
  const actions: [title: string, act: () => void][] = [
    ...(hasInbox && can('checkNumber')
      ? [[t.palette.newChat, () => go('/conversations?show=new-chat')] as [string, () => void]]
      : []),
    ...(hasInbox && can('createQuickReply')
      ? [[t.palette.quickReplies, () => go('/conversations?show=quick-replies')] as [string, () => void]]
      : []),
    ...THEMES.map((theme): [string, () => void] => [`${t.theme}: ${t.themes[theme]}`, () => setTheme(theme)]),
    [t.reference, () => location.assign('/docs')],
    [t.signOut, () => void signOut('account')],
  ]
  return actions.map(([title, act]) => ({ id: title, kind: 'actions', title, detail: '', act }))
}
