// The gateway as one side of a comparison: the program that `npm start` runs, in the way it runs it, with a webhook.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, ClientError, createClient } from '../src/contract/client.ts'
import type { WebhookEvent } from '../src/contract/webhooks.ts'
import { AUTHORITY_FILE } from '../test/support/certificates.ts'
import { openDatabase } from '../test/support/database.ts'
import { eachOf } from '../test/support/each-of.ts'
import { environmentOf } from '../test/support/process.ts'
import { newKey } from '../test/support/started.ts'
import type { Arrival, Expected } from './arrivals.ts'
import { callsTo, type Remote } from './orders.ts'
import type { Chat, Side } from './side.ts'
import type { Stage } from './stage.ts'
import type { WebhookSink } from './webhook-sink.ts'

const root = join(import.meta.dirname, '..')
/** Pairings at the same time: more would only wait for the processors. */
const PAIRINGS = 6
const REQUESTS = 32
const POLL_MS = 20

/** Variables, flags and file of the script `start`, so that a bench runs what users run. */
function startCommand(): { args: string[]; environment: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const [, variables = '', args = ''] = /((?:\w+=\S+ )*)exec node ([^|]+)/.exec(scripts.start) ?? []
  if (args === '') throw new Error(`the script "start" was not understood: ${scripts.start}`)
  const assignments = variables.trim().split(' ').filter(Boolean)
  const pairs = assignments.map((each) => each.split('=') as [string, string])
  return { args: args.trim().split(' '), environment: Object.fromEntries(pairs) }
}

/** What `npm start` does first. */
async function build({ processes }: Stage): Promise<void> {
  const child = processes.run(['scripts/build.ts', 'start'], {})
  await once(child, 'exit')
  const bundle = readFileSync(join(root, 'dist', 'server', 'main.js'), 'utf8')
  if (bundle.includes('src/main.ts')) throw new Error('the server could not be bundled: npm run build')
}

async function readyUrl(child: ChildProcess): Promise<string> {
  let output = ''
  const ready = Promise.withResolvers<string>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < 100_000) output += text
    const url = /"msg":"listening","url":"([^"]+)"/.exec(output)?.[1]
    if (url !== undefined) ready.resolve(url)
  })
  void once(child, 'exit').then(() => ready.reject(new Error(`the gateway did not start: ${output}`)))
  return ready.promise
}

/** On a busy machine a login code may take longer than a request waits for it. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ClientError) || error.retryAfter === undefined) throw error
      await pause(error.retryAfter * 1000)
    }
  }
}

interface Options {
  /** Events of the webhook; without any there is no webhook. */
  events?: WebhookEvent[]
  environment?: Record<string, string>
  /** A module that is loaded first, with a channel to it. The program then runs from its sources and not from the bundle. */
  preload?: string | undefined
}

export class GatewaySide implements Side {
  readonly name = 'gateway'
  #stage: Stage
  #options: Options
  #sink: Remote<WebhookSink>
  #key = newKey()
  #operatorKey = newKey()
  /** API names of instances by number. */
  #names = new Map<string, string>()
  #hasWebhook = false
  #child: ChildProcess | undefined
  #client: Client | undefined

  /** Builds the program and its receiver; `start` starts it. */
  static async prepare(stage: Stage, options: Options = {}): Promise<GatewaySide> {
    if (options.preload === undefined) await build(stage)
    return new GatewaySide(stage, options)
  }

  private constructor(stage: Stage, options: Options) {
    this.#stage = stage
    this.#options = options
    this.#sink = callsTo<WebhookSink>(stage.processes.fork('webhook-sink.ts'), ['listen', 'reset', 'take'])
  }

