// The quick replies that a message offers while it begins with a slash. The focus stays in the message: arrows choose, Enter inserts, Escape closes.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../../../ui/language.tsx'
import { quickRepliesQuery } from '../model/people-queries.ts'
import { peopleTexts } from '../texts/people-texts.ts'
import { matchingReplies, type QuickReply, requestedReply } from './quick-match.ts'
import css from './quick-replies.module.css'
import type { FormDraft } from './send-body.ts'

interface QuickRepliesProps {
  /** What is typed so far. */
  draft: FormDraft
  onChange(draft: FormDraft): void
}

export function QuickReplies({ draft, onChange }: QuickRepliesProps) {
  const message = typeof draft.message === 'string' ? draft.message : ''
  const requested = requestedReply(message)
  const [closedAt, setClosedAt] = useState<string>()
  if (requested === undefined || closedAt === message) return null
  return (
    <Offered
      requested={requested}
      onChoose={(text) => onChange({ ...draft, message: text })}
      onClose={() => setClosedAt(message)}
    />
  )
}

interface OfferedProps {
  requested: string
  onChoose(text: string): void
  onClose(): void
}

function Offered({ requested, onChoose, onClose }: OfferedProps) {
  const t = useTexts(peopleTexts)
  const id = useId()
  const { data: replies } = useQuery(quickRepliesQuery)
  const found = matchingReplies(replies ?? [], requested)
  const [chosen, setChosen] = useState(0)
  const index = Math.min(chosen, found.length - 1)
  const list = useRef<HTMLDivElement>(null)
  useKeys(list, {
    ArrowDown: () => setChosen((index + 1) % Math.max(found.length, 1)),
    ArrowUp: () => setChosen((index - 1 + found.length) % Math.max(found.length, 1)),
    Enter: () => found[index] && onChoose(found[index].text),
    Tab: () => found[index] && onChoose(found[index].text),
    Escape: onClose,
  })
  useActive(list, found.length === 0 ? undefined : `${id}-${index}`)
  if (replies === undefined) return null
  return (
    <div ref={list} className={css.offered}>
      <span className="sr-only" role="status">
        {found.length === 0 ? '' : t.quickFound(found.length)}
      </span>
      {found.length === 0 ? (
        <p className="muted small">{replies.length === 0 ? t.noQuickReplies : t.noQuickMatch}</p>
      ) : (
        <div role="listbox" aria-label={t.quickReplies}>
          {found.map((reply, at) => (
            <Option
              key={reply.id}
              id={`${id}-${at}`}
              reply={reply}
              isChosen={at === index}
              onChoose={onChoose}
            />
          ))}
        </div>
      )}
    </div>
  )
}

interface OptionProps {
  id: string
  reply: QuickReply
  isChosen: boolean
  onChoose(text: string): void
}

const Option = ({ id, reply, isChosen, onChoose }: OptionProps) => (
  <div
    id={id}
    role="option"
    aria-selected={isChosen}
    tabIndex={-1}
    className={css.option}
    // Before the message loses the focus.
    onMouseDown={(event) => {
      event.preventDefault()
      onChoose(reply.text)
    }}
  >
    <strong>/{reply.shortcut}</strong>
    <span className="muted small cut">{reply.text}</span>
  </div>
)

type Keys = Partial<Record<string, () => unknown>>

/** Takes keys of the form before its fields do: Enter would send the message. */
function useKeys(list: React.RefObject<HTMLElement | null>, keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const form = list.current?.closest('form')
    const take = (event: KeyboardEvent) => {
      const act = event.shiftKey || event.isComposing ? undefined : latest.current[event.key]
      // Without a reply to insert, Enter and Tab do what they always do.
      if (!act || (event.key !== 'Escape' && !list.current?.querySelector('[role=option]'))) return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    form?.addEventListener('keydown', take, { capture: true })
    return () => form?.removeEventListener('keydown', take, { capture: true })
  })
}

/** Tells screen readers which reply is chosen, while the focus is in the message. */
function useActive(list: React.RefObject<HTMLElement | null>, active: string | undefined): void {
  useEffect(() => {
    const area = list.current?.closest('form')?.querySelector('textarea')
    if (!area || active === undefined) return
    area.setAttribute('aria-activedescendant', active)
    return () => area.removeAttribute('aria-activedescendant')
  })
}
