// What do 1,000 listeners of the event stream cost a node? Less than 100 MB, and every one of them hears every event once.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { engines } from '../test/support/engines.ts'
import { environmentOf } from '../test/support/process.ts'
import type { Usage } from './probe.ts'
import { atMost, record } from './report.ts'

const LISTENERS = 1000
const EVENTS = 50
const LIMIT_MB = 100
const MB = 1024 * 1024
/** Connections that are opened at the same time: more would only wait in the system's queue. */
const AT_ONCE = 50
const PROBE = ['--expose-gc', '--import', new URL('./probe.ts', import.meta.url).href]

const key = randomBytes(24).toString('base64url')
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

interface Server {
  child: ChildProcess
  url: string
}

async function start(environment: Record<string, string>): Promise<Server> {
  const child = fork(new URL('../src/main.ts', import.meta.url), {
    env: { PATH: process.env.PATH, ...environment, API_KEY: key, LOG_LEVEL: 'warn' },
    execArgv: PROBE,
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk)
    const url = /"msg":"listening","url":"([^"]+)"/.exec(text)?.[1]
    if (url !== undefined) return { child, url }
  }
  throw new Error(`the server did not start: ${text}`)
}

/** What is in use after a collection, on the heap and beside it. */
async function usedMb({ child }: Server): Promise<number> {
  child.send('collected')
  const [{ usage }] = (await once(child, 'message')) as [{ usage: Usage }]
  return usage.rssBytes / MB
}

async function post(url: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<Record<string, unknown>>
}

async function save(url: string, instanceName: string): Promise<void> {
  for (let index = 0; index < EVENTS; index += 1) {
    const phone = `5511900000${String(index).padStart(3, '0')}`
    await post(url, '/contacts', { instanceName, phone, name: `Person ${index}` })
  }
}

interface Listener {
  heard: number
  done: Promise<void>
}

async function listen(url: string, ended: AbortSignal): Promise<Listener> {
  const address = `${url}/api/v1/events/stream?events=contacts.update`
  const response = await fetch(address, { headers, signal: ended })
  const all = Promise.withResolvers<void>()
  const listener: Listener = { heard: 0, done: all.promise }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      listener.heard += decoder.decode(chunk, { stream: true }).split('event: ').length - 1
      if (listener.heard >= EVENTS) all.resolve()
    }
  }
  // Cut off at the end, by us.
  void read().catch(() => undefined)
  return listener
}

async function listenAll(url: string, count: number, ended: AbortSignal): Promise<Listener[]> {
  const listeners: Listener[] = []
  while (listeners.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count) }, () => listen(url, ended))
    listeners.push(...(await Promise.all(some)))
  }
  return listeners
}

async function measure(server: Server, engine: string): Promise<string> {
  const { url } = server
  const { instance } = await post(url, '/instance/create', { instanceName: 'Streams' })
  const { apiInstanceName } = instance as { apiInstanceName: string }
  const hearing = async (count: number, ended: AbortSignal) => {
    const listeners = await listenAll(url, count, ended)
    await save(url, apiInstanceName)
    await Promise.all(listeners.map(({ done }) => done))
    return listeners
  }
  // What the first events and the first listeners load into the process does not depend on their number.
  const first = new AbortController()
  await hearing(AT_ONCE, first.signal)
  first.abort()
  const before = await usedMb(server)
  const ended = new AbortController()
  const listeners = await hearing(LISTENERS, ended.signal)
  const added = (await usedMb(server)) - before
  const twice = listeners.filter(({ heard }) => heard !== EVENTS).length
  ended.abort()
  record({
    question: `memory that ${LISTENERS} listeners of the event stream add, ${engine}`,
    value: added,
    unit: 'MB',
    wanted: atMost(added, LIMIT_MB, 'MB'),
  })
  return (
    `${LISTENERS} listeners heard ${EVENTS} events each (${twice} heard one twice), ` +
    `${added.toFixed(0)} MB added (wanted: less than ${LIMIT_MB} MB)`
  )
}

for (const engine of engines) {
  const storeLocation = await engine.createLocation()
  const server = await start(environmentOf(storeLocation))
  try {
    console.log(`${engine.name}: ${await measure(server, engine.name)}`)
  } finally {
    server.child.kill()
    await once(server.child, 'exit')
    await storeLocation.dispose()
  }
}
