// How a command is declared. Parsing, help and the types of its options derive from the declaration.
import { parseArgs } from 'node:util'
import type { Context } from './context.ts'
import { UsageError } from './usage-error.ts'

export interface Option {
  type: 'string' | 'boolean'
  help: string
  /** Placeholder for the value in the help. */
  value?: string
  multiple?: boolean
  required?: boolean
}
export type Options = Record<string, Option>

type ValueOf<O extends Option> = O extends { type: 'boolean' }
  ? boolean
  : O extends { multiple: true }
    ? string[]
    : string
type Values<O extends Options> = {
  [K in keyof O as O[K] extends { required: true } ? K : never]: ValueOf<O[K]>
} & { [K in keyof O as O[K] extends { required: true } ? never : K]?: ValueOf<O[K]> | undefined }

/** The result of a command: `json` for programs, `text` for people. */
export interface Output {
  json: unknown
  text: string
  /** Exit with code 1, because of what the command found. */
  hasProblems?: boolean
}

type Parameter<P extends string> = P extends `[${string}]` ? string | undefined : string

export interface Command<O extends Options = Options, P extends readonly string[] = readonly string[]> {
  /** One word, or group and word, such as `keys list`. */
  name: string
  summary: string
  description?: string
  /** Positional arguments in order; optional ones in brackets. */
  parameters: P
  options: O
  run(
    context: Context,
    values: Values<O>,
    parameters: { [I in keyof P]: Parameter<P[I]> },
  ): Promise<Output | undefined>
}

/** A command with any options, for the table of commands. */
export interface AnyCommand extends Omit<Command, 'run'> {
  run(context: Context, values: never, parameters: never): Promise<Output | undefined>
}

export const command = <const O extends Options, const P extends readonly string[]>(
  declared: Command<O, P>,
): AnyCommand => declared

export const COMMON_OPTIONS = {
  json: { type: 'boolean', help: 'Print the full response as JSON' },
  help: { type: 'boolean', help: 'Show this help' },
} as const satisfies Options

/** For commands that call a running server. */
export const SERVER_OPTIONS = {
  url: {
    type: 'string',
    value: 'URL',
    help: 'URL of the server; default: SWITCHBOARD_URL, or HOST and PORT',
  },
} as const satisfies Options

export interface ParsedArguments {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  parameters: string[]
}

export function parseArguments(declared: AnyCommand, args: string[]): ParsedArguments {
  const options = { ...declared.options, ...COMMON_OPTIONS }
  const { values, positionals } = readArguments(options, args)
  // Help works without the required arguments.
  if (values.help === true) return { values, parameters: positionals }
  const required = declared.parameters.filter((name) => !name.startsWith('['))
  const missing = required[positionals.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  if (positionals.length > declared.parameters.length) {
    throw new UsageError(`unexpected argument: ${positionals[declared.parameters.length]}`)
  }
  for (const [name, option] of Object.entries(declared.options)) {
    if (option.required === true && values[name] === undefined) throw new UsageError(`--${name} is missing`)
  }
  return { values, parameters: positionals }
}

function readArguments(
  options: Options,
  args: string[],
): Pick<ParsedArguments, 'values'> & { positionals: string[] } {
  const known = Object.entries(options).map(([name, { type, multiple }]) => [
    name,
    { type, multiple: multiple === true },
  ])
  try {
    return parseArgs({ args, options: Object.fromEntries(known), allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message, error)
  }
}

export function parseWholeNumber(name: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`--${name}: expected a whole number`)
  return Number(text)
}
