// A chart of lines over time. Gaps are steps without a value. Its label and legend give the same information in words.
import chartCss from './column-chart.module.css'
import css from './line-chart.module.css'

export interface Line {
  title: string
  tone: 'first' | 'second' | 'bad'
  values: readonly (number | null)[]
  /** What the legend says of the whole range. */
  total: string
}

export interface LineChartProps {
  lines: readonly Line[]
  /** The labels below the first, the middle and the last step. */
  marks: readonly [string, string, string]
  /** The tooltip of one step. */
  describe(index: number): string
  /** The accessible name. */
  label: string
  /** The value at the upper edge. */
  formatted(value: number): string
}

const HEIGHT = 100
const STEP = 10
/** Room for the width of the line at the upper edge. */
const TOP = 4

export function LineChart({ lines, marks, describe, label, formatted }: LineChartProps) {
  const count = lines[0]?.values.length ?? 0
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const most = Math.max(1, highest)
  const y = (value: number) => HEIGHT - (value / most) * (HEIGHT - TOP)
  return (
    <figure className={chartCss.columnChart}>
      <div className={chartCss.most} aria-hidden="true">
        {highest > 0 ? formatted(most) : null}
      </div>
      <svg
        className={css.lines}
        viewBox={`0 0 ${count * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {Array.from({ length: count }, (_each, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a step is its position
          <g key={index}>
            <title>{describe(index)}</title>
            <rect className={chartCss.ground} x={index * STEP} y={0} width={STEP} height={HEIGHT} />
          </g>
        ))}
        <path className={css.base} d={`M0 ${HEIGHT}H${count * STEP}`} />
        {lines.map(({ tone, values }) => (
          <path key={tone} className={`${css.line} ${css[tone]}`} d={pathOf(values, y)} />
        ))}
      </svg>
      <div className={chartCss.marks} aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </div>
      <ul className={chartCss.legend}>
        {lines.map(({ title, tone, total }) => (
          <li key={tone} className={chartCss[tone]}>
            {title} <strong>{total}</strong>
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** Values side by side are connected; one alone is a short stroke. */
function pathOf(values: readonly (number | null)[], y: (value: number) => number): string {
  return values
    .map((value, index) => {
      if (value === null) return ''
      const [middle, height] = [index * STEP + STEP / 2, y(value)]
      const hasBefore = (values[index - 1] ?? null) !== null
      const hasAfter = (values[index + 1] ?? null) !== null
      if (hasBefore) return `L${middle} ${height}`
      return hasAfter ? `M${middle} ${height}` : `M${middle - 3} ${height}H${middle + 3}`
    })
    .join('')
}
