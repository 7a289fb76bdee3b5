// Runs the command line with nothing of this process's environment but the path: as a process of its own where that is part of what a
// test shows, else in this process, which takes a fiftieth of the time.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runCommandLine } from '../../src/doors/cli/run.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { type StoreLocation, temporaryDirectory } from './engines.ts'
import { programFile } from './program.ts'

const ENTRY = programFile('cli')

export interface CliResult {
  code: number | null
  stdout: string
  stderr: string
  /** The output as JSON, for runs with `--json`. */
  json: any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
}

export type Environment = Record<string, string | undefined>

export async function runCli(args: string[], environment: Environment, input = ''): Promise<CliResult> {
  const child = startCli(args, environment)
  // A command that reads nothing may be gone before its input is written.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr, json: jsonIn(args, stdout) }
}

/** The same without a process: what is printed, the exit code, and the input of a pipe. */
export async function runCliHere(args: string[], environment: Environment, input = ''): Promise<CliResult> {
  const [output, notes] = [new PassThrough(), new PassThrough()]
  const printed = Promise.all([text(output), text(notes)])
  const streams = { input: Readable.from([input]), output, notes }
  const code = await runCommandLine(args, { PATH: process.env.PATH, ...environment }, streams)
  output.end()
  notes.end()
  const [stdout, stderr] = await printed
  return { code, stdout, stderr, json: jsonIn(args, stdout) }
}

const jsonIn = (args: string[], stdout: string): unknown =>
  args.includes('--json') && stdout !== '' ? JSON.parse(stdout) : undefined

export const startCli = (args: string[], environment: Environment): ChildProcess =>
  spawn(process.execPath, [ENTRY, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
  })

/** Asserts that a run succeeded, with its error output as the message. */
export function done(result: CliResult): CliResult {
  assert.equal(result.code, 0, result.stderr)
  return result
}

/** The settings that lead to a location. */
export const settingsOf = (storeLocation: StoreLocation): Environment => ({
  DATA_DIR: storeLocation.directory,
  DATABASE_URL: storeLocation.databaseUrl,
})

/** A directory that is removed when the process exits. */
export async function scratchDirectory(): Promise<string> {
  const directory = await temporaryDirectory()
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}
