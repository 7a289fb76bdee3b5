// Ends requests of the library that the network does not answer. The library waits for each answer without a limit (open-socket.ts),
// and goes on waiting when the connection has ended. It sends messages under one lock, and received messages are read one after the
// other: a single lost answer would silence an instance that looks online, also after it has connected again.
import type { BinaryNode } from 'baileys'
import { realTimers, type Timers } from '../../kernel/async/timers.ts'

/** A request that is still open at this many checks is answered here. */
const CHECKS = 3
const CHECK_MS = 20_000
/** The library's event of the answer to one request. */
const ANSWER = 'TAG:'
const REFUSALS = {
  timedOut: { code: '408', text: 'the network did not answer' },
  closed: { code: '428', text: 'the connection was closed' },
} as const

export interface QuerySocket {
  eventNames(): (string | symbol)[]
  emit(event: string, answer: BinaryNode): unknown
}

/** The WebSocket itself: the library removes listeners for the end of its own socket before that ends. */
interface ClosingSocket {
  once(event: 'close', listener: () => void): unknown
}

/** Checks at intervals instead of with a timer for each request: requests are part of every send, and nearly all are answered. */
export function endUnansweredQueries(
  socket: QuerySocket,
  inner: ClosingSocket,
  log: { debug(message: string): void },
  checkMs: number = CHECK_MS,
  timers: Timers = realTimers,
): void {
  const unanswered = () =>
    socket.eventNames().filter((name) => typeof name === 'string' && name.startsWith(ANSWER)) as string[]
  let open = new Map<string, number>()
  const timer = timers.setInterval(() => {
    open = new Map(unanswered().map((name) => [name, (open.get(name) ?? 0) + 1]))
    for (const [name, checks] of open) {
      if (checks < CHECKS) continue
      log.debug('driver: the network did not answer a request')
      socket.emit(name, refusal(name, REFUSALS.timedOut))
    }
  }, checkMs)
  timer.unref()
  inner.once('close', () => {
    timers.clearInterval(timer)
    for (const name of unanswered()) socket.emit(name, refusal(name, REFUSALS.closed))
  })
}

/** An answer that the library takes for a refusal. */
const refusal = (name: string, attrs: { code: string; text: string }): BinaryNode => ({
  tag: 'iq',
  attrs: { id: name.slice(ANSWER.length), type: 'error' },
  content: [{ tag: 'error', attrs }],
})
