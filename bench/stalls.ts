// How long can one request hold the event loop? Below 200 ms of its own thread's time, for every hostile input to the gateway and to
// its sandbox network.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import type { Stall } from './probe.ts'
import { atMost, record } from './report.ts'

const LIMIT_MS = 200
const RECEIVED_MS = 60_000
const MB = 1024 * 1024
const PROBE = ['--import', new URL('./probe.ts', import.meta.url).href]
const key = randomBytes(24).toString('base64url')
const PHONE = '5511960000001'
const PERSON = '5511960000002'

interface Watched {
  child: ChildProcess
  url: string
}

async function start(file: string, environment: Record<string, string>): Promise<Watched> {
  const child = fork(new URL(file, import.meta.url), {
    env: { PATH: process.env.PATH, PORT: '0', API_KEY: key, LOG_LEVEL: 'warn', ...environment },
    execArgv: PROBE,
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += text.length < MB ? chunk.toString() : ''))
  while (!/"url":"([^"]+)"/.test(text)) {
    if (child.exitCode !== null) throw new Error(`${file} did not start: ${text}`)
    await once(child.stdout ?? child, 'data')
  }
  return { child, url: /"url":"([^"]+)"/.exec(text)?.[1] ?? '' }
}

async function stallOf({ child }: Watched): Promise<Stall> {
  const answered = new Promise<Stall>((resolve) => {
    const take = (message: { stall?: Stall }) => {
      if (!message.stall) return
      child.off('message', take)
      resolve(message.stall)
    }
    child.on('message', take)
  })
  child.send('stall')
  return answered
}

let gateway: Watched
let network: Watched

async function ask(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  const isJson = typeof body === 'string'
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(isJson ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body }),
  })
  await response.arrayBuffer()
  return response
}

const json = async (method: string, path: string, body?: unknown): Promise<Record<string, never>> => {
  const response = await fetch(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<Record<string, never>>
}

/** A body that is written for as long as the server reads it. */
function pour(path: string, headers: string[], bytes: Buffer): Promise<void> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...headers, '', '']
  socket.write(lines.join('\r\n'))
  socket.write(bytes)
  socket.resume().on('error', () => undefined)
  return new Promise((resolve) => {
    socket.on('close', () => resolve())
    socket.setTimeout(3000, () => socket.destroy())
  })
}

const lists = (bytes: number) => `[${'[],'.repeat(Math.floor(bytes / 3) - 1)}[]]`
const announced = (text: string) => [
  'Content-Type: application/json',
  `Content-Length: ${Buffer.byteLength(text)}`,
]
const many = (count: number, work: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** A picture of 40,000 by 40,000 pixels in a few kilobytes. */
function pixelBomb(): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(40_000, 0)
  head.writeUInt32BE(40_000, 4)
  head.set([8, 6], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = deflateSync(Buffer.alloc(20 * MB))
  return Uint8Array.from(
    Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]),
  )
}

const SEND = '/api/v1/send/text'
const PHONES = '/sandbox/v1/phones'
const MEDIA = `${PHONES}/${PERSON}/media?to=${PHONE}`

