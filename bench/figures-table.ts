// The table of all figures, as Markdown, and its place in docs/performance.md.
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus } from 'node:os'
import { type Figure, shown } from './report.ts'

const START = '<!-- figures: written by npm run bench -- --write -->'
const END = '<!-- end of figures -->'

export interface Measured extends Figure {
  bench: string
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

export function figuresTable(figures: readonly Measured[]): string {
  const rows = figures.map(({ bench, question, value, unit, beside, ratio, wanted }) =>
    [
      bench,
      question,
      shown(value, unit),
      beside ? `${beside.name}: ${shown(beside.value, unit)}` : '',
      ratio === undefined ? '' : shown(ratio),
      wanted ? `${wanted.text}${wanted.held ? '' : ' (missed)'}` : '',
    ].map(cell),
  )
  const head = ['Bench', 'Question', 'Gateway', 'Compared with', 'Ratio', 'Wanted']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** What the figures depend on. */
export function conditions(engine: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  const commit = git('rev-parse', '--short', 'HEAD').trim()
  const isChanged = git('status', '--porcelain', '--untracked-files=no').trim() !== ''
  const date = new Date().toISOString().slice(0, 10)
  return (
    `Measured on ${date}, commit ${commit}${isChanged ? ' with local changes' : ''}, ${availableParallelism()} cores ` +
    `(${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}, engine ${engine}.`
  )
}

/** The document with this content between its markers. */
export function withFigures(text: string, content: string): string {
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start) throw new Error(`the document has no place for the table: ${START} … ${END}`)
  return `${text.slice(0, start + START.length)}\n\n${content}\n\n${text.slice(end)}`
}