  /** Resolves at the ready line. A later start uses the same data. */
  async start(): Promise<void> {
    const { storeLocation, processes, sandbox } = this.#stage
    const { preload } = this.#options
    const { args, environment } = startCommand()
    const command = preload === undefined ? args : ['--import', preload, 'src/main.ts']
    this.#child = processes.run(command, {
      ...environment,
      ...environmentOf(storeLocation),
      API_KEY: this.#key,
      OPERATOR_KEY: this.#operatorKey,
      LOG_LEVEL: 'warn',
      SANDBOX_URL: sandbox.url,
      SANDBOX_KEY: sandbox.key,
      ALLOW_TARGETS: '127.0.0.1',
      EXTRA_CA_FILE: AUTHORITY_FILE,
      ...this.#options.environment,
    })
    this.#client = createClient({ baseUrl: await readyUrl(this.#child), key: this.#key })
  }

  stop(): Promise<void> {
    return this.#stage.processes.stop(this.#running)
  }

  pid(): number {
    return this.#running.pid ?? 0
  }

  /** With a channel, if a module was loaded first. */
  get child(): ChildProcess {
    return this.#running
  }

  async pair(numbers: string[]): Promise<void> {
    const { events = [] } = this.#options
    if (!this.#hasWebhook && events.length > 0) await this.subscribe(events)
    await eachOf(numbers, PAIRINGS, (number) => this.#pairOne(number))
    await this.untilOpen()
  }

  /** Resolves when all sessions are open. */
  untilOpen(): Promise<void> {
    const open = "select count(*) as found from instances where state = 'open'"
    return this.#untilFound(open, this.#names.size)
  }

  async send(chats: Chat[], perChat: number): Promise<string[][]> {
    const ids = chats.map((): string[] => [])
    const sends = Array.from({ length: perChat }, (_, count) =>
      chats.map((chat, index) => ({ chat, index, count })),
    ).flat()
    await eachOf(sends, REQUESTS, async ({ chat, index, count }) => {
      ids[index]?.push(await this.#sendOne(chat, count))
    })
    await this.#untilSent()
    return ids
  }

  reset(): Promise<void> {
    return this.#sink.reset()
  }

  take(expected: Expected): Promise<Arrival[]> {
    return this.#sink.take(expected)
  }

  get #running(): ChildProcess {
    if (!this.#child || this.#child.exitCode !== null) throw new Error('the gateway is not running')
    return this.#child
  }

  get #api(): Client {
    if (!this.#client) throw new Error('the gateway was not started')
    return this.#client
  }

  /** A webhook for these events. */
  async subscribe(events: WebhookEvent[]): Promise<void> {
    const url = `https://127.0.0.1:${await this.#sink.listen()}/hook`
    await this.#api.saveWebhook({ body: { url, events } })
    this.#hasWebhook = true
  }

  async #pairOne(number: string): Promise<void> {
    const { instance } = await this.#api.createInstance({ body: { instanceName: number } })
    const instanceName = instance.apiInstanceName
    await patiently(() => this.#api.sandboxScan({ params: { number }, body: { instanceName } }))
    this.#names.set(number, instanceName)
  }

  async #sendOne({ from, to }: Chat, count: number): Promise<string> {
    const instanceName = this.#names.get(from)
    if (instanceName === undefined) throw new Error(`${from} is not paired`)
    const body = { instanceName, message: `Message ${count} of a bench, as long as most.`, delay: 0 }
    const { messageId } = to.includes('@')
      ? await this.#api.sendGroup({ body: { ...body, groupJid: to } })
      : await this.#api.sendText({ body: { ...body, number: to } })
    return messageId
  }

  #untilSent(): Promise<void> {
    return this.#untilFound('select sum(queued_count) as found from instances', 0)
  }

  /** Reads the database beside the gateway, because requests to the gateway would be part of what is measured. */
  async #untilFound(sql: string, wanted: number): Promise<void> {
    const database = await openDatabase(this.#stage.storeLocation)
    const isFound = async () => {
      const [row] = await database.rows<{ found: number }>(sql)
      return Number(row?.found) === wanted
    }
    try {
      while (this.#running && !(await isFound())) await pause(POLL_MS)
    } finally {
      await database.close()
    }
  }
}
