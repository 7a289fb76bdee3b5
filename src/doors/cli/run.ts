// One run of the command line: finds and runs a command, and prints its result. Returns the exit code.
import { SettingsError } from '../../config.ts'
import { ClientError, UNREACHABLE } from '../../contract/client.ts'
import { type AnyCommand, type Output, parseArguments } from './command.ts'
import { commands } from './commands.ts'
import { createContext, type Streams } from './context.ts'
import { helpOfAll, helpOfCommand, helpOfGroup } from './help.ts'
import { escapeControls } from './print.ts'
import { UsageError } from './usage-error.ts'

interface Found {
  command: AnyCommand
  args: string[]
}

/** Finds the command by its first words, or the matching help. */
function find(words: string[]): Found | { help: string } {
  const [first, second] = words
  if (first === undefined) throw new UsageError(`no command given\n\n${helpOfAll(commands)}`)
  if (first === '--help' || first === 'help') return { help: helpOfAll(commands) }
  const member = commands.find(({ name }) => name === `${first} ${second}`)
  if (member) return { command: member, args: words.slice(2) }
  const exact = commands.find(({ name }) => name === first)
  if (exact) return { command: exact, args: words.slice(1) }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) throw new UsageError(`unknown command: ${first}\n\n${helpOfAll(commands)}`)
  if (words.includes('--help')) return { help: helpOfGroup(first, group) }
  throw new UsageError(
    `${second === undefined ? 'no command given' : `unknown command: ${first} ${second}`}\n\n${helpOfGroup(first, group)}`,
  )
}

export const runCommandLine = (
  words: string[],
  environment: NodeJS.ProcessEnv,
  streams: Streams,
): Promise<number> =>
  runCommand(words, environment, streams).catch((error: unknown) => report(error, streams))

async function runCommand(
  words: string[],
  environment: NodeJS.ProcessEnv,
  streams: Streams,
): Promise<number> {
  const found = find(words)
  if ('help' in found) return print(found.help, streams)
  const { values, parameters } = parseArguments(found.command, found.args)
  if (values.help === true) return print(helpOfCommand(found.command), streams)
  const url = typeof values.url === 'string' ? values.url : undefined
  const context = createContext(environment, url, streams)
  const output = await found.command.run(context, values as never, parameters as never)
  return output === undefined ? 0 : printOutput(output, values.json === true, streams)
}

function print(text: string, { output }: Streams): number {
  output.write(`${text}\n`)
  return 0
}

function printOutput({ json, text, hasProblems }: Output, asJson: boolean, streams: Streams): number {
  print(asJson ? JSON.stringify(json, null, 2) : text, streams)
  return hasProblems === true ? 1 : 0
}

function report(error: unknown, { notes }: Streams): number {
  notes.write(`switchboard: ${sentenceOf(error)}\n`)
  if (error instanceof UsageError) return UsageError.exitCode
  return error instanceof SettingsError ? SettingsError.exitCode : 1
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof ClientError)) return error instanceof Error ? error.message : String(error)
  const { message, reason, requestId, retryAfter, details } = error
  const lines = [message, ...details.slice(1).map((detail) => `${detail.path}: ${detail.message}`)]
  const id = requestId === undefined ? '' : `, request ${requestId}`
  const advice =
    reason === UNREACHABLE ? '; check that the server runs and that --url or SWITCHBOARD_URL is correct' : ''
  const wait = retryAfter === undefined ? '' : `; try again in ${retryAfter} s`
  return `${lines.map(escapeControls).join('\n  ')} (${escapeControls(reason)}${escapeControls(id)})${advice}${wait}`
}
