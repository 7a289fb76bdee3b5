// The help texts, generated from the table of commands.
import { commandLine } from '../../kernel/process/command-line.ts'
import { type AnyCommand, COMMON_OPTIONS, type Option } from './command.ts'

export function helpOfAll(commands: readonly AnyCommand[]): string {
  return [
    `Usage: ${commandLine('COMMAND [OPTIONS]')}`,
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    `Help for a command: ${commandLine('COMMAND --help')}`,
    '',
    'Keys are read from API_KEY and OPERATOR_KEY, or from first-api-key and operator-key in DATA_DIR,',
    'never from the command line.',
  ].join('\n')
}

export const helpOfGroup = (group: string, commands: readonly AnyCommand[]): string =>
  [
    `Usage: ${commandLine(`${group} COMMAND [OPTIONS]`)}`,
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
  ].join('\n')

export function helpOfCommand(command: AnyCommand): string {
  // The command's own options come first.
  const { url, ...own } = command.options
  const options = { ...own, ...(url === undefined ? {} : { url }), ...COMMON_OPTIONS }
  const usage = commandLine([command.name, ...command.parameters, '[OPTIONS]'].join(' '))
  return [
    `Usage: ${usage}`,
    '',
    `${command.summary}.`,
    ...(command.description === undefined ? [] : ['', command.description]),
    '',
    ...columns(Object.entries(options).map(([name, option]) => [optionText(name, option), meaning(option)])),
  ].join('\n')
}

const optionText = (name: string, { type, value }: Option): string =>
  type === 'boolean' ? `--${name}` : `--${name} ${value ?? 'TEXT'}`

const meaning = ({ help, required, multiple }: Option): string =>
  `${help}${required === true ? ' (required)' : ''}${multiple === true ? ' (can be repeated)' : ''}`

function columns(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length))
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
