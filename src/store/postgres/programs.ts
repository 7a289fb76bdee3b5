// PostgreSQL's own programs, run with the connection in their environment: a command line can be read by every user.
import { spawn } from 'node:child_process'
import { MaintenanceError } from '../maintenance.ts'

/** Parameters of a connection URL that the programs know under a name of their own. */
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

/** Secrets of this program that those programs have no use for. */
const WITHHELD = new Set(['API_KEY', 'OPERATOR_KEY', 'MASTER_KEY', 'DATABASE_URL'])

const PROGRAM_ERROR_CHARACTERS = 2000

/** The same connection as the driver makes of the URL. */
export function connectionEnvironment(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl)
  const given: Record<string, string> = {
    // The driver's default; the programs would look for a socket file.
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

export type Program = 'pg_dump' | 'pg_restore'

interface ProgramRun {
  program: Program
  parameters: readonly string[]
  databaseUrl: string
  environment: NodeJS.ProcessEnv
}

/** Runs it to its end and returns what it printed. */
export async function runProgram({
  program,
  parameters,
  databaseUrl,
  environment,
}: ProgramRun): Promise<string> {
  const inherited = Object.entries(environment).filter(([name]) => !WITHHELD.has(name))
  const child = spawn(program, parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), ...connectionEnvironment(databaseUrl) },
  })
  let output = ''
  let complaint = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, PROGRAM_ERROR_CHARACTERS)
  })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject)
  child.once('close', ended.resolve)
  const code = await ended.promise.catch((error: NodeJS.ErrnoException) => {
    throw new MaintenanceError(
      error.code === 'ENOENT'
        ? `${program} is not installed; install PostgreSQL's client programs (on Debian: postgresql-client) and try again`
        : `${program} cannot be run (${error.code})`,
      error,
    )
  })
  if (code !== 0) throw new MaintenanceError(`${program} failed: ${complaint.trim() || `exit code ${code}`}`)
  return output
}
