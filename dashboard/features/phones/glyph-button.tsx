// A round button that shows only a symbol.

import { classNames } from '../../ui/class-names.ts'
import css from './glyph.module.css'
import { Glyph, type GlyphName } from './glyph.tsx'

export interface GlyphButtonProps {
  name: GlyphName
  label: string
  className?: string | undefined
  onClick(): void
}

export const GlyphButton = ({ name, label, className, onClick }: GlyphButtonProps) => (
  <button
    type="button"
    className={classNames(css.glyphButton, className)}
    aria-label={label}
    onClick={onClick}
  >
    <Glyph name={name} />
  </button>
)
