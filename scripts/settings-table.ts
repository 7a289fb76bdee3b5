// The table of settings in docs/settings.md, made from the schema that reads them: `npm run docs:settings` writes it.
import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { SettingsSchema } from '../src/config.ts'

const DOCUMENT = new URL('../docs/settings.md', import.meta.url)
const START = '<!-- settings: made by scripts/settings-table.ts -->'
const END = '<!-- end of settings -->'

export function settingsTable(): string {
  const rows = Object.entries(SettingsSchema.shape).map(([name, field]) => {
    const description = field.meta()?.description
    if (!description) throw new Error(`the setting ${name} has no description`)
    return `| \`${name}\` | ${shownDefault(field)} | ${withPages(description).replaceAll('|', '\\|')} |`
  })
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

/** Descriptions name the section about traces without its page. */
const withPages = (description: string): string =>
  description.replaceAll('](#traces)', '](monitoring.md#traces)')

function shownDefault(field: z.ZodType): string {
  const { default: value } = z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' })
  if (value === undefined) return 'none'
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

/** The document with the table as it should be. */
export function withSettingsTable(text: string): string {
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start)
    throw new Error(`docs/settings.md has no place for the table: ${START} … ${END}`)
  return `${text.slice(0, start + START.length)}\n\n${settingsTable()}\n\n${text.slice(end)}`
}

if (import.meta.main) await writeFile(DOCUMENT, withSettingsTable(await readFile(DOCUMENT, 'utf8')))
