// The pictures of a conversation on top of the page, one at a time: arrow keys lead to the others, Escape closes it.
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { keyOf, placedAt } from '../model/message-fields.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { fileOf, type MessageFile } from './message-file.ts'
import { downloadOf, useFile } from './use-file.ts'
import css from './viewer.module.css'

interface ViewerProps {
  /** Those that have a picture, oldest first. */
  pictures: readonly ThreadMessage[]
  viewed: ThreadMessage
  onMove(shown: ThreadMessage): void
  onClose(): void
}

const STEPS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

export function Viewer({ pictures, viewed, onMove, onClose }: ViewerProps) {
  const t = useTexts(conversationTexts)
  const format = useFormat()
  const element = useRef<HTMLDialogElement>(null)
  // As in ui/dialog.tsx: the browser gives the focus back when the dialog is closed before it is removed.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const index = pictures.findIndex(({ message }) => keyOf(message) === keyOf(viewed.message))
  const file = fileOf(viewed.message)
  const step = (by: number) => {
    const next = pictures[index + by]
    if (next) onMove(next)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys do what its buttons do
    <dialog
      ref={element}
      className={css.viewer}
      aria-label={t.viewer}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={({ key }) => step(STEPS[key] ?? 0)}
    >
      <div className={css.head}>
        <span className="cut">
          {format.dateTime(placedAt(viewed.message))} · {t.pictureOf(index + 1, pictures.length)}
        </span>
        {file ? (
          <a className={css.download} href={downloadOf(file)} download={file.name ?? ''}>
            {t.download}
          </a>
        ) : null}
        <Button kind="quiet" aria-label={t.closeViewer} onClick={onClose}>
          ✕
        </Button>
      </div>
      <div className={css.stage}>
        <Step label={t.previousPicture} isPossible={index > 0} onStep={() => step(-1)}>
          ‹
        </Step>
        {file ? <Large key={keyOf(viewed.message)} file={file} /> : null}
        <Step label={t.nextPicture} isPossible={index < pictures.length - 1} onStep={() => step(1)}>
          ›
        </Step>
      </div>
      <p className={css.caption}>{viewed.text}</p>
    </dialog>
  )
}

interface StepProps {
  label: string
  isPossible: boolean
  onStep(): void
  children: ReactNode
}

const Step = ({ label, isPossible, onStep, children }: StepProps) => (
  <button type="button" className={css.step} aria-label={label} disabled={!isPossible} onClick={onStep}>
    {children}
  </button>
)

function Large({ file }: { file: MessageFile }) {
  const t = useTexts(conversationTexts)
  const state = useFile(file, true)
  if (state.at === 'ready') return <img src={state.address} alt={t.imageAlt} />
  return <p role="status">{state.at === 'gone' ? t.fileGone : t.loadingFile}</p>
}
