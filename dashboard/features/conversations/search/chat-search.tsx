// The search inside the open chat: its matches one after the other, the latest first.
import { useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useTexts } from '../../../ui/language.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './chat-search.module.css'
import { useFoundInChat } from './search-queries.ts'

interface ChatSearchProps {
  open: OpenChat
  onJump(messageId: string): void
  onClose(): void
}

export function ChatSearch({ open, onJump, onClose }: ChatSearchProps) {
  const t = useTexts(conversationTexts)
  const [text, setText] = useState('')
  const { data } = useFoundInChat(open, text)
  // A new search begins with its latest match.
  const [position, setPosition] = useState({ of: data, index: 0 })
  const index = position.of === data ? position.index : 0
  const found = data?.messages ?? []
  const current = found[index]?.messageId
  useEffect(() => {
    if (current !== undefined) onJump(current)
  }, [current, onJump])
  const move = (by: 1 | -1) =>
    setPosition({ of: data, index: Math.min(Math.max(index + by, 0), found.length - 1) })
  const count = `${found.length}${data?.hasMore ? '+' : ''}`
  return (
    <search className={css.chatSearch}>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has opened it to type
        autoFocus
        type="search"
        aria-label={t.searchChat}
        placeholder={t.searchChat}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          if (event.key === 'Enter') move(event.shiftKey ? -1 : 1)
        }}
      />
      <span className="muted small nowrap" role="status">
        {data === undefined ? '' : found.length === 0 ? t.notFoundHere : t.foundOf(index + 1, count)}
      </span>
      <Button
        kind="quiet"
        small
        aria-label={t.previousFound}
        disabled={index + 1 >= found.length}
        onClick={() => move(1)}
      >
        ↑
      </Button>
      <Button kind="quiet" small aria-label={t.nextFound} disabled={index === 0} onClick={() => move(-1)}>
        ↓
      </Button>
      <Button kind="quiet" small aria-label={t.closeSearch} onClick={onClose}>
        ✕
      </Button>
    </search>
  )
}
