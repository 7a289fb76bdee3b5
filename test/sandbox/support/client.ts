// An unmodified client of the network library, with helpers that await its events.
import { once } from 'node:events'
import https from 'node:https'
import net from 'node:net'
import {
  type AuthenticationCreds,
  type BaileysEventMap,
  BufferJSON,
  type Chat,
  initAuthCreds,
  makeWASocket,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type UserFacingSocketConfig,
  type WAMessage,
  type WASocket,
} from 'baileys'
import { Agent } from 'undici'
import type { WebSocket } from 'ws'
import { quietConsole } from '../../../sandbox/quiet-console.ts'
import { withRootKey } from '../../../src/whatsapp/library/root-key.ts'
import type { World } from './world.ts'

const noLog = () => {}
const SILENT: NonNullable<UserFacingSocketConfig['logger']> = {
  level: 'silent',
  child: () => SILENT,
  trace: noLog,
  debug: noLog,
  info: noLog,
  warn: noLog,
  error: noLog,
}
const EVENTS = [
  'creds.update',
  'connection.update',
  'messages.upsert',
  'messages.update',
  'message-receipt.update',
  'messages.reaction',
  'presence.update',
  'messaging-history.set',
  'groups.update',
  'groups.upsert',
  'group-participants.update',
  'group.join-request',
  'blocklist.update',
  'chats.upsert',
  'chats.update',
  'chats.delete',
  'messages.delete',
  'call',
  'contacts.update',
  'contacts.upsert',
] as const
type EventName = (typeof EVENTS)[number]
const chatsIn = ({ name, data }: Seen): readonly Partial<Chat>[] => {
  if (name === 'messaging-history.set') return data.chats
  return name === 'chats.update' || name === 'chats.upsert' ? data : []
}
type Seen = { [Name in EventName]: { name: Name; data: BaileysEventMap[Name] } }[EventName]

/** Keys in memory, serialized so that anything a real store would lose is lost here too. */
export function memoryKeys(data = new Map<string, string>()): SignalKeyStore & { data: Map<string, string> } {
  return {
    data,
    get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        const text = data.get(`${type} ${id}`)
        if (text === undefined) continue
        const value = JSON.parse(text, BufferJSON.reviver) as SignalDataTypeMap[T]
        // This type serializes itself to base64 strings, and only its own parser restores the bytes.
        found[id] =
          type === 'app-state-sync-key'
            ? (proto.Message.AppStateSyncKeyData.fromObject(
                value as object,
              ) as unknown as SignalDataTypeMap[T])
            : value
      }
      return found
    },
    set(changes: SignalDataSet) {
      for (const [type, values] of Object.entries(changes))
        for (const [id, value] of Object.entries(values))
          if (value === null) data.delete(`${type} ${id}`)
          else data.set(`${type} ${id}`, JSON.stringify(value, BufferJSON.replacer))
    },
  }
}

export class Client {
  creds: AuthenticationCreds = initAuthCreds()
  keys = memoryKeys()
  seen: Seen[] = []
  sent = new Map<string, proto.IMessage>()
  #waiting = new Set<() => void>()
  #world: World
  #config: Partial<UserFacingSocketConfig>
  #socket: WASocket | undefined

  constructor(world: World, config: Partial<UserFacingSocketConfig> = {}) {
    quietConsole()
    this.#world = world
    this.#config = config
  }

  /** Replaces all credentials and keys, as after a log-out. */
  forget(): void {
    this.creds = initAuthCreds()
    this.keys = memoryKeys()
    this.seen = []
  }

  /** Keeps the login and removes all Signal sessions, as after restoring an old backup. */
  loseSessions(): void {
    for (const name of this.keys.data.keys()) if (name.startsWith('session ')) this.keys.data.delete(name)
  }

  /** Points the client to a restarted sandbox. */
  moveTo(world: World): void {
    this.#world = world
  }

  get socket(): WASocket {
    if (!this.#socket) throw new Error('not open')
    return this.#socket
  }

  #connect(wsUrl: string): WASocket {
    return makeWASocket({
      waWebSocketUrl: wsUrl,
      auth: { creds: this.creds, keys: this.keys },
      logger: SILENT,
      emitOwnEvents: false,
      fetchAgent: plainAgent(),
      options: { dispatcher: plainDispatcher() } as unknown as RequestInit,
      getMessage: async (key) => this.sent.get(key.id ?? ''),
      ...this.#config,
    })
  }

