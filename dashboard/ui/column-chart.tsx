// A stacked column chart. Its label and legend give the same information in words.
import css from './column-chart.module.css'

export interface Series {
  title: string
  tone: 'first' | 'second' | 'bad'
  values: readonly number[]
}

export interface ColumnChartProps {
  series: readonly Series[]
  /** The labels below the first, the middle and the last column. */
  marks: readonly [string, string, string]
  /** The tooltip of one column. */
  describe(index: number): string
  /** The accessible name. */
  label: string
  formatted(count: number): string
}

const HEIGHT = 100
const STEP = 10

export function ColumnChart({ series, marks, describe, label, formatted }: ColumnChartProps) {
  const columns =
    series[0]?.values.map((_value, index) => series.map(({ values }) => values[index] ?? 0)) ?? []
  const highest = Math.max(0, ...columns.map(sum))
  const most = Math.max(1, highest)
  return (
    <figure className={css.columnChart}>
      <div className={css.most} aria-hidden="true">
        {highest > 0 ? formatted(most) : null}
      </div>
      <svg
        viewBox={`0 0 ${columns.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {columns.map((counts, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a column is its position
          <g key={index}>
            <title>{describe(index)}</title>
            <rect className={css.ground} x={index * STEP} y={0} width={STEP} height={HEIGHT} />
            <rect className={css.nothing} x={index * STEP + 1} y={HEIGHT - 2} width={STEP - 2} height={2} />
            {counts.map((count, kind) => {
              const height = (count / most) * HEIGHT
              const below = (sum(counts.slice(0, kind)) / most) * HEIGHT
              const tone = series[kind]?.tone ?? 'first'
              return count === 0 ? null : (
                <rect
                  key={tone}
                  className={css[tone]}
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
      <div className={css.marks} aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </div>
      <ul className={css.legend}>
        {series.map(({ title, tone, values }) => (
          <li key={tone} className={css[tone]}>
            {title} <strong>{formatted(sum(values))}</strong>
          </li>
        ))}
      </ul>
    </figure>
  )
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
