// A command of the command line, declared once: parsing, help and the types of its options are read from it.
import { parseArgs } from 'node:util'
import type { Context } from './context.ts'

export interface Option {
  type: 'string' | 'boolean'
  help: string
  /** How the help names the value. */
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

/** What a command has to say: for programs as JSON, for people as text. */
export interface Output {
  json: unknown
  text: string
  /** Exit with 1 although the command did its work, because of what it found. */
  bad?: boolean
}

type Parameter<P extends string> = P extends `[${string}]` ? string | undefined : string

export interface Command<O extends Options = Options, P extends readonly string[] = readonly string[]> {
  /** One word, or group and word: `keys list`. */
  name: string
  summary: string
  description?: string
  /** Positional arguments in order; in brackets where it may be left out. */
  parameters: P
  options: O
  run(
    context: Context,
    values: Values<O>,
    parameters: { [I in keyof P]: Parameter<P[I]> },
  ): Promise<Output | undefined>
}

/** Commands of different options in one table. */
export interface AnyCommand extends Omit<Command, 'run'> {
  run(context: Context, values: never, parameters: never): Promise<Output | undefined>
}

export const command = <const O extends Options, const P extends readonly string[]>(
  declared: Command<O, P>,
): AnyCommand => declared

/** The command line itself is wrong. Exit code 2. */
export class UsageError extends Error {
  static readonly exitCode = 2

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UsageError'
  }
}

export const COMMON_OPTIONS = {
  json: { type: 'boolean', help: 'Print the whole answer as JSON' },
  help: { type: 'boolean', help: 'Show this help' },
} as const satisfies Options

/** For commands that speak to a running server. */
export const SERVER_OPTIONS = {
  url: {
    type: 'string',
    value: 'URL',
    help: 'Where the server is; default: SWITCHBOARD_URL, or HOST and PORT',
  },
} as const satisfies Options

export interface ParsedLine {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  parameters: string[]
}

export function parseLine(declared: AnyCommand, args: string[]): ParsedLine {
  const options = { ...declared.options, ...COMMON_OPTIONS }
  const { values, positionals } = readArguments(options, args)
  // Help is given whatever else is missing.
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
): Pick<ParsedLine, 'values'> & { positionals: string[] } {
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

/** A whole number given as text. */
export function wholeNumber(name: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`--${name}: expected a whole number`)
  return Number(text)
}

/** Only what was given: absent fields keep their meaning for the server. */
export const given = <T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