  open(): WASocket {
    const { rootPublicKey, wsUrl } = this.#world.sandbox
    // Makes the client trust the sandbox instead of the public network.
    const socket = withRootKey(Buffer.from(rootPublicKey, 'hex'), () => this.#connect(wsUrl))
    this.#socket = socket
    socket.ev.on('creds.update', (update) => Object.assign(this.creds, update))
    for (const name of EVENTS)
      socket.ev.on(name, (data) => {
        this.seen.push({ name, data } as Seen)
        for (const wake of this.#waiting) wake()
      })
    return socket
  }

  /** The first matching event since the last login, past or future. */
  async wait<Name extends EventName>(
    name: Name,
    fits: (data: BaileysEventMap[Name]) => boolean = () => true,
    timeoutMs = 60_000,
  ): Promise<BaileysEventMap[Name]> {
    const found = await this.#first(
      (event) => event.name === name && fits(event.data as BaileysEventMap[Name]),
      name,
      timeoutMs,
    )
    return found.data as BaileysEventMap[Name]
  }

  /** Something new about a chat. While the library buffers events, it merges updates of a chat into other events of that chat. */
  async chatNews(id: string, fits: (chat: Partial<Chat>) => boolean): Promise<void> {
    const isNews = (chat: Partial<Chat>) => chat.id === id && fits(chat)
    await this.#first((event) => chatsIn(event).some(isNews), 'news of the chat', 60_000)
  }

  async #first(fits: (event: Seen) => boolean, what: string, timeoutMs: number): Promise<Seen> {
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const found = this.seen.find(fits)
      if (found) return found
      if (Date.now() > deadline) throw new Error(`no matching ${what} within ${timeoutMs} ms`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, deadline - Date.now() + 1).unref()
        const waiting = this.#waiting
        function done() {
          clearTimeout(timer)
          waiting.delete(done)
          resolve()
        }
        waiting.add(done)
      })
    }
  }

  /** A received message with content, by id. */
  async message(id: string): Promise<WAMessage> {
    const fits = (message: WAMessage) => message.key.id === id && Boolean(message.message)
    const { messages } = await this.wait('messages.upsert', (data) => data.messages.some(fits))
    const found = messages.find(fits)
    if (!found) throw new Error('unreachable')
    return found
  }

  /** How the message arrived: `notify` when live, `append` when it was queued. */
  async upsertType(id: string): Promise<string> {
    const data = await this.wait('messages.upsert', (event) => event.messages.some((m) => m.key.id === id))
    return data.type
  }

  async qr(): Promise<string> {
    this.open()
    const { qr } = await this.wait('connection.update', (update) => update.qr !== undefined)
    return qr ?? ''
  }

  /** Pairs by QR code, and resolves when the client is logged in and synced. */
  async pair(number: string): Promise<this> {
    const qr = await this.qr()
    await this.#world.post(`/phones/${number}/scan`, { qr })
    return this.restarted()
  }

  /** Awaits the restart that follows every pairing, and logs in. */
  async restarted(): Promise<this> {
    const code = await this.closed()
    if (code !== 515) throw new Error(`expected a restart, got ${code}`)
    await this.login()
    await this.wait('messaging-history.set')
    return this
  }

  async login(): Promise<this> {
    this.seen = []
    this.open()
    const update = await this.wait(
      'connection.update',
      ({ connection }) => connection === 'open' || connection === 'close',
    )
    if (update.connection !== 'open') throw update.lastDisconnect?.error ?? new Error('closed')
    return this
  }

  async closed(): Promise<number> {
    const update = await this.wait('connection.update', ({ connection }) => connection === 'close')
    const error = update.lastDisconnect?.error as { output?: { statusCode?: number } } | undefined
    return error?.output?.statusCode ?? 0
  }

  async end(): Promise<void> {
    await this.#socket?.end(undefined)
  }

  /** A ping on the socket: resolves when everything that either side sent before has arrived at the other. */
  async roundTrip(): Promise<void> {
    const { socket } = this.socket.ws as unknown as { socket: WebSocket }
    const pong = once(socket, 'pong')
    socket.ping()
    await pong
  }

  /** Simulates a crash: no closing handshake, no events, and no later changes to keys and credentials. */
  kill(): void {
    const ws = this.socket.ws as unknown as { socket: { terminate(): void } }
    for (const name of [...EVENTS, 'creds.update'] as const) this.socket.ev.removeAllListeners(name)
    this.keys = memoryKeys(new Map(this.keys.data))
    this.creds = JSON.parse(
      JSON.stringify(this.creds, BufferJSON.replacer),
      BufferJSON.reviver,
    ) as AuthenticationCreds
    ws.socket.terminate()
  }
}

/** The library uploads to `https://` URLs only. Without a certificate this agent connects without TLS. */
export function plainAgent(): https.Agent {
  const agent = new https.Agent()
  agent.createConnection = (options) => net.connect(Number(options.port), options.host ?? undefined)
  return agent
}

export function plainDispatcher(): Agent {
  return new Agent({
    connect: (options, callback) => {
      const socket = net.connect(Number(options.port), options.hostname)
      socket.once('connect', () => callback(null, socket))
      socket.once('error', (error) => callback(error, null))
    },
  })
}
