// Typing and recording in chats: repeated while it lasts, because clients stop showing it after some seconds, and ended in time.

import type { ShownPresence } from '../../contract/chats.ts'
import { realTimers, type Timer, type Timers } from '../../kernel/async/timers.ts'

/** Phones hide the sign after about 25 s without another one. */
const REPEAT_MS = 10_000

export interface PresenceSigns {
  show(chat: string, presence: ShownPresence, seconds: number): Promise<void>
  /** Something else is shown in the chat now. */
  forget(chat: string): void
  isAnyShown(): boolean
  /** Ends all signs. Resolves when the network was informed. */
  endAll(): Promise<void>
  /** The connection is closed: the network has ended all signs. */
  forgetAll(): void
}

export function createPresenceSigns(
  send: (chat: string, presence: ShownPresence) => Promise<void>,
  timers: Timers = realTimers,
): PresenceSigns {
  const running = new Map<string, { repeat: Timer; end: Timer }>()
  /** The connection may close at any time: the network ends the sign then. */
  const sendQuietly = (chat: string, presence: ShownPresence) => send(chat, presence).catch(() => undefined)

  function forget(chat: string): void {
    const sign = running.get(chat)
    timers.clearInterval(sign?.repeat)
    timers.clearTimeout(sign?.end)
    running.delete(chat)
  }
  function forgetAll(): string[] {
    const chats = [...running.keys()]
    for (const chat of chats) forget(chat)
    return chats
  }
  function end(chat: string): Promise<void> {
    forget(chat)
    return sendQuietly(chat, 'paused')
  }

  return {
    async show(chat, presence, seconds) {
      forget(chat)
      if (presence !== 'paused')
        running.set(chat, {
          repeat: timers.setInterval(() => void sendQuietly(chat, presence), REPEAT_MS),
          end: timers.setTimeout(() => void end(chat), seconds * 1000),
        })
      await send(chat, presence)
    },
    forget,
    forgetAll,
    isAnyShown: () => running.size > 0,
    async endAll() {
      await Promise.all(forgetAll().map((chat) => sendQuietly(chat, 'paused')))
    },
  }
}
