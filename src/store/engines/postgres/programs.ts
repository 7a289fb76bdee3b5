// Runs PostgreSQL's own programs. The connection is passed in the environment, because every user can read a command line.
import { spawn } from 'node:child_process'
import { MaintenanceError } from '../../maintenance.ts'

/** Parameters of a connection URL, and the environment variables that the programs read instead. */
const PARAMETERS: Record<string, string> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
  connect_timeout: 'PGCONNECT_TIMEOUT',
}

/** Secrets that the programs do not need. */
const WITHHELD = new Set(['API_KEY', 'OPERATOR_KEY', 'MASTER_KEY', 'DATABASE_URL'])

const PROGRAM_ERROR_CHARACTERS = 2000

const PSQL = [
  '--no-psqlrc',
  '--quiet',
  '--no-password',
  '--set=ON_ERROR_STOP=1',
  // An empty connection URI: everything comes from the environment.
  '--dbname=postgresql://',
] as const

/** The connection that the driver would make of the URL. */
export function connectionEnvironment(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl)
  const given: Record<string, string> = {
    // The driver's default. The programs would use a socket file.
    PGHOST: url.hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    PGPORT: url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
  }
  for (const [name, value] of url.searchParams) {
    const variable = PARAMETERS[name]
    if (variable !== undefined) given[variable] = value
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

export type Program = 'pg_dump' | 'pg_restore' | 'psql'

interface ProgramRun {
  program: Program
  parameters: readonly string[]
  databaseUrl: string
  environment: NodeJS.ProcessEnv
}

/** Resolves with the output when the program has ended. */
export async function runProgram(run: ProgramRun): Promise<string> {
  const { child, ended } = start(run)
  child.stdin.end()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text))
  await ended
  return output
}

/** Pipes the script of a program into psql, between two statements. Nothing is committed unless the whole script arrived. */
export async function pipeToPsql(
  source: ProgramRun,
  { first, last }: { first: string; last: string },
): Promise<void> {
  const reader = start(source)
  const writer = start({ ...source, program: 'psql', parameters: PSQL })
  reader.child.stdin.end()
  writer.child.stdout.resume()
  const { stdin } = writer.child
  // A writer that ends early reports its own error. The reader is stopped, because its output has no destination.
  stdin.on('error', () => reader.child.kill())
  stdin.write(`${first}\n`)
  reader.child.stdout.pipe(stdin, { end: false })
  // Without the last statement psql ends inside the transaction, which PostgreSQL then rolls back.
  const read = reader.ended.then(
    () => void stdin.end(`\n${last}\n`),
    (error: unknown) => {
      stdin.end()
      throw error
    },
  )
  const [sent, taken] = await Promise.allSettled([read, writer.ended])
  // If the reader was killed here, the writer's error is the cause.
  const failed = (reader.child.killed ? [taken, sent] : [sent, taken]).find(
    ({ status }) => status === 'rejected',
  )
  if (failed?.status === 'rejected') throw failed.reason
}

/** `ended` rejects with the program's own error message. */
function start({ program, parameters, databaseUrl, environment }: ProgramRun) {
  const inherited = Object.entries(environment).filter(([name]) => !WITHHELD.has(name))
  const child = spawn(program, parameters, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), ...connectionEnvironment(databaseUrl) },
  })
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(0, PROGRAM_ERROR_CHARACTERS)
  })
  const closed = Promise.withResolvers<number | null>()
  child.once('error', (error: NodeJS.ErrnoException) => closed.reject(toStartError(program, error)))
  child.once('close', closed.resolve)
  const ended = closed.promise.then((code) => {
    if (code !== 0)
      throw new MaintenanceError(`${program} failed: ${errorOutput.trim() || `exit code ${code}`}`)
  })
  return { child, ended }
}

const toStartError = (program: string, error: NodeJS.ErrnoException): MaintenanceError =>
  new MaintenanceError(
    error.code === 'ENOENT'
      ? `${program} is not installed; install PostgreSQL's client programs (on Debian: postgresql-client) and try again`
      : `${program} cannot be run (${error.code})`,
    error,
  )
