// The picture of a message, loaded when it comes near the visible part. Pressing it opens the viewer.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { useTexts } from '../../../ui/language.tsx'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './media.module.css'
import type { MessageFile } from './message-file.ts'
import { useFile } from './message-files.ts'
import { useThread } from './thread-context.ts'

interface PictureProps {
  shown: ThreadMessage
  file: MessageFile
  /** Shown if the file is no longer available. */
  otherwise: ReactNode
}

/** Pictures are loaded before they are scrolled into view. */
const AHEAD = '600px 0px'

export function Picture({ shown, file, otherwise }: PictureProps) {
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
