// A gateway on the real driver and the sandbox network, for tests that watch both ends: the API, and the phones. All three run in the
// process of the test, because a process for the sandbox takes longer to start than most tests last.
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { type App, startApp } from '../../src/app/start.ts'
import { readSettings } from '../../src/config.ts'
import { Event } from '../../src/contract/events.ts'
import type { RouteId } from '../../src/contract/routes.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import { type Shown, World } from '../sandbox/support/world.ts'
import { temporaryDirectory } from './engines.ts'
import { type Answer, type CallInput, callRoute } from './gateway.ts'
import { pollPause } from './poll-pause.ts'
import { newKey } from './started.ts'

export type Addressing = 'pn' | 'lid'
/** Far beyond what a busy machine needs; a test that passes never waits for it. */
const PATIENCE_MS = 60_000

export interface PairedInstance {
  /** Its unique API name. */
  name: string
  id: number
  number: string
}

export interface SandboxWorld {
  app: App
  key: string
  /** Its data directory. */
  directory: string
  /** The simulated world, asked over the gateway's own `/sandbox/v1`. */
  world: World
  /** The settings with which another gateway joins the same network. */
  network: Record<string, string>
  /** Any route. The answer is checked against the contract, with every status. */
  call(id: RouteId, input?: CallInput): Promise<Answer>
  /** A route that must succeed; its body. */
  api(id: RouteId, input?: CallInput): Promise<Answer['json']>
  /** An instance that the phone with this number has scanned; the phone is made where it is new. */
  pair(number: string, phoneName?: string): Promise<PairedInstance>
  /** A further account on the same gateway, with its own key to the simulated world. */
  otherAccount(): Promise<Pick<SandboxWorld, 'key' | 'world' | 'api' | 'pair'>>
  setAddressing(addressing: Addressing): Promise<void>
  /** The message with this id as the instance shows it, once it is there and fits. */
  message(
    instance: PairedInstance,
    id: string,
    fits?: (message: Answer['json']) => boolean,
  ): Promise<Answer['json']>
  /** All rows of an instance that bear this id. */
  rows(instance: PairedInstance, id: string): Promise<Answer['json'][]>
  /** The events of an instance that are about this message, in order, each held against its schema. */
  events(instance: PairedInstance, messageId: string): Promise<Event[]>
  /** The chat as the instance lists it; undefined if it does not exist. */
  chat(instance: PairedInstance, jid: string): Promise<Answer['json']>
  stop(): Promise<void>
}

/** `log` gets every line of the gateway, down to the most detailed ones. */
export async function startSandboxWorld(
  environment: Record<string, string> = {},
  log?: (line: string) => void,
  replaced: Parameters<typeof startApp>[2] = {},
): Promise<SandboxWorld> {
  const directory = environment.DATA_DIR ?? (await temporaryDirectory())
  const key = environment.API_KEY ?? newKey()
  const network = await startNetwork(directory, environment)
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: directory,
    RATE_LIMIT: '0',
    API_KEY: key,
    ALLOW_TARGETS: '127.0.0.1',
    ...network?.settings,
    ...environment,
  })
  const logger = log
    ? pino({ level: 'trace' }, { write: log })
    : pino({ level: process.env.TEST_LOG ?? 'silent' })
  const app = await startApp(settings, logger, replaced)
  const world = await worldOf(app.url, key)
  const call = (id: RouteId, input: CallInput = {}) => callRoute(app.url, id, { key, ...input })
  const api = apiWith(app.url, key)
  const listed = async (instance: PairedInstance): Promise<Answer['json'][]> =>
    (await api('listMessages', { query: { instanceName: instance.name, limit: 100 } })).messages
  const rows = async (instance: PairedInstance, id: string) =>
    (await listed(instance)).filter((message) => message.messageId === id)
  return {
    app,
    key,
    directory,
    world,
    network: network?.settings ?? {},
    call,
    api,
    rows,
    pair: (number, phoneName = 'Owner') => pair(api, world, number, phoneName),
    otherAccount: () => otherAccount(app),
    async setAddressing(addressing) {
      const answer = await world.ask('POST', '/network', { addressing }, app.operatorKey)
      assert.equal(answer.status, 200)
    },
    message: (instance, id, fits = () => true) =>
      until(
        async () => {
          const input = { params: { messageId: id }, query: { instanceName: instance.name } }
          return (await call('getMessage', input)).json.message
        },
        (found) => found !== undefined && fits(found),
        `message ${id}`,
      ),
    async events(instance, messageId) {
      const all: Event[] = []
      for (let after = '0'; ; ) {
        const query = { instanceName: instance.name, limit: 500, after }
        const { events, next, hasMore } = await api('listEvents', { query })
        all.push(...(events as unknown[]).map((event) => Event.parse(event)))
        after = next
        if (!hasMore) return all.filter(({ data }) => 'messageId' in data && data.messageId === messageId)
      }
    },
    async chat(instance, jid) {
      const { chats } = await api('listChats', { query: { instanceName: instance.name, limit: 100 } })
      return chats.find((chat: { remoteJid: string }) => chat.remoteJid === jid)
    },
    async stop() {
      await app.stop()
      await network?.stop()
    },
  }
}

