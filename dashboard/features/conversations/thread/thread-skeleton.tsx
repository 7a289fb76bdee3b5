// Stands for the messages while they are loaded.
import { useTexts } from '../../../ui/language.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import css from './thread-skeleton.module.css'

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
