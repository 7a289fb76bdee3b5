// A client of the network that shares no code with ours: the package zapo-js, unmodified, with its own protocol and cryptography.
import type { WaAuthCredentials } from 'zapo-js/auth'
import { WaClient, type WaClientEventMap } from 'zapo-js/client'
import { createStore, type WaStore } from 'zapo-js/store'
import { plainAgent } from '../sandbox/support/client.ts'
import type { JudgedNetwork } from './partner.ts'

/** Far more than anything takes, also on a busy machine. */
const SESSION = 'judge'
/** The last part of the history that the sandbox's phones send. */
const RECENT = 3
const LIMIT_MS = 60_000
const SILENT = { level: 'error', trace() {}, debug() {}, info() {}, warn() {}, error() {} } as const

/** The part of a message that says where its file is. */
interface MediaPart {
  directPath?: string | null
  mediaKey?: Uint8Array | null
  fileSha256?: Uint8Array | null
  fileEncSha256?: Uint8Array | null
}

export class ZapoClient {
  readonly errors: Error[] = []
  readonly messages: Parameters<WaClientEventMap['message']>[0][] = []
  #network: JudgedNetwork | undefined
  #store: WaStore = memoryStore()
  #client: WaClient | undefined
  #waiting = new Set<() => void>()
  #history = Promise.withResolvers<void>()

  get client(): WaClient {
    if (!this.#client) throw new Error('not connected')
    return this.#client
  }

  /** Connects, and resolves with the code to scan or when the login is accepted. The network is that of the last call by default. */
  async open(network = this.#network): Promise<string | undefined> {
    if (!network) throw new Error('which network?')
    this.#network = network
    const { wsUrl, rootPublicKey } = network
    const agent = plainAgent()
    const client = new WaClient(
      {
        store: this.#store,
        sessionId: SESSION,
        chatSocketUrls: [wsUrl],
        proxy: { mediaUpload: agent, mediaDownload: agent },
        testHooks: { noiseRootCa: { publicKey: Buffer.from(rootPublicKey, 'hex'), serial: 0 } },
        history: { enabled: true },
      },
      SILENT,
    )
    this.#client = client
    const opened = Promise.withResolvers<string | undefined>()
    client.on('client_error', ({ error }) => {
      this.errors.push(error)
      this.#changed()
    })
    client.on('auth_qr', ({ qr }) => opened.resolve(qr))
    client.on('connection_success', () => opened.resolve(undefined))
    client.on('message', (message) => {
      this.messages.push(message)
      this.#changed()
    })
    client.on('history_sync_chunk', ({ syncType }) => syncType === RECENT && this.#history.resolve())
    await client.connect()
    return withLimit(opened.promise, 'a code or a login')
  }

  #changed(): void {
    for (const wake of this.#waiting) wake()
  }

  /** The first value that is not undefined, now or after a later message. */
  async until<T>(what: string, look: () => T | undefined): Promise<T> {
    const found = Promise.withResolvers<T>()
    const check = () => {
      const value = look()
      if (value !== undefined) found.resolve(value)
    }
    this.#waiting.add(check)
    check()
    return withLimit(found.promise, what).finally(() => this.#waiting.delete(check))
  }

  /** Resolves when the client has logged in after it was linked, and has the history of the phone. */
  async untilLinked(): Promise<void> {
    await withLimit(this.#history.promise, 'history')
  }

  /** Keeps the login and removes all Signal sessions, as after restoring an old backup. */
  loseSessions(): Promise<void> {
    return this.#store.session(SESSION).session.clear()
  }

  async download(mediaType: 'document' | 'image', file: MediaPart): Promise<Buffer> {
    const { directPath, mediaKey, fileSha256, fileEncSha256 } = file
    const hosts = [new URL(this.#network?.wsUrl ?? '').host]
    const request = { mediaType, directPath, mediaKey, fileSha256, fileEncSha256, hosts }
    return Buffer.from(await this.client.mediaTransfer.downloadAndDecrypt(request as never))
  }

  async close(): Promise<void> {
    await this.#client?.disconnect()
    this.#client = undefined
  }
}

async function withLimit<T>(promise: Promise<T>, what: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no ${what} in time`)), LIMIT_MS)
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}

/** Everything in memory, for one session. */
function memoryStore(): WaStore {
  let credentials: WaAuthCredentials | null = null
  const auth = {
    load: async () => credentials,
    async save(saved: WaAuthCredentials) {
      credentials = saved
    },
    async clear() {
      credentials = null
    },
  }
  const backend = { stores: { auth: () => auth }, caches: {} }
  return createStore({ backends: { own: backend } as never, providers: { auth: 'own' as never } })
}
