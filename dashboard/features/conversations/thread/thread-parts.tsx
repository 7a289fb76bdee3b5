// What stands around the messages of an open chat: pins, notes, what is shown while they load, and the area that takes files.

import { onlineManager } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useLiveState } from '../../../gateway/live.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useTexts } from '../../../ui/language.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useThread } from '../message/thread-context.ts'
import { isPinned } from '../model/message-choices.ts'
import { useExcerpt } from '../model/message-excerpt.ts'
import { keyOf } from '../model/message-fields.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './thread-parts.module.css'

// The pinned messages of a chat, above its messages.

/** As on phones. */
const MOST_PINS = 3

export function PinnedMessages({ shown }: { shown: readonly ThreadMessage[] }) {
  const t = useTexts(conversationTexts)
  const { show } = useThread()
  const excerpt = useExcerpt()
  const pinned = shown.filter((one) => one.deletedBy === null && isPinned(one)).slice(-MOST_PINS)
  if (pinned.length === 0) return null
  return (
    <ul className={css.pins} aria-label={t.pinnedMessages}>
      {pinned.map((one) => (
        <li key={keyOf(one.message)}>
          <button type="button" onClick={() => show(one.message.messageId)}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M8 3h8M9 3v6l-3 4h12l-3-4V3M12 13v8" />
            </svg>
            {excerpt(one)}
          </button>
        </li>
      ))}
    </ul>
  )
}

// Says that the gateway cannot be reached, and what happens to messages meanwhile.

/** Proxies end the stream of events now and then; it is back within a second. */
const PATIENCE_MS = 3000

export function OfflineNote() {
  const t = useTexts(conversationTexts)
  const isOnline = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
  const isUnreachable = useIsUnreachable()
  const text = isOnline ? (isUnreachable ? t.unreachable : null) : t.offline
  return (
    <div role="status">
      {text === null ? null : <p className={classNames(css.offline, 'note')}>{text}</p>}
    </div>
  )
}

/** The stream of events has been gone for some seconds. */
function useIsUnreachable(): boolean {
  const state = useLiveState()
  const isGone = state === 'waiting' || state === 'connecting'
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isGone) return
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isGone])
  return isGone && isLong
}

// Stands for the messages while they are loaded.

/** Widths in percent; negative: on the side of the reader. */
const SHAPES = [46, 62, -38, 30, -54, -24, 50]

export function ThreadSkeleton() {
  const t = useTexts(uiTexts)
  return (
    <div className={css.skeleton} role="status">
      <span className="sr-only">{t.loading}</span>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {SHAPES.map((width, index) => (
          <rect
            key={width}
            x={width < 0 ? 98 + width : 2}
            y={4 + index * 13.5}
            width={Math.abs(width)}
            height={9}
            rx={1.5}
          />
        ))}
      </svg>
    </div>
  )
}

// A region that takes files which are dragged onto it.

interface DropAreaProps {
  label: string
  className: string | undefined
  onFiles(files: readonly File[]): void
  children: ReactNode
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')

export function DropArea({ label, className, onFiles, children }: DropAreaProps) {
  const t = useTexts(conversationTexts)
  const [isOver, setOver] = useState(false)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- by keyboard, the form has a button that chooses a file
    <section
      className={className}
      aria-label={label}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver ? <div className={css.dropHere}>{t.dropHere}</div> : null}
    </section>
  )
}
