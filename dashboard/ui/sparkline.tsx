// A small chart of columns; its sentence says the same in words.
export interface SparklineProps {
  values: readonly number[]
  /** What the chart shows, in words. */
  label: string
}

const HEIGHT = 40
const STEP = 10

export function Sparkline({ values, label }: SparklineProps) {
  const most = Math.max(1, ...values)
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT)
        return (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a column is its place
            key={index}
            className={value === 0 ? 'nothing' : undefined}
            x={index * STEP + 1}
            y={HEIGHT - height}
            width={STEP - 2}
            height={height}
          />
        )
      })}
    </svg>
  )
}
