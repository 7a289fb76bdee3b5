// The file of a message: a picture, a player, or its description.

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { useTexts } from '../../../ui/language.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { textAt, textsAt } from '../model/message-fields.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './media.module.css'
import contentCss from './message-content.module.css'
import { fileOf, type MessageFile } from './message-file.ts'
import { Glyph, glyphOf, MessageText, OuterLink } from './message-parts.tsx'
import { useThread } from './thread-context.ts'
import { downloadOf, fileLoader, useFile, useSize } from './use-file.ts'

const AudioPlayer = onDemand(async () => (await import('./players.tsx')).AudioPlayer)
const VideoPlayer = onDemand(async () => (await import('./players.tsx')).VideoPlayer)

export function Media(shown: ThreadMessage) {
  const { message, text } = shown
  const file = fileOf(message)
  if (!file) return null
  return (
    <>
      <Shown shown={shown} file={file} />
      {text === null || text === '' ? null : (
        <MessageText text={text} mentions={textsAt(message.content, 'mentions')} />
      )}
    </>
  )
}

function Shown({ shown, file }: { shown: ThreadMessage; file: MessageFile }) {
  const card = <FileCard shown={shown} file={file} />
  if (!file.isReadable && !fileLoader.hasLocal(file.mediaId)) return card
  if (file.kind === 'picture') return <Picture shown={shown} file={file} otherwise={card} />
  if (file.kind === 'document') return card
  const Player = file.kind === 'audio' ? AudioPlayer : VideoPlayer
  return (
    <div className={file.kind === 'audio' ? css.audioFrame : css.videoFrame}>
      <Player file={file} download={downloadOf(file)} otherwise={card} />
    </div>
  )
}

/** What is known about a file that is not shown. */
function FileCard({ shown: { message }, file }: { shown: ThreadMessage; file: MessageFile }) {
  const t = useTexts(conversationTexts)
  const size = useSize()
  const sentFrom = textAt(message.content, 'mediaUrl')
  const facts = [
    file.mimetype,
    size(file.sizeBytes),
    file.seconds ? `${Math.round(file.seconds)} s` : null,
  ].filter((fact) => fact)
  return (
    <div className={contentCss.file}>
      <Glyph path={glyphOf(message.type)} />
      <span className={contentCss.fileName}>
        {file.name ?? t.types[message.type as keyof typeof t.types]}
      </span>
      <span className={contentCss.fileFacts}>{facts.join(' · ')}</span>
      {file.isReadable ? (
        <a className={contentCss.fileLink} href={downloadOf(file)} download={file.name ?? ''}>
          {t.download}
        </a>
      ) : null}
      {sentFrom === null ? null : <OuterLink address={sentFrom}>{sentFrom}</OuterLink>}
    </div>
  )
}

// The picture of a message, loaded when it comes near the visible part. Pressing it opens the viewer.

interface PictureProps {
  shown: ThreadMessage
  file: MessageFile
  /** Shown if the file is no longer available. */
  otherwise: ReactNode
}

/** Pictures are loaded before they are scrolled into view. */
const AHEAD = '600px 0px'

function Picture({ shown, file, otherwise }: PictureProps) {
  const t = useTexts(conversationTexts)
  const { view } = useThread()
  const frame = useRef<HTMLButtonElement>(null)
  const isNear = useIsNear(frame)
  const state = useFile(file, isNear)
  const [isBroken, setBroken] = useState(false)
  if (state.at === 'gone' || isBroken) return otherwise
  const isSticker = shown.message.type === 'sticker'
  return (
    <button
      ref={frame}
      type="button"
      className={classNames(css.picture, isSticker && css.sticker)}
      data-loading={state.at === 'loading' || undefined}
      aria-label={isSticker ? t.types.sticker : t.openPicture}
      disabled={state.at !== 'ready' || isSticker}
      onClick={() => view(shown)}
    >
      {state.at === 'ready' ? (
        <img
          src={state.address}
          alt={isSticker ? t.types.sticker : t.imageAlt}
          {...(file.size ? { width: file.size[0], height: file.size[1] } : {})}
          onError={() => setBroken(true)}
        />
      ) : null}
    </button>
  )
}

/** Stays true: a picture that was seen is not loaded again when the reader comes back to it. */
function useIsNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!element.current || isNear) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { root: element.current.closest('[role=log]'), rootMargin: AHEAD },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}
