// What a person reads after the start: the address, and the keys that this start has created. It goes to standard error, so that
// standard output stays a log in JSON.
import { FIRST_KEY_FILE, OPERATOR_KEY_FILE } from '../data-dir/secrets.ts'

/** Only those that were created now: no later start shows them. */
export interface NewKeys {
  account?: string
  operator?: string
}

export interface StartedServer {
  url: string
  /** Where the keys are as files. */
  directory: string
  newKeys: NewKeys
}

/** `plain` is for a file or another program, which needs no notice where there is no new key. */
export type NoticeForm = 'plain' | 'terminal' | 'colours'

export function formOf(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): NoticeForm {
  if (!stream.isTTY) return 'plain'
  return environment['NO_COLOR'] || environment['TERM'] === 'dumb' ? 'terminal' : 'colours'
}

const STYLES = { bold: '\x1b[1m', dim: '\x1b[2m', end: '\x1b[0m' }
const NO_STYLES = { bold: '', dim: '', end: '' }

export function startNotice({ url, directory, newKeys }: StartedServer, form: NoticeForm): string {
  const keys = [
    { name: 'API key', value: newKeys.account, use: 'sign in with it', file: FIRST_KEY_FILE },
    { name: 'Operator key', value: newKeys.operator, use: 'for /operator', file: OPERATOR_KEY_FILE },
  ].flatMap(({ value, ...key }) => (value === undefined ? [] : [{ ...key, value }]))
  if (keys.length === 0 && form === 'plain') return ''
  const { bold, dim, end } = form === 'colours' ? STYLES : NO_STYLES
  const row = (name: string, value: string) => `  ${name.padEnd(14)}${bold}${value}${end}`
  const lines = [
    ...keys.map(
      ({ name, value, use, file }) => `${row(name, value)}  ${dim}${use}; also in ${directory}/${file}${end}`,
    ),
    row('Address', url),
  ]
  const head =
    keys.length === 0 ? 'Switchboard is ready.' : 'Switchboard is ready. The keys are shown this once:'
  return `\n${head}\n\n${lines.join('\n')}\n\n`
}
