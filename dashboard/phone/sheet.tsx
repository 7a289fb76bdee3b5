// A sheet that comes up from the lower edge of a phone. Escape puts it away, and focus returns to where it was.
import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../language.tsx'
import { phoneTexts } from '../texts/phone.ts'
import { Glyph } from './glyph.tsx'

export function Sheet({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const t = useTexts(phoneTexts)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    element.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <div className="sheet-ground">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape puts a dialog away */}
      <div
        ref={element}
        className="sheet"
        role="dialog"
        aria-label={title}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
        }}
      >
        <div className="screen-head">
          <h3>{title}</h3>
          <button type="button" className="glyph-button" aria-label={t.close} onClick={onClose}>
            <Glyph name="close" />
          </button>
        </div>
        <div className="sheet-body">{children}</div>
      </div>
    </div>
  )
}
