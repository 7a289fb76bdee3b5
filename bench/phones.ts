// The phones of the sandbox in a bench: people who write to instances, and who show what instances wrote to them.
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { eachOf } from '../test/support/each-of.ts'
import { now } from './arrivals.ts'
import type { Sandbox } from './sandbox.ts'
import type { Chat } from './side.ts'

/** Connections to the sandbox, and so messages that are on their way into it at the same time. */
const CONNECTIONS = 20
const SHOWN_WITHIN_MS = 60_000
const POLL_MS = 50
/** The longest page that the sandbox returns. */
const PAGE = 1000

export interface Sent {
  id: string
  /** When the phone was told to send it. */
  at: number
}

/** Numbers that differ by kind (0 to 9) and index. */
export const numberOf = (kind: number, index: number): string =>
  `55119${kind}${String(index).padStart(7, '0')}`

export class Phones {
  #pool: Pool
  #headers: Record<string, string>

  constructor({ url, key }: Sandbox) {
    this.#pool = new Pool(url, { connections: CONNECTIONS })
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  create(numbers: string[]): Promise<void> {
    return eachOf(numbers, CONNECTIONS, async (number) => {
      await this.#call('POST', '/phones', { number, name: `Phone ${number}` })
    })
  }

  /** A new group; returns its id. */
  async createGroup(admin: string, members: string[]): Promise<string> {
    const body = { subject: 'Bench', admin, members }
    const { group } = await this.#call<{ group: { jid: string } }>('POST', '/groups', body)
    return group.jid
  }

  /** Sends one message to each chat as fast as the sandbox takes them, 20 at the same time. */
  async burst(chats: Chat[]): Promise<Sent[]> {
    const sent: Sent[] = []
    await eachOf(chats, CONNECTIONS, async (chat, index) => {
      sent.push(await this.#write(chat, index))
    })
    return sent
  }

  /** Sends one message to each chat, at this rate per second. */
  async steady(chats: Chat[], perSecond: number): Promise<Sent[]> {
    const startedAt = performance.now()
    const sending: Promise<Sent>[] = []
    for (const [index, chat] of chats.entries()) {
      const waitMs = startedAt + (index * 1000) / perSecond - performance.now()
      if (waitMs > 0) await pause(waitMs)
      sending.push(this.#write(chat, index))
    }
    return Promise.all(sending)
  }

  /** Resolves when the phone shows all these messages; fails if one is still missing after a minute. */
  async untilShown(number: string, chat: string, ids: readonly string[]): Promise<void> {
    const path = `/phones/${number}/messages?chat=${encodeURIComponent(chat)}&from=end&limit=${PAGE}`
    if (ids.length > PAGE) throw new Error(`${ids.length} messages of a chat are more than a page shows`)
    const endsAt = Date.now() + SHOWN_WITHIN_MS
    for (;;) {
      const { messages } = await this.#call<{ messages: { id: string }[] }>('GET', path)
      const shown = new Set(messages.map(({ id }) => id))
      const missing = ids.filter((id) => !shown.has(id)).length
      if (missing === 0) return
      if (Date.now() > endsAt)
        throw new Error(`phone ${number} shows ${ids.length - missing} of ${ids.length} messages of ${chat}`)
      await pause(POLL_MS)
    }
  }

  async #write({ from, to }: Chat, index: number): Promise<Sent> {
    const at = now()
    const body = { to, text: `Message ${index} of a bench, as long as most.` }
    const { messageId } = await this.#call<{ messageId: string }>('POST', `/phones/${from}/send`, body)
    return { id: messageId, at }
  }

  async #call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
    const answer = await this.#pool.request({
      method,
      path: `/sandbox/v1${path}`,
      headers: this.#headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text) as T
  }
}
