// The emojis: by category, by words, and those that were chosen last.
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../../../ui/language.tsx'
import { conversationTexts } from '../../texts/conversation-texts.ts'
import css from './emoji-panel.module.css'
import {
  EMOJI_CATEGORIES,
  type EmojiCategory,
  findEmojis,
  type NamedEmoji,
  namedEmojis,
  withRecent,
} from './find-emojis.ts'
import { emojiTexts } from './texts/emoji-texts.ts'

const KEPT_AS = 'switchboard.emojis'
/** Must fit the columns of the style. */
const COLUMNS = 8

const SIGNS: Record<EmojiCategory | 'recent', string> = {
  recent: '🕘',
  smileys: '😀',
  people: '👋',
  nature: '🐻',
  food: '🍎',
  travel: '✈️',
  activities: '⚽',
  objects: '💡',
  symbols: '❤️',
  flags: '🏁',
}

const recentEmojis = (): string[] => {
  const kept = localStorage.getItem(KEPT_AS)
  return kept ? kept.split(' ') : []
}

export function EmojiPanel({ onChoose }: { onChoose(emoji: string): void }) {
  const t = useTexts(conversationTexts)
  const names = useTexts(emojiTexts)
  const all = useMemo(() => namedEmojis(names), [names])
  const [recent] = useState(recentEmojis)
  const [category, setCategory] = useState<EmojiCategory | 'recent'>(recent.length > 0 ? 'recent' : 'smileys')
  const [query, setQuery] = useState('')
  const search = useRef<HTMLInputElement>(null)
  // On a touch screen the keyboard would cover the emojis.
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) search.current?.focus()
  }, [])
  const shown = useMemo(() => {
    if (query.trim() !== '') return findEmojis(all.values(), query)
    if (category !== 'recent') return all.get(category) ?? []
    const byEmoji = new Map([...all.values()].flat().map((one) => [one.emoji, one]))
    return recent.flatMap((emoji) => byEmoji.get(emoji) ?? [])
  }, [all, query, category, recent])
  const choose = (emoji: string) => {
    localStorage.setItem(KEPT_AS, withRecent(recent, emoji).join(' '))
    onChoose(emoji)
  }
  return (
    <div className={css.panel}>
      <input
        ref={search}
        type="search"
        aria-label={t.searchEmoji}
        placeholder={t.searchEmoji}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={(event) => {
          // It is inside the form of the message, which Enter would send.
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (shown[0] && query.trim() !== '') choose(shown[0].emoji)
        }}
      />
      <div className={css.categories} role="group" aria-label={t.emojiCategories}>
        {(['recent', ...EMOJI_CATEGORIES] as const).map((one) =>
          one === 'recent' && recent.length === 0 ? null : (
            <button
              key={one}
              type="button"
              aria-label={t.emojiGroups[one]}
              title={t.emojiGroups[one]}
              aria-pressed={query.trim() === '' && one === category}
              onClick={() => {
                setQuery('')
                setCategory(one)
              }}
            >
              {SIGNS[one]}
            </button>
          ),
        )}
      </div>
      {shown.length === 0 ? (
        <p className="muted small" role="status">
          {t.noEmoji}
        </p>
      ) : (
        <Grid key={query.trim() === '' ? category : query} emojis={shown} onChoose={choose} />
      )}
    </div>
  )
}

const STEPS: Partial<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: COLUMNS,
  ArrowUp: -COLUMNS,
}

/** One stop of the Tab key; arrows move in it. */
function Grid({ emojis, onChoose }: { emojis: readonly NamedEmoji[]; onChoose(emoji: string): void }) {
  const t = useTexts(conversationTexts)
  const [current, setCurrent] = useState(0)
  const grid = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const next = current + (STEPS[event.key] ?? 0)
    if (next === current || next < 0 || next >= emojis.length) return
    event.preventDefault()
    setCurrent(next)
    grid.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div
      ref={grid}
      className={css.emojis}
      role="toolbar"
      tabIndex={-1}
      aria-label={t.emojis}
      onKeyDown={move}
    >
      {emojis.map(({ emoji, name }, index) => (
        <button
          key={emoji}
          type="button"
          tabIndex={index === current ? 0 : -1}
          aria-label={name}
          title={name}
          onFocus={() => setCurrent(index)}
          onClick={() => onChoose(emoji)}
        >
          {emoji}
        </button>
      ))}
    </div>
  )
}
