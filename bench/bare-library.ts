// The bare network library in a process of its own, as little around it as possible: sockets, and their keys in memory, or in files
// where sessions have to survive a restart.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AuthenticationState,
  Browsers,
  initAuthCreds,
  makeCacheableSignalKeyStore,
  makeWASocket,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  useMultiFileAuthState,
  WA_CERT_DETAILS,
  type WASocket,
} from 'baileys'
import { pino } from 'pino'
import { quietConsole } from '../sandbox/quiet-console.ts'
import { eachOf } from '../test/support/each-of.ts'
import { Arrivals, type Expected } from './arrivals.ts'
import { serveCalls } from './orders.ts'
import type { Chat } from './side.ts'

const [wsUrl = '', url = '', key = '', rootPublicKey = '', directory = ''] = process.argv.slice(2)
/** A busy machine must not look like a dead connection. */
const KEEP_ALIVE_MS = 120_000
/** Pairings at the same time: more would only wait for the processors. */
const PAIRINGS = 6
/** Sessions that are opened at the same time: the handshake of a later one would run into its timeout. */
const OPENINGS = 100
const logger = pino({ level: 'silent' })
const arrivals = new Arrivals()
const sockets = new Map<string, WASocket>()
const acknowledged = new Map<string, () => void>()

/** Keys by reference, as the library's own cache holds them. */
function memoryKeys(): SignalKeyStore {
  const all = new Map<string, unknown>()
  return {
    get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        const value = all.get(`${type} ${id}`)
        if (value !== undefined) found[id] = value as SignalDataTypeMap[T]
      }
      return found
    },
    set(changes: SignalDataSet) {
      for (const [type, values] of Object.entries(changes))
        for (const [id, value] of Object.entries(values))
          if (value === null) all.delete(`${type} ${id}`)
          else all.set(`${type} ${id}`, value)
    },
  }
}

interface Saved {
  state: AuthenticationState
  save(): Promise<void>
}

async function savedState(number: string): Promise<Saved> {
  if (directory === '') {
    const state = { creds: initAuthCreds(), keys: memoryKeys() }
    return { state, save: async () => undefined }
  }
  const folder = join(directory, number)
  await mkdir(folder, { recursive: true })
  const { state, saveCreds } = await useMultiFileAuthState(folder)
  return { state: { ...state, keys: makeCacheableSignalKeyStore(state.keys, logger) }, save: saveCreds }
}

/** Resolves when the session is open. After pairing, the network requires a new connection. */
async function openSession(number: string): Promise<void> {
  const saved = await savedState(number)
  const opened = Promise.withResolvers<void>()
  connect(number, saved, opened)
  await opened.promise
}

async function scan(number: string, qr: string): Promise<void> {
  const response = await fetch(`${url}/sandbox/v1/phones/${number}/scan`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ qr }),
  })
  if (!response.ok) throw new Error(`${number} could not be paired: ${await response.text()}`)
}

function connect(number: string, saved: Saved, opened: PromiseWithResolvers<void>): void {
  const socket = makeWASocket({
    waWebSocketUrl: wsUrl,
    auth: saved.state,
    logger,
    browser: Browsers.macOS('Chrome'),
    markOnlineOnConnect: false,
    syncFullHistory: false,
    emitOwnEvents: false,
    keepAliveIntervalMs: KEEP_ALIVE_MS,
    shouldSyncHistoryMessage: () => false,
    getMessage: async () => undefined,
  })
  sockets.set(number, socket)
  socket.ev.on('creds.update', (update) => {
    Object.assign(saved.state.creds, update)
    void saved.save()
  })
  socket.ev.on('connection.update', ({ qr, connection }) => {
    if (qr) scan(number, qr).catch(opened.reject)
    if (connection === 'open') opened.resolve()
    if (connection === 'close') connect(number, saved, opened)
  })
  socket.ev.on('messages.upsert', ({ messages }) => {
    for (const { key, message } of messages) if (message && !key.fromMe && key.id) arrivals.add(key.id)
  })
  socket.ws.on('CB:ack,class:message', ({ attrs }: { attrs: { id: string } }) =>
    acknowledged.get(attrs.id)?.(),
  )
}

const newId = (): string => `3EB0${crypto.randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`

/** Each chat in order, each message after the network has taken the one before; all chats side by side, as in the gateway. */
async function sendTo({ from, to }: Chat, count: number): Promise<string[]> {
  const socket = sockets.get(from)
  if (!socket) throw new Error(`the session of ${from} is not open`)
  const jid = to.includes('@') ? to : `${to}@s.whatsapp.net`
  const ids: string[] = []
  for (let sent = 0; sent < count; sent += 1) {
    const messageId = newId()
    const answered = new Promise<void>((resolve) => acknowledged.set(messageId, resolve))
    await socket.sendMessage(jid, { text: `Message ${sent} of a bench, as long as most.` }, { messageId })
    await answered
    acknowledged.delete(messageId)
    ids.push(messageId)
  }
  return ids
}

const calls = {
  open: (numbers: string[]) => eachOf(numbers, OPENINGS, openSession),
  pair: (numbers: string[]) => eachOf(numbers, PAIRINGS, openSession),
  send: ({ chats, perChat }: { chats: Chat[]; perChat: number }) =>
    Promise.all(chats.map((chat) => sendTo(chat, perChat))),
  reset: () => arrivals.reset(),
  take: (expected: Expected) => arrivals.take(expected),
}
export type BareLibrary = typeof calls

quietConsole()
WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(rootPublicKey, 'hex')
serveCalls(calls)
