// A running sandbox for a test, controlled through its HTTP API.
import assert from 'node:assert/strict'
import { type Dispatcher, fetch, getGlobalDispatcher } from 'undici'
import type { z } from 'zod'
import type { SandboxLimits } from '../../../sandbox/network/sandbox-state.ts'
import { quietConsole } from '../../../sandbox/quiet-console.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts'
import type { Database } from '../../../sandbox/store/database.ts'
import { answers } from '../../../src/contract/sandbox-world.ts'

export type Shown = z.output<typeof answers.message>['message']
interface WorldOptions {
  dataDir?: string
  limits?: Partial<SandboxLimits>
  tls?: { certFile: string; keyFile: string }
  wrapDatabase?: (database: Database) => Database
  /** For a sandbox with a certificate that the default dispatcher does not trust. */
  dispatcher?: Dispatcher
}
interface Answer {
  status: number
  body: Record<string, unknown>
}

const API_KEY = 'key-of-the-sandbox-tests'

export class World {
  static apiKey = API_KEY
  sandbox: Sandbox
  errors: string[] = []

  #dispatcher: Dispatcher
  #key: string

  constructor(sandbox: Sandbox, dispatcher: Dispatcher = getGlobalDispatcher(), key = API_KEY) {
    this.sandbox = sandbox
    this.#dispatcher = dispatcher
    this.#key = key
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    quietConsole()
    const errors: string[] = []
    const sandbox = await startSandbox({
      host: '127.0.0.1',
      port: 0,
      dataDir: options.dataDir,
      apiKey: API_KEY,
      tls: options.tls,
      log: { info() {}, error: (message, fields) => errors.push(`${message} ${JSON.stringify(fields)}`) },
      limits: options.limits ?? {},
      ...(options.wrapDatabase ? { wrapDatabase: options.wrapDatabase } : {}),
    })
    const world = new World(sandbox, options.dispatcher)
    world.errors = errors
    return world
  }

  /** Stops the sandbox and asserts that it logged no errors. */
  async stop(): Promise<void> {
    await this.sandbox.stop()
    assert.deepEqual(this.errors, [])
  }

  async ask(method: string, path: string, body?: unknown, key = this.#key): Promise<Answer> {
    const response = await fetch(`${this.sandbox.url}/sandbox/v1${path}`, {
      method,
      dispatcher: this.#dispatcher,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = { status: response.status, body: (await response.json()) as Record<string, unknown> }
    if (response.status !== 200) answers.error.parse(answer.body)
    return answer
  }

  async bytes(path: string): Promise<Buffer> {
    const headers = { authorization: `Bearer ${this.#key}` }
    const response = await fetch(`${this.sandbox.url}/sandbox/v1${path}`, {
      headers,
      dispatcher: this.#dispatcher,
    })
    assert.equal(response.status, 200)
    return Buffer.from(await response.arrayBuffer())
  }

  async get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const { status, body } = await this.ask('GET', path)
    assert.equal(status, 200, JSON.stringify(body))
    return schema.parse(body)
  }

  async post(path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await this.ask('POST', path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }

  async phone(number: string, name: string): Promise<string> {
    await this.post('/phones', { number, name })
    return number
  }

  async send(number: string, body: Record<string, unknown>): Promise<string> {
    return String((await this.post(`/phones/${number}/send`, body))['messageId'])
  }

  /** Waits until the phone shows the message. */
  async shown(number: string, id: string): Promise<Shown> {
    return (await this.get(`/phones/${number}/messages/${id}?waitMs=20000`, answers.message)).message
  }

  async messages(number: string, query = ''): Promise<Shown[]> {
    return (await this.get(`/phones/${number}/messages${query}`, answers.messages)).messages
  }

  async frames(query: string) {
    return (await this.get(`/frames?${query}`, answers.frames)).frames
  }
}
