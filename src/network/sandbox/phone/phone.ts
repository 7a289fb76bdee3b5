/** A person's phone: device 0 of the account, a real Signal endpoint that does one thing after another. */
import { decodeBinaryNode } from 'baileys'
import type { Delivery } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import type { KeyBundle } from '../key-directory.ts'
import type { Stanza } from '../stanza.ts'
import { readQueue } from '../store/queue.ts'
import type { Account, Device } from '../world.ts'
import { pushHistory } from './history-push.ts'
import { receive } from './receive.ts'
import { createSignal, type PhoneSignal } from './signal.ts'
import { createTypingLog, type TypingLog } from './typing-log.ts'
import { createWatch, type Watch } from './watch.ts'

export type Phone = {
  readonly account: Account
  readonly signal: PhoneSignal
  /** Rings when there is something new to see on the phone. */
  readonly watch: Watch
  readonly typing: TypingLog
  /** Something in that chat is new or looks different. */
  changed(chat: string): void
  /** Runs a piece of work after all earlier ones; its key changes are kept or dropped as a whole. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** A queued stanza arrives. */
  take(delivery: Pick<Delivery, 'seq' | 'node'>): void
  /** Something fleeting arrives, such as typing. */
  notice(node: Stanza): void
  /** Takes in what waits in the queue: at start, and when the phone was offline. */
  wake(): void
  /** Stops taking stanzas in, and resolves when the work under way is done. */
  rest(): Promise<void>
  takeBundle(): KeyBundle
  pushHistory(device: Device): Promise<void>
}

export function createPhone(exchange: Exchange, account: Account): Phone {
  const signal = createSignal(exchange.database, account)
  /** Entries being worked on, so that waking up does not take them a second time. */
  const taken = new Set<number>()
  let turn: Promise<unknown> = Promise.resolve()
  let resting = false

  const phone: Phone = {
    account,
    signal,
    watch: createWatch(),
    typing: createTypingLog(exchange.world),
    inTurn<T>(work: () => Promise<T>): Promise<T> {
      const result = turn.then(work).finally(() => signal.keys.drop())
      turn = result.catch(() => {})
      return result
    },
    take({ seq, node }) {
      if (resting || exchange.faults.offline.has(account.number) || taken.has(seq)) return
      taken.add(seq)
      void phone
        .inTurn(() => receive(exchange, phone, seq, node))
        .catch((error: unknown) =>
          exchange.log.error('phone failed', { number: account.number, error: String(error) }),
        )
        .finally(() => taken.delete(seq))
    },
    changed(chat) {
      phone.watch.ring()
      exchange.changes.note({ about: 'messages', number: account.number, chat })
    },
    notice(node) {
      const sign = phone.typing.add(node)
      if (!sign) return
      const { chat, from, state } = sign
      exchange.changes.note({ about: 'typing', number: account.number, chat, from, state })
    },
    wake() {
      for (const { seq, stanza } of readQueue(exchange.database, account.number, 0))
        void decodeBinaryNode(Buffer.from(stanza)).then((node) => phone.take({ seq, node }))
    },
    async rest() {
      resting = true
      await turn
    },
    takeBundle: () => signal.takeBundle(),
    pushHistory: (device) => phone.inTurn(() => pushHistory(exchange, phone, device)),
  }
  return phone
}
