// What commands use: settings, clients of the running server, and input from files or standard input.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { readSettings, type Settings, SettingsError } from '../../config.ts'
import { type Client, createClient } from '../../contract/client.ts'
import { FIRST_KEY_FILE, OPERATOR_KEY_FILE } from '../../data-dir/secrets.ts'
import { listenerAddress } from '../../kernel/process/listener-url.ts'
import { UsageError } from './usage-error.ts'

/** Longer than the server's longest response time of 60 s. */
const ANSWER_TIMEOUT_MS = 75_000

export interface Streams {
  input: Readable
  output: Writable
  /** Errors and progress, which are not part of the result. */
  notes: Writable
}

export interface Context {
  environment: NodeJS.ProcessEnv
  streams: Streams
  settings(): Settings
  /** URL of the running server. */
  serverUrl(): string
  /** Client with the account key. */
  account(): Promise<Client>
  /** Client with the operator key. */
  operator(): Promise<Client>
  /** Client without a key. */
  anonymous(): Client
  /** Reads a file, or standard input for `-`. */
  read(path: string): Promise<string>
  readJson(path: string): Promise<Record<string, unknown>>
}

export function createContext(
  environment: NodeJS.ProcessEnv,
  urlOption: string | undefined,
  streams: Streams,
): Context {
  const readInput = (path: string) => (path === '-' ? text(streams.input) : readPath(path))
  const settings = () => readSettings(environment)
  const serverUrl = () => findServer(urlOption, environment.SWITCHBOARD_URL, settings)
  const client = (key?: string) => createClient({ baseUrl: serverUrl(), key, fetch: fetchWithTimeout })
  const context: Context = {
    environment,
    streams,
    settings,
    serverUrl,
    account: async () => client(await findKey(settings(), 'API_KEY', FIRST_KEY_FILE)),
    operator: async () => client(await findKey(settings(), 'OPERATOR_KEY', OPERATOR_KEY_FILE)),
    anonymous: () => client(),
    read: readInput,
    async readJson(path) {
      const value = parseJson(path, await readInput(path))
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new UsageError(`${nameOf(path)}: expected a JSON object`)
      return value as Record<string, unknown>
    },
  }
  return context
}

const fetchWithTimeout: typeof fetch = (address, init) => {
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

/** The server with these settings. A server that listens on all addresses is called on the loopback address. */
function addressOf({ HOST, PORT }: Settings): string {
  return `http://${listenerAddress(HOST, PORT === 0 ? 8080 : PORT)}`
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

async function readPath(path: string): Promise<string> {
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
    throw new UsageError(`${nameOf(path)}: not valid JSON`, error)
  }
}
