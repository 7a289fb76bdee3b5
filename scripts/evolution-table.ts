// The tables of docs/compat/evolution.md, made from the calls and events of the dialect: `npm run docs:evolution` writes them.
import { readFile, writeFile } from 'node:fs/promises'
import { SUBSCRIPTIONS } from '../src/doors/evolution/event-names.ts'
import { CALLS, NOT_OFFERED } from '../src/doors/evolution/serve.ts'
import { DIFFERENCES, KNOWN_CALLS } from './evolution-calls.ts'

const DOCUMENT = new URL('../docs/compat/evolution.md', import.meta.url)
const START = '<!-- tables: made by scripts/evolution-table.ts -->'
const END = '<!-- end of tables -->'

const nameOf = (path: string): string => path.split('/').slice(1, 3).join('/')

/** Calls of the code that the list does not know. */
export function unlistedCalls(): string[] {
  const listed = new Set(KNOWN_CALLS.map(([call]) => call))
  return CALLS.map(([method, path]) => `${method} ${nameOf(path)}`).filter((call) => !listed.has(call))
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function callRow([call, note]: (typeof KNOWN_CALLS)[number]): string[] {
  const [method = '', name = ''] = call.split(' ')
  const offered = CALLS.find(([each, path]) => each === method && nameOf(path) === name)
  if (offered) return [`\`${call}\``, 'yes', String(offered[2].status), note ?? '']
  const refusal = NOT_OFFERED.find(([path]) => `/${name}/`.startsWith(path.replace('*', '')))
  if (!refusal) throw new Error(`${call} is neither offered nor refused`)
  return [`\`${call}\``, 'no', '501', refusal[1]]
}

export function evolutionTables(): string {
  const covered = KNOWN_CALLS.map(callRow)
  const count = covered.filter(([, offered]) => offered === 'yes').length
  const events = Object.entries(SUBSCRIPTIONS).map(([name, event]) => [
    `\`${name}\``,
    event === null ? 'never comes' : `\`${event}\``,
  ])
  return [
    '## What differs everywhere',
    table(['In the original', 'Here'], DIFFERENCES),
    `## Call by call\n\n${count} of ${covered.length} calls are covered.`,
    table(['Call', 'Covered', 'Status', 'What differs'], covered),
    '## Events',
    table(['Subscription', 'Made from'], events),
  ].join('\n\n')
}

/** The document with the tables as they should be. */
export function withEvolutionTables(text: string): string {
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start)
    throw new Error(`docs/compat/evolution.md has no place for the tables: ${START}`)
  return `${text.slice(0, start + START.length)}\n\n${evolutionTables()}\n\n${text.slice(end)}`
}

if (import.meta.main) await writeFile(DOCUMENT, withEvolutionTables(await readFile(DOCUMENT, 'utf8')))