/** Undefined where the gateway has to start the network itself, with a certificate, or joins one that runs. */
async function startNetwork(dataDir: string, environment: Record<string, string>) {
  if (environment.SANDBOX_CERT_FILE !== undefined || environment.SANDBOX_URL !== undefined) return undefined
  const { sandbox } = await World.start({ dataDir })
  return { settings: { SANDBOX_URL: sandbox.url, SANDBOX_KEY: World.apiKey }, stop: () => sandbox.stop() }
}

const apiWith =
  (url: string, key: string): SandboxWorld['api'] =>
  async (id, input = {}) => {
    const answer = await callRoute(url, id, { key, ...input })
    assert.equal(answer.status, 200, `${id}: ${JSON.stringify(answer.json)}`)
    return answer.json
  }

async function otherAccount({ url, operatorKey }: App): ReturnType<SandboxWorld['otherAccount']> {
  const operator = apiWith(url, operatorKey)
  const { plan } = await operator('adminCreatePlan', { body: { name: 'Other' } })
  const { key } = await operator('adminCreateAccount', { body: { name: 'Other', planId: plan.id } })
  const [api, world] = [apiWith(url, key), await worldOf(url, key)]
  return { key, world, api, pair: (number, phoneName = 'Other') => pair(api, world, number, phoneName) }
}

async function worldOf(url: string, key: string): Promise<World> {
  const storeLocation = { url, wsUrl: '', rootPublicKey: '', stop: async () => {} }
  const network = await new World(storeLocation, undefined, key).get('/network', answers.network)
  return new World(
    { ...storeLocation, wsUrl: network.wsUrl, rootPublicKey: network.rootPublicKey },
    undefined,
    key,
  )
}

async function pair(
  api: SandboxWorld['api'],
  world: World,
  number: string,
  phoneName: string,
): Promise<PairedInstance> {
  await world.phone(number, phoneName)
  const { instance } = await api('createInstance', { body: { instanceName: `Line ${number}` } })
  const name: string = instance.apiInstanceName
  await api('connectInstance', { query: { instanceName: name }, body: {} })
  await world.post(`/phones/${number}/scan`, { instanceName: name })
  await until(
    async () => (await api('instanceState', { query: { instanceName: name } })).instance.state as string,
    (state) => state === 'open',
    `${name} open`,
  )
  return { name, id: instance.id as number, number }
}

/** Reads again until it fits: for what the API has no way to wait for. */
export async function until<T>(
  read: () => Promise<T>,
  fits: (value: T) => boolean,
  what: string,
): Promise<T> {
  const since = Date.now()
  for (;;) {
    const value = await read()
    if (fits(value)) return value
    if (Date.now() > since + PATIENCE_MS) assert.fail(`${what}: last seen ${JSON.stringify(value)}`)
    await pollPause(Date.now() - since)
  }
}

export type { Shown }
