// A region that takes files which are dragged onto it.

import { type DragEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../../../ui/language.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './drop-area.module.css'

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
      {isOver ? <div className={css.over}>{t.dropHere}</div> : null}
    </section>
  )
}
