// Tables and records as plain text. Control characters in values are escaped.

/** Names and messages are untrusted: control characters could move the cursor or rewrite the screen. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const ESCAPES: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' }

export const escapeControls = (text: string): string =>
  text.replaceAll(
    CONTROL,
    (character) => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(', ')
  return escapeControls(typeof value === 'string' ? value : JSON.stringify(value))
}

export function table(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const lines = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => row.map(cell))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => width(line[index] ?? ''))))
  const pad = (text: string, index: number) =>
    index === columns.length - 1 ? text : text + ' '.repeat((widths[index] ?? 0) - width(text))
  return lines.map((line) => line.map(pad).join('  ')).join('\n')
}

/** In user-perceived characters, so that emojis count as one. */
const width = (text: string): number => [...new Intl.Segmenter().segment(text)].length

/** One line per field. */
export function record(fields: Record<string, unknown>): string {
  const longest = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields)
    .map(([name, value]) => `${`${name}:`.padEnd(longest + 1)}  ${cell(value)}`)
    .join('\n')
}

export const nextPageHint = ({ page, hasMore }: { page: number; hasMore: boolean }): string =>
  hasMore ? `\nNext page: --page ${page + 1}` : ''

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const amount = bytes / 1024 ** step
  return `${step === 0 ? amount : amount.toFixed(1)} ${units[step]}`
}
