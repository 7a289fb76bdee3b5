// Figures of a bench: printed, and handed to `npm run bench`, which makes one table of them.

export interface Figure {
  /** What was measured, with its conditions. */
  question: string
  value: number
  unit: string
  /** The same work in the same run on what the figure is compared with. */
  beside?: { name: string; value: number }
  ratio?: number
  wanted?: Wanted
}

export interface Wanted {
  text: string
  held: boolean
}

/** A message of a bench to the process that started it. */
export interface FigureMessage {
  figure: Figure
}

export const atMost = (value: number, limit: number, unit = ''): Wanted => ({
  text: `at most ${limit}${unit && ` ${unit}`}`,
  held: value <= limit,
})

export const atLeast = (value: number, limit: number, unit = ''): Wanted => ({
  text: `at least ${limit}${unit && ` ${unit}`}`,
  held: value >= limit,
})

/** Where the ratio counts, and not the figure itself. */
export const ratioOf = ({ text, held }: Wanted): Wanted => ({ text: `ratio ${text}`, held })

const DIGITS = 3
const LARGE = 100

/** Three digits, and all of a larger number. */
export const shown = (value: number, unit = ''): string => {
  const number = Math.abs(value) >= LARGE ? value.toFixed(0) : String(Number(value.toPrecision(DIGITS)))
  return unit === '' ? number : `${number} ${unit}`
}

/** For a bench that prints its own sentence. */
export function record(figure: Figure): void {
  process.send?.({ figure } satisfies FigureMessage)
}

export function report(figure: Figure): void {
  const { question, value, unit, beside, ratio, wanted } = figure
  const parts = [
    `${question}: ${shown(value, unit)}`,
    ...(beside ? [`${beside.name} ${shown(beside.value, unit)}`] : []),
    ...(ratio === undefined ? [] : [`ratio ${shown(ratio)}`]),
  ]
  console.log(`${parts.join(', ')}${wanted ? ` (wanted: ${wanted.text})` : ''}`)
  if (wanted && !wanted.held) process.exitCode = 1
  record(figure)
}
