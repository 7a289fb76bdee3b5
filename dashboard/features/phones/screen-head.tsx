// The head of a screen on a phone: its title, and a button that goes back.

import type { ReactNode } from 'react'
import { useTexts } from '../../ui/language.tsx'
import glyphCss from './glyph.module.css'
import { Glyph } from './glyph.tsx'
import phoneCss from './phone.module.css'
import { phoneTexts } from './texts/phone-texts.ts'

export interface ScreenHeadProps {
  title: string
  onBack?: () => void
  children?: ReactNode
}

export function ScreenHead({ title, onBack, children }: ScreenHeadProps) {
  const t = useTexts(phoneTexts)
  return (
    <div className={phoneCss.screenHead}>
      {onBack ? (
        <button type="button" className={glyphCss.glyphButton} aria-label={t.back} onClick={onBack}>
          <Glyph name="back" />
        </button>
      ) : null}
      <h3>{title}</h3>
      {children}
    </div>
  )
}
