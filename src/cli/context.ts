// What a command works with: settings, clients of the running server, and input from a file or a pipe.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readSettings, type Settings, SettingsError } from '../config.ts'
import { type Client, createClient } from '../contract/client.ts'
import { FIRST_KEY_FILE, OPERATOR_KEY_FILE } from '../key-files.ts'
import { UsageError } from './command.ts'

/** Longer than any answer takes: the server itself waits at most 60 s. */
const ANSWER_TIMEOUT_MS = 75_000

export interface Context {
  environment: NodeJS.ProcessEnv
  settings(): Settings
  /** Where the running server is. */
  serverUrl(): string
  /** Speaks for the account whose key is set. */
  account(): Promise<Client>
  operator(): Promise<Client>
  /** Speaks without a key. */
  anyone(): Client
  /** The content of a file; of standard input for `-`. */
  read(path: string): Promise<string>
  readJson(path: string): Promise<Record<string, unknown>>
}

export function createContext(environment: NodeJS.ProcessEnv, urlOption: string | undefined): Context {
  const settings = () => readSettings(environment)
  const serverUrl = () => findServer(urlOption, environment.SWITCHBOARD_URL, settings)
  const client = (key?: string) => createClient({ baseUrl: serverUrl(), key, fetch: fetchInTime })
  const context: Context = {
    environment,
    settings,
    serverUrl,
    account: async () => client(await findKey(settings(), 'API_KEY', FIRST_KEY_FILE)),
    operator: async () => client(await findKey(settings(), 'OPERATOR_KEY', OPERATOR_KEY_FILE)),
    anyone: () => client(),
    read: (path) => readInput(path),
    async readJson(path) {
      const value = parseJson(path, await readInput(path))
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new UsageError(`${nameOf(path)}: expected a JSON object`)
      return value as Record<string, unknown>
    },
  }
  return context
}

const fetchInTime: typeof fetch = (address, init) => {
  const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
  return fetch(address, { ...init, signal })
}

function findServer(
  option: string | undefined,
  variable: string | undefined,
  settings: () => Settings,
): string {
  const named = option ?? (variable || undefined)
  if (named === undefined) return addressOf(settings())
  if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol)) {
    const fault = 'expected an http or https URL'
    throw option === undefined
      ? new SettingsError([`SWITCHBOARD_URL: ${fault}`])
      : new UsageError(`--url: ${fault}`)
  }
  return named
}

/** The server of the same settings; one that listens everywhere is reached on the loopback address. */
function addressOf({ HOST, PORT }: Settings): string {
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT === 0 ? 8080 : PORT}`
}

async function findKey(
  settings: Settings,
  variable: 'API_KEY' | 'OPERATOR_KEY',
  file: string,
): Promise<string> {
  const set = settings[variable]
  if (set !== undefined) return set
  const path = join(settings.DATA_DIR, file)
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingsError([
      `${variable}: not set, and ${path} cannot be read (${code}); set ${variable} or DATA_DIR`,
    ])
  }
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path)

async function readInput(path: string): Promise<string> {
  if (path === '-') return text(process.stdin)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, error)
  }
}

function parseJson(path: string, content: string): unknown {
  try {
    return JSON.parse(content) as unknown
  } catch (error) {
    throw new UsageError(`${nameOf(path)}: not JSON`, error)
  }
}