function attacks(instanceName: string): Record<string, () => Promise<unknown>> {
  const text = (message: string) => JSON.stringify({ instanceName, number: PERSON, message, delay: 0 })
  const fields = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(',')}}`
  return {
    '36 MB of lists, announced': () => pour(PHONES, announced(lists(36 * MB)), Buffer.from(lists(36 * MB))),
    '144 MB of lists, announced': () =>
      pour(PHONES, announced(lists(144 * MB)), Buffer.from(lists(144 * MB))),
    '36 MB of lists in one chunk of a chunked body': () => {
      const bytes = Buffer.from(lists(36 * MB))
      const size = Buffer.from(`${bytes.length.toString(16)}\r\n`)
      const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
      return pour(PHONES, headers, Buffer.concat([size, bytes]))
    },
    '1 MB of lists': () => ask('POST', PHONES, lists(MB - 10)),
    '256 KiB of lists': () => ask('POST', SEND, lists(256 * 1024 - 10)),
    '1 MB of opening brackets': () => ask('POST', PHONES, '['.repeat(MB - 10)),
    '256 KiB of opening brackets': () => ask('POST', SEND, '['.repeat(256 * 1024 - 10)),
    '19,999 numbers': () => ask('POST', SEND, `[${'1,'.repeat(19_990)}1]`),
    '15,000 unknown fields': () => ask('POST', SEND, fields(15_000)),
    '19,999 unknown fields of the sandbox': () => ask('POST', PHONES, fields(19_990)),
    '100,000 fields': () => ask('POST', PHONES, fields(70_000)),
    'twenty times 1 MB of lists at once': () => many(20, () => ask('POST', PHONES, lists(MB - 10))),
    '1 MB of text': () =>
      ask('POST', `${PHONES}/${PERSON}/send`, JSON.stringify({ to: PHONE, text: 'x'.repeat(MB - 100) })),
    '1 MB of base64': () =>
      ask('POST', `${PHONES}/${PERSON}/picture`, JSON.stringify({ base64: 'A'.repeat(MB - 100) })),
    'nearly base64': () =>
      ask('POST', `${PHONES}/${PERSON}/picture`, JSON.stringify({ base64: `${'A'.repeat(MB - 100)}!` })),
    '1 MB of digits': () => ask('POST', SEND, '1'.repeat(250_000)),
    'a number of 250,000 characters': () =>
      ask('POST', SEND, JSON.stringify({ instanceName, number: '+ '.repeat(120_000), message: 'x' })),
    'a long address': () => ask('GET', `/api/v1/messages?${'a=1&'.repeat(3500)}`),
    'a long path': () => ask('GET', `/api/v1/messages/${'%41'.repeat(4000)}`),
    'text full of links and emoji': () => ask('POST', SEND, text('https://a.b/?@#😀 '.repeat(200))),
    '300 sends at once': () => many(300, (index) => ask('POST', SEND, text(`message ${index}`))),
    'long lists': () => many(20, () => ask('GET', `/api/v1/messages?limit=100&instanceName=${instanceName}`)),
    'the event log': () => many(20, () => ask('GET', '/api/v1/events?limit=500')),
    'the document': () => many(50, () => ask('GET', '/openapi.json')),
    'login codes as images': async () => {
      const { instance } = (await json('POST', '/api/v1/instance/create', {
        instanceName: 'Codes',
      })) as unknown as { instance: { apiInstanceName: string } }
      await many(20, () => ask('GET', `/api/v1/instance/qr/image?instanceName=${instance.apiInstanceName}`))
    },
    measurements: () => many(50, () => ask('GET', '/metrics')),
    'a picture of 1.6 thousand million pixels': () => ask('POST', `${MEDIA}&type=image`, pixelBomb()),
    '95 MB of media': () => ask('POST', `${MEDIA}&type=document`, new Uint8Array(95 * MB)),
    'that media, received and read again': () => untilReceived('document'),
    'long messages to an instance, one after the other': async () => {
      const body = JSON.stringify({ to: PHONE, text: 'x'.repeat(60_000) })
      for (let count = 0; count < 300; count += 1) await ask('POST', `${PHONES}/${PERSON}/send`, body)
    },
    'all long messages of a phone': () => ask('GET', `${PHONES}/${PERSON}/messages?limit=1000`),
    'the chats of a phone': () => ask('GET', `${PHONES}/${PERSON}/chats?limit=200`),
    'a hundred long messages': () => ask('GET', '/api/v1/messages?limit=100'),
    'long messages in the event log': () => ask('GET', '/api/v1/events?limit=500'),
    'ten thousand frames': () => many(5, () => ask('GET', '/sandbox/v1/frames?limit=10000')),
  }
}

/** Fetches the file of the newest message of this type, as soon as the gateway has it. */
async function untilReceived(type: string): Promise<void> {
  const endsAt = Date.now() + RECEIVED_MS
  for (;;) {
    const { messages } = (await json('GET', '/api/v1/messages?limit=20')) as unknown as {
      messages: { messageId: string; type: string }[]
    }
    const file = messages.find((message) => message.type === type)
    const status = file && (await ask('GET', `/api/v1/messages/${file.messageId}/media`)).status
    if (status === 200) return
    if (Date.now() > endsAt) throw new Error(`the media was not received: ${status}`)
    await pause(200)
  }
}

async function prepare(): Promise<string> {
  for (const number of [PHONE, PERSON]) await json('POST', PHONES, { number })
  const { instance } = (await json('POST', '/api/v1/instance/create', {
    instanceName: 'Stalls',
  })) as unknown as {
    instance: { apiInstanceName: string }
  }
  const instanceName = instance.apiInstanceName
  await json('POST', `${PHONES}/${PHONE}/scan`, { instanceName })
  return instanceName
}

const directory = await mkdtemp(join(tmpdir(), 'stalls-'))
let worst = 0
try {
  network = await start('../sandbox/main.ts', { DATA_DIR: join(directory, 'network') })
  gateway = await start('../src/main.ts', {
    DATA_DIR: join(directory, 'gateway'),
    RATE_LIMIT: '0',
    NETWORK: 'sandbox',
    SANDBOX_URL: network.url,
    SANDBOX_KEY: key,
  })
  const instanceName = await prepare()
  console.log(
    'longest hold of the event loop, in ms of its own thread (and by the clock): gateway, sandbox network',
  )
  for (const [name, attack] of Object.entries(attacks(instanceName))) {
    await Promise.all([stallOf(gateway), stallOf(network)])
    await attack()
    const stalls = await Promise.all([stallOf(gateway), stallOf(network)])
    worst = Math.max(worst, ...stalls.map(({ cpuMs }) => cpuMs))
    const shown = stalls.map(({ cpuMs, wallMs }) => `${cpuMs.toFixed(0)} (${wallMs.toFixed(0)})`.padStart(12))
    console.log(`${name.padEnd(48)} ${shown.join(' ')}`)
  }
  console.log(`longest: ${worst.toFixed(0)} ms; wanted: less than ${LIMIT_MS}`)
  record({
    question: 'longest time that a request blocks the event loop',
    value: worst,
    unit: 'ms',
    wanted: atMost(worst, LIMIT_MS, 'ms'),
  })
} finally {
  for (const watched of [gateway!, network!]) {
    watched?.child.kill('SIGTERM')
    if (watched) await once(watched.child, 'exit')
  }
  await rm(directory, { recursive: true })
}
process.exitCode = worst < LIMIT_MS ? 0 : 1
