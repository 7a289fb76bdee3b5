// A chart of columns, each of several kinds on top of each other; its sentence and its legend say the same in words.
export interface Series {
  title: string
  tone: 'first' | 'second' | 'bad'
  values: readonly number[]
}

export interface ColumnChartProps {
  series: readonly Series[]
  /** What stands below the columns: the first, the middle and the last. */
  marks: readonly [string, string, string]
  /** One column in words, shown when pointed at. */
  describe(index: number): string
  /** What the chart shows, in words. */
  label: string
  formatted(count: number): string
}

const HEIGHT = 100
const STEP = 10

export function ColumnChart({ series, marks, describe, label, formatted }: ColumnChartProps) {
  const columns =
    series[0]?.values.map((_value, index) => series.map(({ values }) => values[index] ?? 0)) ?? []
  const most = Math.max(1, ...columns.map(sum))
  return (
    <figure className="column-chart">
      <svg
        viewBox={`0 0 ${columns.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {columns.map((counts, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a column is its place
          <g key={index}>
            <title>{describe(index)}</title>
            <rect className="ground" x={index * STEP} y={0} width={STEP} height={HEIGHT} />
            <rect className="nothing" x={index * STEP + 1} y={HEIGHT - 2} width={STEP - 2} height={2} />
            {counts.map((count, kind) => {
              const height = (count / most) * HEIGHT
              const below = (sum(counts.slice(0, kind)) / most) * HEIGHT
              const tone = series[kind]?.tone
              return count === 0 ? null : (
                <rect
                  key={tone}
                  className={tone}
                  x={index * STEP + 1}
                  y={HEIGHT - below - height}
                  width={STEP - 2}
                  height={height}
                />
              )
            })}
          </g>
        ))}
      </svg>
      <div className="marks" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </div>
      <ul className="legend">
        {series.map(({ title, tone, values }) => (
          <li key={tone} className={tone}>
            {title} <strong>{formatted(sum(values))}</strong>
          </li>
        ))}
      </ul>
    </figure>
  )
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
