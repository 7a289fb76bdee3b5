// How much of a limit is used. It turns to warning at four fifths.
export interface BarProps {
  label: string
  used: number
  /** Null: without a limit. */
  limit: number | null
}

const NEARLY = 0.8

export function Bar({ label, used, limit }: BarProps) {
  const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, used / limit)
  const tone = limit === null ? '' : share >= 1 ? ' bad' : share >= NEARLY ? ' warn' : ''
  return (
    <div
      className={`bar${tone}`}
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
