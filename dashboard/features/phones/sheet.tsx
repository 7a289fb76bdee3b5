// A bottom sheet on a phone. Escape closes it and restores the focus.

import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../../ui/language.tsx'
import glyphCss from './glyph.module.css'
import { Glyph } from './glyph.tsx'
import phoneCss from './phone.module.css'
import css from './sheet.module.css'
import { phoneTexts } from './texts/phone-texts.ts'

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
    <div className={css.sheetGround}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape puts a dialog away */}
      <div
        ref={element}
        className={css.sheet}
        role="dialog"
        aria-label={title}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
        }}
      >
        <div className={phoneCss.screenHead}>
          <h3>{title}</h3>
          <button type="button" className={glyphCss.glyphButton} aria-label={t.close} onClick={onClose}>
            <Glyph name="close" />
          </button>
        </div>
        <div className={css.sheetBody}>{children}</div>
      </div>
    </div>
  )
}
