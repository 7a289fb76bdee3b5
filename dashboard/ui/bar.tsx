// A usage bar. It changes to a warning at 80 %.
import css from './bar.module.css'
import { classNames } from './class-names.ts'
export interface BarProps {
  label: string
  used: number
  /** Null means unlimited. */
  limit: number | null
}

const NEARLY = 0.8

export function Bar({ label, used, limit }: BarProps) {
  const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, used / limit)
  const tone = limit !== null && (share >= 1 ? css.bad : share >= NEARLY && css.warn)
  return (
    <div
      className={classNames(css.bar, tone)}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit ?? used}
      aria-valuenow={limit === null ? used : Math.min(used, limit)}
    >
      <span style={{ width: `${share * 100}%` }} />
    </div>
  )
}
