// The tables of docs/compat/cloud.md, made from the code of the dialect: `npm run docs:cloud` writes them.
import { readFile, writeFile } from 'node:fs/promises'
import { FAILURES, REFUSALS, TITLES } from '../src/doors/cloud/errors.ts'
import { CALLS, KINDS, NOT_OFFERED } from '../src/doors/cloud/serve.ts'
import { DIFFERENCES, EVENT_ROWS, KIND_NOTES, KNOWN_CALLS } from './cloud-calls.ts'

const DOCUMENT = new URL('../docs/compat/cloud.md', import.meta.url)
const START = '<!-- tables: made by scripts/cloud-table.ts -->'
const END = '<!-- end of tables -->'

/** `GET /{media_id}` is the same path as `GET /{id}`. */
const pathOf = (name: string): string => name.replaceAll(/\{\w+\}/g, ':id')

/** Calls of the code that the list does not know. */
export function unlistedCalls(): string[] {
  const listed = new Set(KNOWN_CALLS.map(([call]) => pathOf(call)))
  return CALLS.map(([method, path]) => `${method} ${path}`).filter((call) => !listed.has(call))
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function callRow([call, note]: (typeof KNOWN_CALLS)[number]): string[] {
  const [method = '', path = ''] = pathOf(call).split(' ')
  if (CALLS.some(([each, known]) => each === method && known === path))
    return [`\`${call}\``, 'yes', '200', note ?? '']
  const refusal = NOT_OFFERED.find(([known]) => known === path)
  if (!refusal) throw new Error(`${call} is neither offered nor refused`)
  return [`\`${call}\``, 'no', '501', refusal[1]]
}

const names = (reasons: readonly string[]): string => reasons.map((reason) => `\`${reason}\``).join(', ')

/** A code, where it comes from in requests, and in statuses of messages. */
function codeRows(): string[][] {
  const refusals = Object.entries(REFUSALS)
  const failures = Object.entries(FAILURES)
  const own: Record<number, string> = {
    3: 'a call that is not offered (501)',
    100: '`messaging_product`, or a body that is not valid',
    131008: '`invalid_request`: a field is missing',
    131009: '`invalid_request`: a value is not valid',
    131051: 'a `type` that is not offered',
    132000: 'the parameters do not fit the template',
    132001: 'the template is not stored in this language (404)',
    2500: 'an unknown path (404)',
  }
  return Object.entries(TITLES).map(([code, title]) => {
    const ofRefusals = refusals.filter(([, [, each]]) => String(each) === code)
    const causes = [own[Number(code)] ?? '', names(ofRefusals.map(([reason]) => reason))]
    const ofFailures = failures.filter(([, each]) => String(each) === code).map(([reason]) => reason)
    const statuses = [...new Set(ofRefusals.map(([, [status]]) => String(status)))].join(', ')
    return [code, title, statuses, causes.filter((text) => text !== '').join('; '), names(ofFailures)]
  })
}

export function cloudTables(): string {
  const covered = KNOWN_CALLS.map(callRow)
  const count = covered.filter(([, offered]) => offered === 'yes').length
  return [
    '## What differs everywhere',
    table(['In the original', 'Here'], DIFFERENCES),
    `## Call by call\n\n${count} of ${covered.length} calls are covered. \`{id}\` is the API name of the instance.`,
    table(['Call', 'Covered', 'Status', 'What differs'], covered),
    '## Kinds of messages to send',
    table(
      ['`type`', 'What differs'],
      Object.keys(KINDS).map((name) => [`\`${name}\``, KIND_NOTES[name] ?? '']),
    ),
    '## What webhooks post',
    table(['What happened', 'Posted as'], EVENT_ROWS),
    '## Error codes',
    table(['Code', 'Title', 'HTTP status', 'In answers to calls', 'In statuses of messages'], codeRows()),
  ].join('\n\n')
}

/** The document with the tables as they should be. */
export function withCloudTables(text: string): string {
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start) throw new Error(`docs/compat/cloud.md has no place for the tables: ${START}`)
  return `${text.slice(0, start + START.length)}\n\n${cloudTables()}\n\n${text.slice(end)}`
}

if (import.meta.main) await writeFile(DOCUMENT, withCloudTables(await readFile(DOCUMENT, 'utf8')))
